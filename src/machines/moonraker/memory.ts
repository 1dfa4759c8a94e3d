// The memory of one connection to Moonraker, as plain JSON.
import type { FilamentPlan } from '../../farm/print-rules/readings';
import type { Instant } from '../../values/instant';
import type { TrackedPrint } from '../tracking';
import type { HeardFeeding } from './feeding';
import type { Job } from './history';
import type { Status } from './status';

/** The print that print_stats shows, or showed last. */
export interface Tracked extends TrackedPrint {
  ordinal: number;
  filename: string;
  externalId: string | null;
  /** The id of the print before it, whose row may still be the newest. */
  idBefore: string | null;
  /** The row of the history when it was finished. */
  record: Job | null;
  startedAt: Instant | null;
  startedAtEstimated: boolean;
  firstAt: Instant;
  totalSec: number;
  fed: HeardFeeding;
  /** Of each tool the gate, as it was when nothing was fed so far; null: there is no unit. */
  gates: readonly number[] | null;
  /** Whether it has had a reading. The first one waits for its plan and its id. */
  isReported: boolean;
  /** Klipper went away while it printed. */
  wasCutOff: boolean;
}

export interface Memory {
  openedAt: Instant;
  /** null: Klipper is away, or has not been heard of yet. */
  status: Status | null;
  awaySince: Instant | null;
  /** Whether the history was asked for. */
  isAsked: boolean;
  /** Whether the records of earlier prints were reported. */
  isOpen: boolean;
  /** null: the history has not answered yet. */
  hasHistory: boolean | null;
  /** From the answer of the history until the connection is open. */
  records: Job[];
  /** The newest row of the history. */
  job: Job | null;
  clockOffMs: number | null;
  lastContactAt: Instant | null;
  /** Whether the history was asked for again, from the last contact on by the machine's clock. */
  isAskedByItsClock: boolean;
  metadata: { filename: string; plan: FilamentPlan | null } | null;
  print: Tracked | null;
  /** A print that another one replaced before its end was seen. */
  previous: Tracked | null;
  /** Whether another state than a running one was heard last. */
  isIdle: boolean;
}

export const emptyMemory = (openedAt: Instant, lastContactAt: Instant | null): Memory => ({
  openedAt,
  lastContactAt,
  status: null,
  awaySince: null,
  isAsked: false,
  isOpen: false,
  hasHistory: null,
  records: [],
  job: null,
  clockOffMs: null,
  isAskedByItsClock: false,
  metadata: null,
  print: null,
  previous: null,
  isIdle: false,
});
