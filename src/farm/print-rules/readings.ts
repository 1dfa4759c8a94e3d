// The words in which machines are heard: the adapter of each kind says them, and the rules understand nothing else.

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

/** Counters report whole seconds, a second late, and some step back by parts of one: a counter that steps back by less goes on. */
export const COUNTER_SLACK_SEC = 2;

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
export interface FedPoint {
  mm: string;
  /** The slot that is chosen; null: it is not known. */
  slot: string | null;
  /** It grows by what other slots feed, or by more; null: the machine has nothing of the kind. */
  mark: number | null;
}

/** What the slots of a print fed since its connection began to hear of it, in millimetres. */
export interface Feeding {
  from: FedPoint;
  now: FedPoint;
  by: Record<string, string>;
  /** The slot of this is not known: it changed meanwhile. */
  open: string;
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

/** A print of which nothing is reported but its number. */
export const emptyReading = (ordinal: number): PrintReading => ({
  ordinal,
  externalId: null,
  name: null,
  filePath: null,
  startedAt: null,
  startedAtEstimated: false,
  paused: false,
  ...NO_FIGURES,
  slot: null,
  measured: [],
  feeding: null,
  plan: null,
  end: null,
});
