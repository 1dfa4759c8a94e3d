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
export function pageOf(data: object, publicUrl: string | null): string | null {
  const { print, job, printer, alert } = data as About;
  if (print?.id) return pageAt(publicUrl, 'ObservedPrint', print.id);
  if (job?.id) return pageAt(publicUrl, 'PrintJob', job.id);
  if (printer?.id) return pageAt(publicUrl, 'Printer', printer.id);
  return pageAt(publicUrl, alert?.about?.type, alert?.about?.id);
}

/** The page of an object, or the start page. @param type of the graph */
export function pageAt(publicUrl: string | null, type = '', id = ''): string | null {
  const page = PAGES[type];
  if (publicUrl === null) return null;
  return page === undefined ? `${publicUrl}/` : `${publicUrl}/${page}/${encodeURIComponent(id)}`;
}
