// The rules of alerts: its sentence, and who may put it aside until when.
import { BadInput, NotFound } from '../../errors';
import { before, parseInstant } from '../../values/instant';
import { clamp } from '../../values/page';
import { FAILED_AFTER_HOURS, MAX_ALERTS, STUCK_DAYS, STUCK_MS, UNKNOWN_MS } from './alert.limits';
import type { AlertStore, Chosen, Finding } from './alert.store';
import type { Alert, AlertKind } from './alert.types';
import type { SilenceStore } from './silence.store';

/** What a sentence is made of. */
export type AlertFacts = Omit<Finding, 'since' | 'silence' | 'severity'>;

const camera = ({ name, id }: AlertFacts) => `Camera ${name} (${id})`;

const ENDS = { battery: 'battery is empty', video: 'card is full' };
/** The detail of FILM_ENDS_EARLY: the job, what ends first, and by how many seconds. */
type EarlyEnd = [job: string, what: keyof typeof ENDS, seconds: number];

const MESSAGES: Record<AlertKind, (finding: AlertFacts) => string> = {
  CAMERA_LOST: (finding) =>
    finding.detail === null
      ? `${camera(finding)} says that it is offline.`
      : `${camera(finding)} has sent no record for more than ${finding.detail} seconds.`,
  BATTERY_LOW: (finding) => `${camera(finding)} has ${finding.detail} % of its battery left.`,
  STORAGE_LOW: (finding) => `${camera(finding)} has room for ${finding.detail} seconds of video.`,
  SPOOL_SHORT: ({ name, detail }) => `Spool ${name} lacks ${detail} grams for the jobs that are queued and printing.`,
  STOCK_LOW: ({ name, detail }) => {
    const [free, minimum]: [free: string, minimum: string] = JSON.parse(detail ?? '[]');
    return `Filament ${name} is low: ${free} of at least ${minimum} grams are free.`;
  },
  JOB_STUCK: ({ name, detail }) =>
    `Job ${name} has been printing on ${detail} for more than ${STUCK_DAYS} days without an update.`,
  PRINT_WAITS: ({ name, detail, prints }) =>
    prints === 1
      ? `Print ${detail} of ${name} waits for its spool.`
      : `${name}: ${prints} prints wait for their spools. The newest is ${detail}.`,
  PRINT_UNRESOLVED: ({ name, detail }) => `What became of print ${name} of ${detail} is not known. Please say it.`,
  DEVICE_REFUSED: ({ about, name, detail }) =>
    `${about === 'camera' ? 'Camera' : 'Printer'} ${name} does not let the gateway in (${detail}).`,
  PRINTER_LOST: ({ name, detail }) => `Printer ${name} is not heard of while it prints ${detail}.`,
  PRINTS_LEFT_OUT: ({ name, detail }) =>
    detail === 'TOO_MUCH_DATA'
      ? `Printer ${name} reports more prints than a machine makes: not all of them are recorded (${detail}).`
      : `Something that printer ${name} reported cannot be recorded (${detail}). The log of the gateway says why.`,
  FILAMENT_UNKNOWN: ({ name, detail, prints }) =>
    prints === 1
      ? `How much filament print ${detail} of ${name} used is not known: its job has 0 grams.`
      : `${name}: how much filament ${prints} prints used is not known: their jobs have 0 grams. The newest is ${detail}.`,
  NOT_FILMED: (finding) => `${camera(finding)} does not record job ${finding.detail}, which prints.`,
  FILM_STOPPED: (finding) => `${camera(finding)} has stopped recording job ${finding.detail}, which still prints.`,
  FILM_ENDS_EARLY: (finding) => {
    const [job, what, seconds]: EarlyEnd = JSON.parse(finding.detail ?? '[]');
    const minutes = Math.round(seconds / 60);
    return `${camera(finding)} stops recording about ${minutes} minutes before job ${job} ends: its ${ENDS[what]} then.`;
  },
  NOTIFICATION_FAILS: ({ name }) =>
    `Nothing was delivered to the notification target ${name} for ${FAILED_AFTER_HOURS} hours.`,
};

export class AlertService {
  /** @param whyWaits says why a print still waits for its spool; null when there is nothing to say */
  constructor(
    private readonly store: AlertStore,
    private readonly silences: SilenceStore,
    private readonly whyWaits: (printId: string) => Promise<string | null>,
  ) {}

  /** The most urgent first. */
  async first(count: number, silenced: boolean | null, now: string): Promise<Alert[]> {
    const findings = await this.findings({ count: clamp(count, 1, MAX_ALERTS), silenced }, now);
    return Promise.all(findings.map((finding) => this.alertOf(finding)));
  }

  /** The findings of all alerts, silenced alerts too. */
  all(now: string): Promise<Finding[]> {
    return this.findings({ count: null, silenced: null }, now);
  }

  /** @param until null: for as long as it stands */
  async silence(
    kind: AlertKind,
    id: string,
    until: string | null,
    { now, by }: { now: string; by: string | null },
  ): Promise<Alert> {
    const end = until === null ? null : parseInstant(until, 'until');
    if (end !== null && end <= now) throw new BadInput('must be later than now', 'until');
    const finding = await this.standing(kind, id, now);
    if (finding === undefined) throw new BadInput(`must be the id of an object with an alert ${kind} now`, 'id');
    const silence = { by, at: now, until: end };
    await this.silences.write(finding, silence);
    return this.alertOf({ ...finding, silence });
  }

  /** @returns the alert; null where it does not stand */
  async endSilence(kind: AlertKind, id: string, now: string): Promise<Alert | null> {
    const finding = await this.standing(kind, id, now);
    const ended = await this.silences.end(kind, idsOf(id), finding?.severity ?? null, now);
    if (ended === null) throw new NotFound('silence of an alert', [kind, id]);
    return finding === undefined ? null : this.alertOf({ ...finding, silence: null });
  }

  private async standing(kind: AlertKind, id: string, now: string): Promise<Finding | undefined> {
    const ids = idsOf(id);
    return (await this.all(now)).find((one) => one.kind === kind && ids.includes(one.id));
  }

  private async alertOf(finding: Finding): Promise<Alert> {
    return { ...finding, message: await this.messageOf(finding) };
  }

  private findings(chosen: Chosen, now: string): Promise<Finding[]> {
    return this.store.first(chosen, now, {
      stuckBefore: before(now, STUCK_MS),
      unknownSince: before(now, UNKNOWN_MS),
    });
  }

  async messageOf(finding: AlertFacts): Promise<string> {
    const message = MESSAGES[finding.kind](finding);
    const { kind, printId } = finding;
    const reason = kind === 'PRINT_WAITS' && printId !== null ? await this.whyWaits(printId) : null;
    return reason === null ? message : `${message} ${reason}`;
  }
}

/** GUIDs are read in any case. The ids of cameras are any text. */
const idsOf = (id: string) => [...new Set([id, id.toLowerCase()])];
