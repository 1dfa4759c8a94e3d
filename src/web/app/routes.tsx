// Assigns a page to each address. A page is loaded when it is first opened; the farm page, where most visits start, is in the first
// bundle.
import { type ComponentType, lazy } from 'react';
import { Route, Routes } from 'react-router';
import { ADDRESSES } from '../../doors/http/dashboard-addresses';
import { FarmPage } from '../farm/farm-page';
import { MovedPage } from './moved-page';
import { NotFoundPage } from './not-found-page';

/** A page in a separate file that the browser loads when the page is first opened. */
const lazyPage = <Name extends string>(name: Name, load: () => Promise<Record<Name, ComponentType>>) =>
  lazy(async () => ({ default: (await load())[name] }));

const CameraPage = lazyPage('CameraPage', () => import('../camera/camera-page'));
const JobsPage = lazyPage('JobsPage', () => import('../jobs/jobs-page'));
const JobPage = lazyPage('JobPage', () => import('../jobs/job-page'));
const NewJobPage = lazyPage('NewJobPage', () => import('../jobs/job-form-pages'));
const EditJobPage = lazyPage('EditJobPage', () => import('../jobs/job-form-pages'));
const DividePage = lazyPage('DividePage', () => import('../jobs/divide-page'));
const UsagePage = lazyPage('UsagePage', () => import('../reports/usage-page'));
const SpoolsPage = lazyPage('SpoolsPage', () => import('../inventory/spools-page'));
const SpoolPage = lazyPage('SpoolPage', () => import('../inventory/spool-page'));
const FilamentsPage = lazyPage('FilamentsPage', () => import('../filaments/filaments-page'));
const FilamentPage = lazyPage('FilamentPage', () => import('../filaments/filament-page'));
const ShoppingPage = lazyPage('ShoppingPage', () => import('../filaments/shopping-page'));
const LabelsPage = lazyPage('LabelsPage', () => import('../labels/labels-page'));
const NumberPage = lazyPage('NumberPage', () => import('../labels/number-page'));
const MaterialsPage = lazyPage('MaterialsPage', () => import('../inventory/materials-page'));
const PrintersPage = lazyPage('PrintersPage', () => import('../inventory/printers-page'));
const PrinterPage = lazyPage('PrinterPage', () => import('../printers/printer-page'));
const PrintPage = lazyPage('PrintPage', () => import('../prints/print-page'));
const NotificationsPage = lazyPage('NotificationsPage', () => import('../notifications/notifications-page'));
const TargetPage = lazyPage('TargetPage', () => import('../notifications/target-page'));
const SettingsPage = lazyPage('SettingsPage', () => import('../start/settings-page'));
const ImportPage = lazyPage('ImportPage', () => import('../stock/import-page'));
const StartPage = lazyPage('StartPage', () => import('../start/start-page'));

const PAGES: Record<(typeof ADDRESSES)[number], ComponentType> = {
  '/': FarmPage,
  '/camera/': CameraPage,
  '/camera/:id': CameraPage,
  '/jobs': JobsPage,
  '/jobs/new': NewJobPage,
  '/jobs/:id': JobPage,
  '/jobs/:id/edit': EditJobPage,
  '/jobs/:id/divide': DividePage,
  '/printers': PrintersPage,
  '/printers/:id': PrinterPage,
  '/spools': SpoolsPage,
  '/spools/:id': SpoolPage,
  '/filaments': FilamentsPage,
  '/filaments/shopping': ShoppingPage,
  '/filaments/:id': FilamentPage,
  '/labels': LabelsPage,
  '/n/:number': NumberPage,
  '/materials': MaterialsPage,
  '/reports': UsagePage,
  '/filament': MovedPage,
  '/filament/*': MovedPage,
  '/prints/:id': PrintPage,
  '/notifications': NotificationsPage,
  '/notifications/:id': TargetPage,
  '/settings': SettingsPage,
  '/import': ImportPage,
  '/start': StartPage,
};

export function Pages() {
  return (
    <Routes>
      {ADDRESSES.map((path) => {
        const Page = PAGES[path];
        return <Route key={path} path={path} element={<Page />} />;
      })}
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}
