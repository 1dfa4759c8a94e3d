// Which page is at which address. A page arrives with its first visit; the farm, where most visits begin, with the frame.
import { type ComponentType, lazy } from 'react';
import { Route, Routes } from 'react-router';
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

export function Pages() {
  return (
    <Routes>
      <Route path="/" element={<FarmPage />} />
      <Route path="/camera/:id?" element={<CameraPage />} />
      <Route path="/jobs" element={<JobsPage />} />
      <Route path="/jobs/new" element={<NewJobPage />} />
      <Route path="/jobs/:id" element={<JobPage />} />
      <Route path="/jobs/:id/edit" element={<EditJobPage />} />
      <Route path="/jobs/:id/divide" element={<DividePage />} />
      <Route path="/printers" element={<PrintersPage />} />
      <Route path="/printers/:id" element={<PrinterPage />} />
      <Route path="/spools" element={<SpoolsPage />} />
      <Route path="/spools/:id" element={<SpoolPage />} />
      <Route path="/filaments" element={<FilamentsPage />} />
      <Route path="/filaments/:id" element={<FilamentPage />} />
      <Route path="/labels" element={<LabelsPage />} />
      <Route path="/n/:number" element={<NumberPage />} />
      <Route path="/materials" element={<MaterialsPage />} />
      <Route path="/reports" element={<UsagePage />} />
      <Route path="/filament" element={<MovedPage />} />
      <Route path="/filament/*" element={<MovedPage />} />
      <Route path="/prints/:id" element={<PrintPage />} />
      <Route path="/notifications" element={<NotificationsPage />} />
      <Route path="/notifications/:id" element={<TargetPage />} />
      <Route path="/settings" element={<SettingsPage />} />
      <Route path="/import" element={<ImportPage />} />
      <Route path="/start" element={<StartPage />} />
      <Route path="*" element={<NoPage />} />
    </Routes>
  );
}
