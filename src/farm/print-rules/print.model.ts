// Holds the data types of a print: what a machine reports of it, and the row that the gateway keeps of it.
import type { PrintFacts } from '../../kind-facts';
import type { Instant } from '../../values/instant';

/** The most prints from a machine's history in an hour. The gateway asks a machine for as many after a long outage. */
export const MAX_RECORDS = 1000;

/** `OFFLINE` means that the machine that reports the state has no connection to its printer. */
export type Activity = 'UNKNOWN' | 'IDLE' | 'PREPARING' | 'PRINTING' | 'PAUSED' | 'FINISHED' | 'ERROR' | 'OFFLINE';

/** What progress is a share of. Filament is never calculated from `TIME`, because a printer also waits and heats. */
export type ProgressBasis = 'FILAMENT' | 'LAYERS' | 'FILE' | 'TIME';

/** The filament of one slot (`tool:0`, `ams:0:2`, `ext:0`), in exact decimals. */
export interface Amount {
  slot: string;
  mm: string | null;
  grams: string | null;
}

/** The slicer's figures for the whole file. */
export interface FilamentPlan {
  seconds: number | null;
  /** The slots that the print uses. Empty if the machine does not report them. */
  slots: Amount[];
  /**
   * The slot of each filament of the slicer, in the order of the slicer's numbers. `null` for an unused filament. Left out if the
   * machine does not report the mapping.
   */
  mapping?: (string | null)[];
}

/** Whether the plan has amounts, and not only the slots of the print. */
export const hasAmounts = (plan: FilamentPlan | null): boolean =>
  plan?.slots.some(({ mm, grams }) => mm !== null || grams !== null) ?? false;

/** The machine's own clock of a print. */
export interface Counter {
  seconds: number;
  countsPauses: boolean;
}

/** The end of a print as the machine reports it. */
export interface End {
  /** `null` if the machine does not report how the print ended. */
  outcome: 'COMPLETED' | 'CANCELLED' | 'FAILED' | null;
  /** `null` if the print ended before the gateway received its first message. */
  at: Instant | null;
  estimated: boolean;
  /** The printer's own text. */
  reason: string | null;
}

/** How far a print is, as its machine reports it. */
export interface Figures {
  counter: Counter | null;
  /** A decimal from 0 to 1. */
  progress: string | null;
  progressBasis: ProgressBasis | null;
  remainingSec: number | null;
  layer: number | null;
  layers: number | null;
}

export const NO_FIGURES: Figures = {
  counter: null,
  progress: null,
  progressBasis: null,
  remainingSec: null,
  layer: null,
  layers: null,
};

/** What the machine's odometer of filament showed at one moment. Klipper has one for all tools, `filament_used`. Stored as JSON. */
export interface OdometerPoint {
  mm: string;
  /** The chosen slot. `null` if it is unknown. */
  slot: string | null;
  /** A number that grows at least by what other slots feed. `null` if the machine has no such number. */
  mark: number | null;
}

/** The millimetres that each slot fed since this connection first reported the print. */
export interface Feeding {
  start: OdometerPoint;
  now: OdometerPoint;
  bySlot: Record<string, string>;
  /** Millimetres of an unknown slot: the slot changed between two messages. */
  unassigned: string;
}

/** A print as the machine reports it. `null` wherever the machine reports nothing. */
export interface PrintReading extends Figures {
  /** All readings of one print in one connection have the same number. The rules decide only across connections. */
  ordinal: number;
  externalId: string | null;
  name: string | null;
  filePath: string | null;
  startedAt: Instant | null;
  startedAtEstimated: boolean;
  paused: boolean;
  /** The slot that feeds now. */
  slot: string | null;
  /** Measured millimetres. A single amount is the sum of all slots that fed, whatever slot it names. */
  measured: Amount[];
  /** `null` if the machine has one slot, or does not report which slot is chosen. */
  feeding: Feeding | null;
  plan: FilamentPlan | null;
  /** `null` while the print is running. */
  end: End | null;
}

/**
 * What a machine does now. `NO_PRINT` means that the machine shows no print. `PRINT_UNKNOWN` means that the machine may have a print, but the
 * gateway cannot ask for it at the moment.
 */
export interface StateReading {
  kind: 'STATE';
  at: Instant;
  activity: Activity;
  /** The printer's own text about a fault. */
  message: string | null;
  /** Whether the print is paused and the machine reports that a user paused it. false if the machine does not report who did. */
  isPausedByUser: boolean;
  print: PrintReading | 'NO_PRINT' | 'PRINT_UNKNOWN';
}

/** An ended print from the machine's history. */
interface RecordReading {
  kind: 'RECORD';
  at: Instant;
  print: PrintReading & { end: End };
}

/** A plan that the machine reports late, for ended prints of its file. */
export interface PlanReading {
  kind: 'PLAN';
  at: Instant;
  filePath: string;
  plan: FilamentPlan;
  /** The plan is for prints that were last seen at or after this time, because the file had other content before. */
  since: Instant;
  /** The reading says nothing about a running print. */
  print: 'PRINT_UNKNOWN';
}

export type Reading = StateReading | RecordReading | PlanReading;

export type PrintOutcome = 'RUNNING' | 'COMPLETED' | 'CANCELLED' | 'FAILED' | 'UNRESOLVED';
type FilamentBasis = 'MEASURED' | 'PLANNED' | 'ESTIMATED' | 'UNKNOWN' | 'MANUAL';
export type SightingKind =
  | 'STARTED'
  | 'PAUSED'
  | 'RESUMED'
  | 'SLOT_CHANGED'
  | 'LOST'
  | 'BACK'
  | 'ENDED'
  | 'RESOLVED'
  | 'AMENDED'
  | 'CORRECTED';

/** A moment of a print. `null` wherever the machine reported nothing. Stored as JSON. */
export interface Moment {
  at: Instant;
  layer: number | null;
  /** The share of the file that was printed. */
  file: string | null;
}

/** A stretch of a print in which one slot fed. Stored as JSON. */
export interface Segment {
  /** `null` if the machine did not report the slot, or if no gateway was connected. */
  slot: string | null;
  from: Moment;
  to: Moment;
  /** The length that the machine measured. `null` if it does not measure. Below 0 if the machine set its odometer back. */
  mm: string | null;
  /**
   * The print was paused at the start of this segment, and no gateway was connected until its end. Nobody knows when the print
   * continued. A spool that came into the slot meanwhile was loaded during the pause, so it fed the whole length of the segment.
   */
  isUnheardPause?: true;
}

/** Which slots fed a print, one after the other. A pause ends a segment. Stored as JSON: the members keep the names of the first release. */
export interface Course {
  /** The segments, in the order of their starts. */
  stretches: Segment[];
  /** The last known point of the odometer. `null` if the machine does not measure by slot. */
  measure: OdometerPoint | null;
}

/** The segments of a print, in the order of their starts. */
export const segmentsOf = ({ course }: { course: Course | null }): readonly Segment[] => course?.stretches ?? [];

/** The row of a running print. A restarted gateway continues from this checkpoint alone. */
export interface RunningPrint extends Figures {
  externalId: string | null;
  name: string;
  filePath: string | null;
  startedAt: Instant | null;
  startedAtEstimated: boolean;
  plan: FilamentPlan | null;
  paused: boolean;
  /** Whether the newest sighting of the printer is `LOST`. */
  lost: boolean;
  /** The last contact. */
  seenAt: Instant;
  measured: Amount[];
  /** `null` if the gateway received nothing while the print was running. */
  course: Course | null;
  /** The facts of the kind of machine. */
  machine: PrintFacts;
}

/** A running print with the members that only its process has. */
export interface FollowedPrint extends RunningPrint {
  /** The number of the print in this connection. `null` before the first reading of the connection. */
  ordinal: number | null;
  /** What each slot fed, as this connection reported it last. */
  feeding: Feeding | null;
  savedAt: Instant;
}

/** Follows the print of a row in a new connection. */
export const followFromRow = (row: RunningPrint): FollowedPrint => ({
  ...row,
  ordinal: null,
  feeding: null,
  savedAt: row.seenAt,
});

/** An ended print of the same device, with its last checkpoint. */
export interface EndedPrint
  extends Pick<
    RunningPrint,
    'externalId' | 'name' | 'filePath' | 'startedAt' | 'seenAt' | 'progress' | 'remainingSec' | 'layer'
  > {
  /** The id of its row. */
  id: string;
  /** The last contact if the time of the end is unknown. */
  endedAt: Instant;
  outcome: Exclude<PrintOutcome, 'RUNNING'>;
}

/** What one slot of a print used. Stored as JSON. */
export interface ObservedFilament extends Amount {
  basis: FilamentBasis;
  /** Only for a slot that shared its filament with another slot, or whose spool was changed. `null` if the layers are unknown. */
  fromLayer?: number | null;
  toLayer?: number | null;
  /** Only if this is not the spool that the slot had at the start. */
  spoolId?: string;
}
