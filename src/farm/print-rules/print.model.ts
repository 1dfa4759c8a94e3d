// A print as data: what a machine reports of it, the row that the rules keep of it, and what they decide, which the service writes.
import type { PrintFacts } from '../../kind-facts';
import type { Instant } from '../../values/instant';

/** Prints that histories report in an hour: as many as a machine is asked for that was away for long. */
export const MAX_RECORDS = 1000;

/** OFFLINE: the machine that reports it has no connection to its printer. */
export type Activity = 'UNKNOWN' | 'IDLE' | 'PREPARING' | 'PRINTING' | 'PAUSED' | 'FINISHED' | 'ERROR' | 'OFFLINE';

/** What progress is a part of. Filament is never computed from TIME. */
export type ProgressBasis = 'FILAMENT' | 'LAYERS' | 'FILE' | 'TIME';

/** Filament of one slot (`tool:0`, `ams:0:2`, `ext:0`), in exact decimals. */
export interface Amount {
  slot: string;
  mm: string | null;
  grams: string | null;
}

/** What the slicer computed for the whole file. */
export interface FilamentPlan {
  seconds: number | null;
  /** The slots that the print uses. Empty: the machine does not say. */
  slots: Amount[];
  /** The slot of each filament of the slicer, in the order of its numbers; null: not used. Left out: the machine does not say. */
  mapping?: (string | null)[];
}

/** Whether it has more than the slots of a print. */
export const hasAmounts = (plan: FilamentPlan | null): boolean =>
  plan?.slots.some(({ mm, grams }) => mm !== null || grams !== null) ?? false;

/** The machine's own clock of a print. */
export interface Counter {
  seconds: number;
  countsPauses: boolean;
}

export interface End {
  /** null: it ended, and the machine does not say how. */
  outcome: 'COMPLETED' | 'CANCELLED' | 'FAILED' | null;
  /** null: it ended before it was heard of. */
  at: Instant | null;
  estimated: boolean;
  /** In the words of the printer. */
  reason: string | null;
}

/** How far a print is, as its machine says. */
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

/** The machine's own measure of a print at one moment. */
export interface OdometerPoint {
  mm: string;
  /** The slot that is chosen; null: it is not known. */
  slot: string | null;
  /** It grows by what other slots feed, or by more; null: the machine has nothing of the kind. */
  mark: number | null;
}

/** What the slots of a print fed since its connection began to hear of it, in millimetres. */
export interface Feeding {
  start: OdometerPoint;
  now: OdometerPoint;
  bySlot: Record<string, string>;
  /** The slot of this is not known: it changed meanwhile. */
  unassigned: string;
}

/** A print as the machine reports it. null: the machine does not say. */
export interface PrintReading extends Figures {
  /** The same number for all readings of one print in one connection. The rules decide only across connections. */
  ordinal: number;
  externalId: string | null;
  name: string | null;
  filePath: string | null;
  startedAt: Instant | null;
  startedAtEstimated: boolean;
  paused: boolean;
  /** The slot that feeds now. */
  slot: string | null;
  /** Millimetres that the machine measured. One amount is the sum of all slots that fed, whatever slot it names. */
  measured: Amount[];
  /** Null where the machine has one slot, or does not say which one is chosen. */
  feeding: Feeding | null;
  plan: FilamentPlan | null;
  /** null: it runs. */
  end: End | null;
}

/** What a machine does now. NO_PRINT: it shows no print. PRINT_UNKNOWN: it may have one, and cannot be asked at the moment. */
export interface StateReading {
  kind: 'STATE';
  at: Instant;
  activity: Activity;
  /** The printer's own words about a fault. */
  message: string | null;
  print: PrintReading | 'NO_PRINT' | 'PRINT_UNKNOWN';
}

/** What a machine has noted of a print that is over. */
interface RecordReading {
  kind: 'RECORD';
  at: Instant;
  print: PrintReading & { end: End };
}

/** What a machine reports late: the plan of the prints of a file that are over. */
export interface PlanReading {
  kind: 'PLAN';
  at: Instant;
  filePath: string;
  plan: FilamentPlan;
  /** Only of prints that were heard of since then, such as since the file is this one. */
  since: Instant;
  /** It says nothing of a print that runs. */
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

/** A moment of a print, as far as its machine reported it; null: it did not. */
export interface Moment {
  at: Instant;
  layer: number | null;
  /** The share of the file. */
  file: string | null;
}

/** A slot that fed from one moment to another. */
export interface Segment {
  /** Null: the machine did not report it, or no gateway listened. */
  slot: string | null;
  from: Moment;
  to: Moment;
  /** What it fed, by the machine's own measure; null: it has none. Below 0 where the measure was set back. */
  mm: string | null;
  /**
   * The print was paused at its start, and no gateway listened until its end. When the print continued is not known: a spool that came
   * into the slot meanwhile was put in during the pause, so all that this stretch fed came behind it.
   */
  isUnheardPause?: true;
}

/** How a print was fed. A pause ends a stretch. */
export interface Course {
  /** In the order in which they began. */
  stretches: Segment[];
  /** Where the measure was heard last; null: the machine does not measure by slot. */
  measure: OdometerPoint | null;
}

/** The row of a running print. Its checkpoint is all that a restart of the gateway resumes from. */
export interface RunningPrint extends Figures {
  externalId: string | null;
  name: string;
  filePath: string | null;
  startedAt: Instant | null;
  startedAtEstimated: boolean;
  plan: FilamentPlan | null;
  paused: boolean;
  /** Whether LOST was the last word about its printer. */
  lost: boolean;
  /** The last contact. With the figures, which are the last ones above 0, it is the checkpoint. */
  seenAt: Instant;
  measured: Amount[];
  /** Null: nothing was heard of it while it ran. */
  course: Course | null;
  /** What is known of its machine by the kind. */
  machine: PrintFacts;
}

/** A running print with what only its process has. */
export interface FollowedPrint extends RunningPrint {
  /** Its number in this connection; null when nothing was heard of it since the connection opened. */
  ordinal: number | null;
  /** What feeds the print, as this connection reported it last. */
  feeding: Feeding | null;
  savedAt: Instant;
}

/** The row as a new connection takes it over. */
export const followFromRow = (row: RunningPrint): FollowedPrint => ({
  ...row,
  ordinal: null,
  feeding: null,
  savedAt: row.seenAt,
});

/** A print of the same device that is over, with its last checkpoint. */
export interface EndedPrint
  extends Pick<
    RunningPrint,
    'externalId' | 'name' | 'filePath' | 'startedAt' | 'seenAt' | 'progress' | 'remainingSec' | 'layer'
  > {
  /** Of its row. */
  id: string;
  /** The last contact where the end is not known. */
  endedAt: Instant;
  outcome: Exclude<PrintOutcome, 'RUNNING'>;
}

export interface ObservedFilament extends Amount {
  basis: FilamentBasis;
  /** Of a slot that was not the only one of its filament, or whose spool was changed; null where they are not known. */
  fromLayer?: number | null;
  toLayer?: number | null;
  /** Where it is not the spool that the slot had at the begin. */
  spoolId?: string;
}

export interface Ending {
  outcome: Exclude<PrintOutcome, 'RUNNING'>;
  /** The time of the end; null when the print is UNRESOLVED and the machine does not know the time. */
  at: Instant | null;
  estimated: boolean;
  reason: string | null;
}

export interface EndingWithAmounts extends Ending {
  filament: ObservedFilament[];
}

/** What becomes of a reading, in this order. Each is one statement or transaction of the service. */
export type Decision =
  /** A new row. The index on RUNNING refuses it when another process was first. */
  | { do: 'BEGIN'; print: RunningPrint }
  /** An UNRESOLVED print runs on. What its row has of it stays, so the rows are to be read again. */
  | { do: 'REOPEN'; id: string; print: RunningPrint }
  /** The running print is one that has a row already. It is the only decision: the rows and the reading are to be read again. */
  | { do: 'MERGE'; id: string; outcome: EndedPrint['outcome']; print: RunningPrint }
  /** The row of the running print gets these values. */
  | { do: 'SAVE'; print: RunningPrint }
  | { do: 'END'; print: RunningPrint; ending: Ending }
  /** A whole print of which nothing was heard: a new row that is over. */
  | { do: 'RECORD'; print: RunningPrint; ending: Ending }
  /** The machine reports after all what became of an UNRESOLVED print. */
  | { do: 'RESOLVE'; id: string; print: RunningPrint; ending: Ending }
  /** The prints of a file that are over, and have no amounts yet, get these. */
  | { do: 'AMEND'; filePath: string; plan: FilamentPlan; since: Instant }
  /** Belongs to the print of the decision before it, or to the running one. */
  | { do: 'SIGHTING'; kind: SightingKind; at: Instant; text: string };

/** Whether a decision is about a print that was over before: others may know of it already. */
export const isAboutEndedPrint = (decision: Decision) => ['RESOLVE', 'RECORD', 'AMEND'].includes(decision.do);
