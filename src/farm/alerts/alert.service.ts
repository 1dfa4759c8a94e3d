// The rules of alerts: how urgent each is, and its sentence.
import { before } from '../../values/instant';
import { clamp } from '../../values/page';
import { MAX_ALERTS, STUCK_DAYS, STUCK_MS, UNKNOWN_MS } from './alert.limits';
import type { AlertStore, Finding } from './alert.store';
import { type Alert, type AlertKind, SEVERITY_OF } from './alert.types';

const camera = ({ name, id }: Omit<Finding, 'since'>) => `Camera ${name} (${id})`;

const ENDS = { battery: 'battery is empty', video: 'card is full' };
/** The detail of FILM_ENDS_EARLY: the job, what ends first, and by how many seconds. */
type EarlyEnd = [job: string, what: keyof typeof ENDS, seconds: number];

const MESSAGES: Record<AlertKind, (finding: Omit<Finding, 'since'>) => string> = {
  CAMERA_LOST: (finding) =>
    finding.detail === null
      ? `${camera(finding)} says that it is offline.`
      : `${camera(finding)} has sent no record for more than ${finding.detail} seconds.`,
  BATTERY_LOW: (finding) => `${camera(finding)} has ${finding.detail} % of its battery left.`,
  STORAGE_LOW: (finding) => `${camera(finding)} has room for ${finding.detail} seconds of video.`,
  SPOOL_SHORT: ({ name, detail }) => `Spool ${name} lacks ${detail} grams for the jobs that are queued and printing.`,
  JOB_STUCK: ({ name, detail }) =>
    `Job ${name} has been printing on ${detail} for more than ${STUCK_DAYS} days without an update.`,
  PRINT_WAITS: ({ name, detail }) => `Print ${name} of ${detail} waits for its spool.`,
  PRINT_UNRESOLVED: ({ name, detail }) => `What became of print ${name} of ${detail} is not known. Please say it.`,
  DEVICE_REFUSED: ({ about, name, detail }) =>
    `${about === 'camera' ? 'Camera' : 'Printer'} ${name} does not let the gateway in (${detail}).`,
  PRINTER_LOST: ({ name, detail }) => `Printer ${name} is not heard of while it prints ${detail}.`,
  PRINTS_LEFT_OUT: ({ name, detail }) =>
    detail === 'TOO_MUCH_DATA'
      ? `Printer ${name} tells of more prints than a machine makes: not all of them are recorded (${detail}).`
      : `Something that printer ${name} told cannot be recorded (${detail}). The log of the gateway says why.`,
  FILAMENT_UNKNOWN: ({ name, detail }) =>
    `How much filament print ${name} of ${detail} used is not known: its job has 0 grams.`,
  NOT_FILMED: (finding) => `${camera(finding)} does not record job ${finding.detail}, which prints.`,
  FILM_STOPPED: (finding) => `${camera(finding)} has stopped recording job ${finding.detail}, which still prints.`,
  FILM_ENDS_EARLY: (finding) => {
    const [job, what, seconds]: EarlyEnd = JSON.parse(finding.detail ?? '[]');
    const minutes = Math.round(seconds / 60);
    return `${camera(finding)} stops recording about ${minutes} minutes before job ${job} ends: its ${ENDS[what]} then.`;
  },
  NOTIFICATION_FAILS: ({ name }) => `Nothing was delivered to the notification target ${name} for 72 hours.`,
};

export class AlertService {
  /** @param whyWaits says why a print still waits for its spool; null when there is nothing to say */
  constructor(
    private readonly store: AlertStore,
    private readonly whyWaits: (printId: string) => Promise<string | null>,
  ) {}

  /** The most urgent first. */
  async first(count: number, now: string): Promise<Alert[]> {
    const findings = await this.findings(clamp(count, 1, MAX_ALERTS), now);
    return Promise.all(
      findings.map(async (finding) => ({
        ...finding,
        severity: SEVERITY_OF[finding.kind],
        message: await this.messageOf(finding),
      })),
    );
  }

  /** What all alerts are made of. */
  all(now: string): Promise<Finding[]> {
    return this.findings(null, now);
  }

  private findings(count: number | null, now: string): Promise<Finding[]> {
    return this.store.first(count, now, {
      stuckBefore: before(now, STUCK_MS),
      unknownSince: before(now, UNKNOWN_MS),
    });
  }

  async messageOf(finding: Omit<Finding, 'since'>): Promise<string> {
    const message = MESSAGES[finding.kind](finding);
    const reason = finding.kind === 'PRINT_WAITS' ? await this.whyWaits(finding.id) : null;
    return reason === null ? message : `${message} ${reason}`;
  }
}
