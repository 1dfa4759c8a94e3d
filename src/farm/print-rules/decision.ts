// Holds the types of the decisions that the rules make about prints, and that the print-writing service writes.
import type { Instant } from '../../values/instant';
import type {
  EndedPrint,
  FilamentPlan,
  ObservedFilament,
  PrintOutcome,
  RunningPrint,
  SightingKind,
} from './print.model';

/** How and when a print ended. */
export interface Ending {
  outcome: Exclude<PrintOutcome, 'RUNNING'>;
  /** `null` if the print is UNRESOLVED and the machine does not know the time. */
  at: Instant | null;
  estimated: boolean;
  reason: string | null;
}

export interface EndingWithAmounts extends Ending {
  filament: ObservedFilament[];
}

/** What follows from a reading. The decisions of one reading are written in their order, each in one transaction. */
export type Decision =
  /** Creates a row. A unique index on running prints refuses the row if another process was first. */
  | { do: 'BEGIN'; print: RunningPrint }
  /** An UNRESOLVED print is running again. Its row keeps what it has, so the follower reads the rows again. */
  | { do: 'REOPEN'; id: string; print: RunningPrint }
  /** The running print has an older row already. This is the only decision: the follower reads the rows and evaluates the reading again. */
  | { do: 'MERGE'; id: string; outcome: EndedPrint['outcome']; print: RunningPrint }
  /** Saves the checkpoint of the running print. */
  | { do: 'SAVE'; print: RunningPrint }
  | { do: 'END'; print: RunningPrint; ending: Ending }
  /** Creates the row of an ended print that the gateway did not see while it was running. */
  | { do: 'RECORD'; print: RunningPrint; ending: Ending }
  /** The machine reports later how an UNRESOLVED print ended. */
  | { do: 'RESOLVE'; id: string; print: RunningPrint; ending: Ending }
  /** The ended prints of a file that have no amounts get this plan. */
  | { do: 'AMEND'; filePath: string; plan: FilamentPlan; since: Instant }
  /** Adds a sighting to the print of the previous decision, or to the running print. */
  | { do: 'SIGHTING'; kind: SightingKind; at: Instant; text: string };

/** Whether a decision is about a print that had already ended. Another process or a user may have changed its row meanwhile. */
export const isAboutEndedPrint = (decision: Decision) => ['RESOLVE', 'RECORD', 'AMEND'].includes(decision.do);
