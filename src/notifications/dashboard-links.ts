// The pages of the dashboard that notifications and brokers link to.

interface About {
  print?: { id?: string } | null;
  job?: { id?: string } | null;
  printer?: { id?: string } | null;
  alert?: { about?: { type?: string; id?: string } | null };
}

/** By the types of the graph. */
const PAGES: Record<string, string> = {
  ObservedPrint: 'prints',
  PrintJob: 'jobs',
  Printer: 'printers',
  Camera: 'camera',
  Spool: 'spools',
  Filament: 'filaments',
  NotificationTarget: 'notifications',
};

/** @param publicUrl without a slash at its end; null: PUBLIC_URL is not set */
export function dashboardPageOf(data: object, publicUrl: string | null): string | null {
  const { print, job, printer, alert } = data as About;
  if (print?.id) return dashboardPageAt(publicUrl, 'ObservedPrint', print.id);
  if (job?.id) return dashboardPageAt(publicUrl, 'PrintJob', job.id);
  if (printer?.id) return dashboardPageAt(publicUrl, 'Printer', printer.id);
  return dashboardPageAt(publicUrl, alert?.about?.type, alert?.about?.id);
}

/** The page of an object, or the start page. @param type of the graph */
export function dashboardPageAt(publicUrl: string | null, type = '', id = ''): string | null {
  const page = PAGES[type];
  if (publicUrl === null) return null;
  return page === undefined ? `${publicUrl}/` : `${publicUrl}/${page}/${encodeURIComponent(id)}`;
}
