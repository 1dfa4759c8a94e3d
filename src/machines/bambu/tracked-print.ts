// Decides what the figures of a Bambu printer say about its print, and which of them still belong to the print before.
import type { FilamentPlan, PrintReading } from '../../farm/print-rules/print.model';
import type { Instant } from '../../values/instant';
import { createEmptyReading, getNextOrdinal, type TrackedPrint } from '../machine-adapter';
import type { SlotUse } from './slots';
import { isCancel, type Status } from './status';

export interface Tracked extends TrackedPrint {
  /** Since when the state is FAILED without the code of a cancel; `null` while it is not. */
  failedAt: Instant | null;
  /** Whether the print was running before this connection. */
  ranBefore: boolean;
  /** Whether the print went beyond its preparation. */
  hasRun: boolean;
  /** The figures of the print before, which the printer shows until it has new figures. */
  stale: { layer: number | null; error: number; reason: number };
  /** The code of why the print stopped; 0 if there is none. */
  code: number;
}

/** The names by which a plan and a job are found. */
export type PrintNames = Pick<Status, 'name' | 'path'>;

export const readNames = ({ name, path }: Status): PrintNames => ({ name, path });
export const getNames = ({ last }: Tracked): PrintNames => ({ name: last.name, path: last.filePath });

/** Whether the printer shows the same names as before. Some models clear the file when a print ends. */
export const isNamedAs = (before: PrintNames, now: PrintNames): boolean =>
  before.name === now.name && (before.path === null || now.path === null || before.path === now.path);

/** @param before the previous print, if this connection saw it */
export function startTracking(
  before: Tracked | null,
  status: Status,
  filePath: string | null,
  startedAt: Instant | null,
  ranBefore: boolean,
): Tracked {
  const { layer, error, reason } = status;
  return {
    isOver: false,
    failedAt: null,
    ranBefore,
    hasRun: ranBefore,
    stale: ranBefore ? { layer: null, error: 0, reason: 0 } : { layer: before?.last.layer ?? layer, error, reason },
    code: 0,
    last: {
      ...createEmptyReading(getNextOrdinal(before)),
      externalId: status.externalId,
      name: status.name,
      filePath,
      startedAt,
      startedAtEstimated: ranBefore,
    },
  };
}

/** @param requested the slots that the slicer requested */
export function updateTracked(print: Tracked, status: Status, requested: SlotUse | null): Tracked {
  const { last } = print;
  const stale = {
    // The layer may fall to 0 before the first layer of this print.
    layer: isPositive(status.layer) && status.layer !== print.stale.layer ? null : print.stale.layer,
    error: status.error === print.stale.error ? status.error : 0,
    reason: status.reason === print.stale.reason ? status.reason : 0,
  };
  const error = status.error === stale.error ? 0 : status.error;
  const reason = status.reason === stale.reason ? 0 : status.reason;
  const reported = buildPrintReading(status);
  const layer = isPositive(reported.layer) && reported.layer !== stale.layer ? reported.layer : last.layer;
  const progress = isPositive(reported.progress) ? reported.progress : (last.progress ?? reported.progress);
  const slots = requested ?? status.slots;
  const plan = slots === null ? last.plan : toPlan(slots);
  // Before the first layer, the filament of the print before may still be loaded. A slot that the slicer did not request counts only while
  // the printer prints: then it replaces a slot that ran out.
  const isRequested = plan === null || plan.slots.some(({ slot }) => slot === status.activeSlot);
  const countsActiveSlot = isPositive(layer) && (isRequested || status.state === 'RUNNING');
  return {
    ...print,
    stale,
    hasRun: print.hasRun || (status.state !== 'PREPARE' && status.state !== 'FINISH'),
    // The code may arrive before FAILED, and disappear together with FAILED.
    code: [print.code, reason].find(isCancel) ?? (error || reason),
    last: {
      ...last,
      externalId: last.externalId ?? reported.externalId,
      name: last.name ?? reported.name,
      paused: reported.paused,
      progress,
      progressBasis: progress === null ? null : 'TIME',
      remainingSec: reported.remainingSec,
      // 0 while the printer prepares, so that a print with layers is not taken for this one.
      layer: layer ?? (status.state === 'PREPARE' ? 0 : null),
      layers: reported.layers ?? last.layers,
      slot: countsActiveSlot ? (status.activeSlot ?? last.slot) : last.slot,
      plan,
    },
  };
}

/** A plan with slots only, because the printer reports no amounts. */
const toPlan = ({ slots, mapping }: SlotUse): FilamentPlan => ({
  seconds: null,
  slots: slots.map((slot) => ({ slot, mm: null, grams: null })),
  ...(mapping && { mapping }),
});

/** Reads the print that a status shows. */
export function buildPrintReading(status: Status): PrintReading {
  const { state, progress } = status;
  // Before that, layer and time belong to the print before.
  const counts = state !== 'PREPARE' && isPositive(progress);
  return {
    ...createEmptyReading(1),
    externalId: status.externalId,
    name: status.name,
    filePath: status.path,
    paused: state === 'PAUSE',
    progress: state === 'PREPARE' ? null : progress,
    // The progress counts time, including the time of the preparation.
    progressBasis: 'TIME',
    remainingSec: counts ? status.remainingSec : null,
    layer: counts || status.layer === 1 ? status.layer : null,
    layers: isPositive(status.layers) ? status.layers : null,
  };
}

const isPositive = (value: string | number | null) => Number(value) > 0;
