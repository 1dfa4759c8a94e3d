// Assigns a page to each address. A page is loaded when it is first opened; the farm page, where most visits start, is in the first
// bundle.
import { type ComponentType, lazy, useState } from 'react';
import { matchPath, Route, Routes } from 'react-router';
import { ADDRESSES } from '../../doors/http/dashboard-addresses';
import { FarmPage } from '../farm/farm-page';
import { MovedPage } from './moved-page';
import { NotFoundPage } from './not-found-page';

interface PageFile {
  load: () => Promise<unknown>;
  Lazy: ComponentType;
  /** Undefined until the file is loaded. */
  Loaded?: ComponentType;
}

/** A page in a separate file that the browser loads when the page is first opened. */
function lazyPage<Name extends string>(name: Name, importFile: () => Promise<Record<Name, ComponentType>>): PageFile {
  const load = async () => {
    file.Loaded = (await importFile())[name];
    return { default: file.Loaded };
  };
  const file: PageFile = { load, Lazy: lazy(load) };
  return file;
}

/** A page in the first bundle. */
const includedPage = (Page: ComponentType): PageFile => ({ load: async () => {}, Lazy: Page, Loaded: Page });

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
const SpoolmanPage = lazyPage('SpoolmanPage', () => import('../stock/spoolman-page'));
const SpoolmanImportPage = lazyPage('SpoolmanImportPage', () => import('../stock/spoolman-import-page'));
const StartPage = lazyPage('StartPage', () => import('../start/start-page'));

const PAGES: Record<(typeof ADDRESSES)[number], PageFile> = {
  '/': includedPage(FarmPage),
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
  '/filament': includedPage(MovedPage),
  '/filament/*': includedPage(MovedPage),
  '/prints/:id': PrintPage,
  '/notifications': NotificationsPage,
  '/notifications/:id': TargetPage,
  '/settings': SettingsPage,
  '/import': ImportPage,
  '/import/spoolman': SpoolmanPage,
  '/import/spoolman/:id': SpoolmanImportPage,
  '/start': StartPage,
};

/**
 * Loads the file of the page at an address. If the file cannot be loaded, the page shows that when it is opened.
 * @param pathname the address below the root of the dashboard
 */
export async function preloadPage(pathname: string): Promise<void> {
  const matches = ADDRESSES.filter((path) => matchPath(path, pathname) !== null);
  // `/jobs/new` also matches `/jobs/:id`. The address without a parameter is the page.
  const path = matches.find((address) => !address.includes(':')) ?? matches[0];
  if (path !== undefined) await PAGES[path].load().catch(() => {});
}

export function Pages() {
  return (
    <Routes>
      {ADDRESSES.map((path) => (
        <Route key={path} path={path} element={<Page key={path} file={PAGES[path]} />} />
      ))}
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}

/** React shows a lazy component 300 ms after its placeholder at the earliest. A page whose file is already loaded needs no placeholder. */
function Page({ file }: { file: PageFile }) {
  const [Shown] = useState(() => file.Loaded ?? file.Lazy);
  return <Shown />;
}
