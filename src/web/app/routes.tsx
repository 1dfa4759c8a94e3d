// Which page is at which address. A page arrives with its first visit; the farm, where most visits begin, with the frame.
import { type ComponentType, lazy } from 'react';
import { Route, Routes } from 'react-router';
import { ADDRESSES } from '../../doors/http/dashboard-addresses';
import { FarmPage } from '../farm/farm-page';
import { MovedPage } from './moved-page';
import { NoPage } from './no-page';

/** A page in a file of its own, which the browser loads when it is first opened. */
const later = <Name extends string>(name: Name, load: () => Promise<Record<Name, ComponentType>>) =>
  lazy(async () => ({ default: (await load())[name] }));

const CameraPage = later('CameraPage', () => import('../camera/camera-page'));
const JobsPage = later('JobsPage', () => import('../jobs/jobs-page'));
const JobPage = later('JobPage', () => import('../jobs/job-page'));
const NewJobPage = later('NewJobPage', () => import('../jobs/job-form-pages'));
const EditJobPage = later('EditJobPage', () => import('../jobs/job-form-pages'));
const DividePage = later('DividePage', () => import('../jobs/divide-page'));
const UsagePage = later('UsagePage', () => import('../reports/usage-page'));
const SpoolsPage = later('SpoolsPage', () => import('../inventory/spools-page'));
const SpoolPage = later('SpoolPage', () => import('../inventory/spool-page'));
const FilamentsPage = later('FilamentsPage', () => import('../filaments/filaments-page'));
const FilamentPage = later('FilamentPage', () => import('../filaments/filament-page'));
const LabelsPage = later('LabelsPage', () => import('../labels/labels-page'));
const NumberPage = later('NumberPage', () => import('../labels/number-page'));
const MaterialsPage = later('MaterialsPage', () => import('../inventory/materials-page'));
const PrintersPage = later('PrintersPage', () => import('../inventory/printers-page'));
const PrinterPage = later('PrinterPage', () => import('../printers/printer-page'));
const PrintPage = later('PrintPage', () => import('../prints/print-page'));
const NotificationsPage = later('NotificationsPage', () => import('../notifications/notifications-page'));
const TargetPage = later('TargetPage', () => import('../notifications/target-page'));
const SettingsPage = later('SettingsPage', () => import('../start/settings-page'));
const ImportPage = later('ImportPage', () => import('../stock/import-page'));
const StartPage = later('StartPage', () => import('../start/start-page'));

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
      <Route path="*" element={<NoPage />} />
    </Routes>
  );
}
