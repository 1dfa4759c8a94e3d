// Decides the title, the text and the data of each notification, and the page of the dashboard that it links to. Receivers read the data:
// its members do not change.
import Decimal from 'decimal.js';
import type { AlertSeverity } from '../../farm/alerts/alert.types';
import { encodeNodeId } from '../../farm/graph/node';
import { type Instant, msBetween } from '../../values/instant';
import { GIVEN_UP_AFTER_HOURS } from '../deliveries/retries';
import type { NotificationEvent } from '../target.types';
import type { Audience } from './audience';
import { type EndStatus, endStatusOf, type PrintEvent, type PrintOrJob, waitsFor } from './print-events';

/** A notification and the channels that get it. */
export interface Notification {
  event: NotificationEvent;
  at: Instant;
  /** When the gateway recorded the event. The delivery is given up a fixed time after this. */
  receivedAt: Instant;
  severity: AlertSeverity | null;
  title: string;
  text: string;
  data: object;
  targets: readonly Audience['id'][];
}
type Message = Pick<Notification, 'title' | 'text' | 'data'>;

/** An alert in the form in which notifications show it. */
export interface ReportedAlert {
  kind: string;
  severity: AlertSeverity;
  message: string;
  since: Instant;
  about: { type: string; id: string; nodeId: string; name: string };
}

const END_TEXTS: Record<EndStatus, string> = {
  COMPLETED: 'completed',
  CANCELLED: 'was cancelled',
  FAILED: 'failed',
};
const TYPES: Record<string, string> = {
  camera: 'Camera',
  printJob: 'PrintJob',
  spool: 'Spool',
  filament: 'Filament',
  printer: 'Printer',
  notificationTarget: 'NotificationTarget',
};
/** The longest part of a printer's message that is sent: a notification of 4,000 bytes needs room for the rest of its text. */
const LONGEST_REASON = 500;

/** @param waiting the sentence that says why a print waits */
export function buildPrintMessage(
  event: PrintEvent['event'],
  subject: PrintOrJob,
  waiting: string | null,
  currency: string | null,
): Message {
  const { jobId, status, printName, outcome, printerId, printerName } = subject;
  const name = (printName ?? subject.jobName) as string;
  const { startedAt, endedAt } = subject;
  return {
    ...buildPrintSentences(event, subject, name, waiting, currency),
    data: {
      print: outcome && {
        id: subject.id,
        nodeId: encodeNodeId('ObservedPrint', [subject.id]),
        name,
        outcome,
        waitsFor: waitsFor(subject),
        startedAt,
        endedAt,
      },
      job: status && {
        id: jobId,
        nodeId: encodeNodeId('PrintJob', [jobId as string]),
        name: subject.jobName,
        status: status.toUpperCase(),
        grams: subject.grams,
        cost: subject.cost,
        currency,
      },
      printer: { id: printerId, nodeId: encodeNodeId('Printer', [printerId]), name: printerName },
    },
  };
}

function buildPrintSentences(
  event: PrintEvent['event'],
  subject: PrintOrJob,
  name: string,
  waiting: string | null,
  currency: string | null,
): Pick<Message, 'title' | 'text'> {
  const subjectText = `${subject.outcome === null ? 'Job' : 'Print'} ${name}`;
  const placeText = `on ${subject.printerName ?? 'a removed printer'}`;
  const amounts = formatGramsAndCost(subject, currency);
  if (event === 'PRINT_BEGAN')
    return {
      title: `${name} started`,
      text: `${subjectText} started ${placeText}${amounts === '' ? '' : `. Its job has ${amounts}`}.`,
    };
  if (event === 'PRINT_WAITS')
    return {
      title: waitsFor(subject) === 'SPOOL' ? `${name} waits for its spool` : `How did ${name} end?`,
      text: waiting ?? `${subjectText} ${placeText} waits.`,
    };
  const ended = END_TEXTS[endStatusOf(subject) as EndStatus];
  const { startedAt, endedAt, reason } = subject;
  const durationText =
    startedAt === null || endedAt === null ? '' : ` after ${formatDuration(msBetween(startedAt, endedAt))}`;
  const reasonText = reason ? ` Message from the printer: ${reason.slice(0, LONGEST_REASON)}` : '';
  return {
    title: `${name} ${ended}`,
    text: `${subjectText} ${placeText} ${ended}${durationText}${amounts === '' ? '' : `: ${amounts}`}.${reasonText}`,
  };
}

/** A cost of 0 is left out: it means that the spool has no price. */
function formatGramsAndCost({ grams, cost }: PrintOrJob, currency: string | null): string {
  const isMore = (amount: string | null): amount is string => amount !== null && !new Decimal(amount).isZero();
  const money = isMore(cost) ? [`${new Decimal(cost).toFixed(2)}${currency === null ? '' : ` ${currency}`}`] : [];
  return [...(isMore(grams) ? [`${new Decimal(grams).toFixed()} g`] : []), ...money].join(', ');
}

function formatDuration(ms: number): string {
  const minutes = Math.round(Math.max(0, ms) / 60_000);
  const [hours, restMinutes] = [Math.floor(minutes / 60), minutes % 60];
  if (hours > 0) return restMinutes > 0 ? `${hours} h ${restMinutes} min` : `${hours} h`;
  return `${Math.max(1, restMinutes)} min`;
}

export const toReportedAlert = (
  alert: { kind: string; severity: AlertSeverity; about: string; id: string; name: string; since: Instant },
  message: string,
): ReportedAlert => {
  const type = TYPES[alert.about] as string;
  const { kind, severity, since, id, name } = alert;
  return { kind, severity, message, since, about: { type, id, nodeId: encodeNodeId(type, [id]), name } };
};

export function buildAlertMessage(event: 'ALERT_RAISED' | 'ALERT_CLEARED', alert: ReportedAlert): Message {
  const kind = alert.kind.replaceAll('_', ' ').toLowerCase();
  const title = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}: ${alert.about.name}`;
  return event === 'ALERT_RAISED'
    ? { title, text: alert.message, data: { alert } }
    : { title: `Resolved: ${title}`, text: `This alert is resolved: ${alert.message}`, data: { alert } };
}

export const buildOmittedMessage = (count: number): Message => ({
  title: 'Notifications were not delivered',
  text: `${count === 1 ? '1 notification' : `${count} notifications`} could not be delivered within ${GIVEN_UP_AFTER_HOURS} hours and ${count === 1 ? 'was' : 'were'} given up. To get one, open this channel under Notifications and send it again.`,
  data: { count },
});

/** The members of data that name what a notification is about. */
interface NamedObjects {
  print?: { id?: string } | null;
  job?: { id?: string } | null;
  printer?: { id?: string } | null;
  alert?: { about?: { type?: string; id?: string } | null };
}

/** The addresses of pages by GraphQL type. */
const PAGES: Record<string, string> = {
  ObservedPrint: 'prints',
  PrintJob: 'jobs',
  Printer: 'printers',
  Camera: 'camera',
  Spool: 'spools',
  Filament: 'filaments',
  NotificationTarget: 'notifications',
};

/** @param publicUrl without a trailing slash; `null` if PUBLIC_URL is not set */
export function findPageUrl(data: object, publicUrl: string | null): string | null {
  const { print, job, printer, alert } = data as NamedObjects;
  if (print?.id) return buildPageUrl(publicUrl, 'ObservedPrint', print.id);
  if (job?.id) return buildPageUrl(publicUrl, 'PrintJob', job.id);
  if (printer?.id) return buildPageUrl(publicUrl, 'Printer', printer.id);
  return buildPageUrl(publicUrl, alert?.about?.type, alert?.about?.id);
}

/** The page of an object; the start page for an unknown type. @param type the GraphQL type of the object */
export function buildPageUrl(publicUrl: string | null, type = '', id = ''): string | null {
  const page = PAGES[type];
  if (publicUrl === null) return null;
  return page === undefined ? `${publicUrl}/` : `${publicUrl}/${page}/${encodeURIComponent(id)}`;
}
