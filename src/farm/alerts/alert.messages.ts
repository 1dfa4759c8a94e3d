// Decides what the message of each alert says: what happened, and what to do.
import { DEVICE_KINDS, type DeviceKind } from '../../kind-facts';
import { CONNECTION_FAULTS, describeMachineFault, describeRecordingFault } from '../../wire/fault-sentences';
import type { ConnectionFault } from '../../wire/faults';
import { STUCK_DAYS } from './alert.limits';
import type { Finding } from './alert.store';
import type { AlertKind } from './alert.types';

/** The parts of a finding that its message needs. */
export type AlertFacts = Omit<Finding, 'since' | 'silence' | 'severity'>;

const describeCamera = ({ name, id }: AlertFacts) => `Camera ${name} (${id})`;

const CHECK_POWER = 'Check its power and its network.';

/** The detail of FILM_ENDS_EARLY: the print, what ends first, and by how many seconds. */
type EarlyEnd = [print: string, what: keyof typeof ENDS, seconds: number];
const ENDS = {
  battery: { end: 'out of battery', remedy: 'Charge the camera or change its battery.' },
  video: { end: 'out of card space', remedy: 'Free space on its card or change the card.' },
};

/** The detail of alerts about a machine: its fault, if one is known, and its kind. */
type MachineFault = [fault: string | null, kind: DeviceKind];

/** A newer version of the gateway may have stored a fault that this version does not know. */
function explainFault({ detail }: AlertFacts, sentence: typeof describeMachineFault): string {
  const [fault, kind]: MachineFault = JSON.parse(detail ?? '[null]');
  const isKnown = CONNECTION_FAULTS.some((knownFault) => knownFault === fault) && Object.hasOwn(DEVICE_KINDS, kind);
  return isKnown ? sentence(fault as ConnectionFault, kind) : 'Test its connection on its page.';
}

/** The printer's own text, which may end in a full stop. */
const quoteReport = (text: string | null) => (text === null ? '' : `: ${text.replace(/[.!\s]+$/, '')}`);

export const MESSAGES: Record<AlertKind, (finding: AlertFacts) => string> = {
  CAMERA_LOST: (finding) =>
    finding.detail === null
      ? `${describeCamera(finding)} is offline. ${CHECK_POWER}`
      : `${describeCamera(finding)} has sent no status for more than ${finding.detail} seconds. ${CHECK_POWER}`,
  BATTERY_LOW: (finding) => `${describeCamera(finding)} has ${finding.detail} % battery left. ${ENDS.battery.remedy}`,
  STORAGE_LOW: (finding) =>
    `${describeCamera(finding)} has room for ${finding.detail} s of video. ${ENDS.video.remedy}`,
  SPOOL_SHORT: ({ name, detail }) =>
    `Spool ${name} is ${detail} g short for its queued and printing jobs. Have another spool ready, or move a job to it.`,
  STOCK_LOW: ({ name, detail }) => {
    const [free, minimum]: [free: string, minimum: string] = JSON.parse(detail ?? '[]');
    return `Product ${name} is low: ${free} g free, minimum ${minimum} g. Buy more of it.`;
  },
  JOB_STUCK: ({ name, detail }) =>
    `Job ${name} has been printing on ${detail} for more than ${STUCK_DAYS} days without an update. If the print is over, set the status of the job.`,
  PRINT_WAITS: ({ name, detail, prints }) =>
    prints === 1
      ? `Print ${detail} on ${name} waits for its spool.`
      : `${prints} prints on ${name} wait for their spools. The newest is ${detail}.`,
  PRINT_UNRESOLVED: ({ name, detail, prints }) =>
    prints === 1
      ? `How did print ${detail} on ${name} end? The gateway did not see its end. Enter its outcome.`
      : `How did ${prints} prints on ${name} end? The newest is ${detail}. The gateway did not see their ends. Enter their outcomes.`,
  DEVICE_REFUSED: (finding) =>
    `The gateway cannot connect to ${finding.about} ${finding.name}. ${explainFault(finding, describeMachineFault)}`,
  PRINTER_LOST: ({ name, detail }) => `No contact with printer ${name} while it prints ${detail}. ${CHECK_POWER}`,
  PRINTER_FAULT: ({ name, detail }) =>
    `Printer ${name} reports a fault${quoteReport(detail)}. Correct the fault at the printer.`,
  PRINTER_PAUSED: ({ name, detail }) =>
    `Printer ${name} paused its print${quoteReport(detail)}. Check the printer, then resume the print there.`,
  PRINTS_LEFT_OUT: (finding) =>
    `Not every print of printer ${finding.name} is recorded. ${explainFault(finding, describeRecordingFault)}`,
  FILAMENT_UNKNOWN: ({ name, detail, prints }) =>
    prints === 1
      ? `Filament use of print ${detail} on ${name} is unknown, so its job has 0 g. Enter the grams of the job.`
      : `Filament use of ${prints} prints on ${name} is unknown, so their jobs have 0 g. The newest is ${detail}. Enter the grams of these jobs.`,
  NOT_FILMED: (finding) =>
    `${describeCamera(finding)} is not recording the print ${finding.detail}. Start its recording.`,
  FILM_STOPPED: (finding) =>
    `${describeCamera(finding)} stopped recording the print ${finding.detail}, which is still printing. Start its recording again.`,
  FILM_ENDS_EARLY: (finding) => {
    const [print, what, seconds]: EarlyEnd = JSON.parse(finding.detail ?? '[]');
    const minutes = Math.round(seconds / 60);
    const { end, remedy } = ENDS[what];
    return `${describeCamera(finding)} will run ${end} about ${minutes} minutes before the print ${print} ends. ${remedy}`;
  },
  NOTIFICATION_FAILS: ({ name }) =>
    `Notifications to ${name} were given up, because none could be delivered. Open the channel under Notifications to see why.`,
};
