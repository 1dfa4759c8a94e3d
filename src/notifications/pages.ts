// The page of the dashboard that a notification leads to.

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
  Spool: 'filament/spools',
  NotificationTarget: 'notifications',
};

/** @param publicUrl without a slash at its end; null: nobody said where the dashboard is */
export function pageOf(data: object, publicUrl: string | null): string | null {
  if (publicUrl === null) return null;
  const { print, job, printer, alert } = data as About;
  const [type, id] = print?.id
    ? ['ObservedPrint', print.id]
    : job?.id
      ? ['PrintJob', job.id]
      : printer?.id
        ? ['Printer', printer.id]
        : [alert?.about?.type ?? '', alert?.about?.id ?? ''];
  const page = PAGES[type];
  return page === undefined ? `${publicUrl}/` : `${publicUrl}/${page}/${encodeURIComponent(id)}`;
}
