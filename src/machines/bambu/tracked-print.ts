// The print of a Bambu printer in one connection: what its figures mean, and which figures are still those of the previous print.
import type { FilamentPlan, PrintReading } from '../../farm/print-rules/print.model';
import type { Instant } from '../../values/instant';
import { emptyReading, nextOrdinal, type TrackedPrint } from '../machine-adapter';
import type { SlotUse } from './slots';
import { isCancel, type Status } from './status';

export interface Tracked extends TrackedPrint {
  /** Since when it is FAILED, without a code of a cancel. */
  failedAt: Instant | null;
  /** It ran before this connection. */
  ranBefore: boolean;
  /** It was more than prepared. */
  hasRun: boolean;
  /** Figures of the print before, which the printer shows until it has new ones. */
  stale: { layer: number | null; error: number; reason: number };
  /** Why it stopped; 0 is no code. */
  code: number;
}

/** What a plan and a job are found by. */
export type PrintNames = Pick<Status, 'name' | 'path'>;

export const namesInStatus = ({ name, path }: Status): PrintNames => ({ name, path });
export const namesOfPrint = ({ last }: Tracked): PrintNames => ({ name: last.name, path: last.filePath });

/** Whether the printer shows what it showed before. When a print is over, some clear its file. */
export const isNamedAs = (before: PrintNames, now: PrintNames): boolean =>
  before.name === now.name && (before.path === null || now.path === null || before.path === now.path);

/** @param before the print before in this connection */
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
      ...emptyReading(nextOrdinal(before)),
      externalId: status.externalId,
      name: status.name,
      filePath,
      startedAt,
      startedAtEstimated: ranBefore,
    },
  };
}

/** @param requested the slots that the slicer asked for */
export function updateTracked(print: Tracked, status: Status, requested: SlotUse | null): Tracked {
  const { last } = print;
  const stale = {
    // It may fall to 0 before the first layer of its own.
    layer: isPositive(status.layer) && status.layer !== print.stale.layer ? null : print.stale.layer,
    error: status.error === print.stale.error ? status.error : 0,
    reason: status.reason === print.stale.reason ? status.reason : 0,
  };
  const error = status.error === stale.error ? 0 : status.error;
  const reason = status.reason === stale.reason ? 0 : status.reason;
  const reported = printReading(status);
  const layer = isPositive(reported.layer) && reported.layer !== stale.layer ? reported.layer : last.layer;
  const progress = isPositive(reported.progress) ? reported.progress : (last.progress ?? reported.progress);
  const slots = requested ?? status.slots;
  const plan = slots === null ? last.plan : toPlan(slots);
  // Before the first layer the printer may still have the filament of the previous print loaded.
  // Of a slot that the print was not sent with, only while it prints: that one goes on for another which ran out.
  const isAsked = plan === null || plan.slots.some(({ slot }) => slot === status.activeSlot);
  const isFed = isPositive(layer) && (isAsked || status.state === 'RUNNING');
  return {
    ...print,
    stale,
    hasRun: print.hasRun || (status.state !== 'PREPARE' && status.state !== 'FINISH'),
    // The code may come before FAILED, and be cleared together with it.
    code: [print.code, reason].find(isCancel) ?? (error || reason),
    last: {
      ...last,
      externalId: last.externalId ?? reported.externalId,
      name: last.name ?? reported.name,
      paused: reported.paused,
      progress,
      progressBasis: progress === null ? null : 'TIME',
      remainingSec: reported.remainingSec,
      // None yet: another print than one that had layers.
      layer: layer ?? (status.state === 'PREPARE' ? 0 : null),
      layers: reported.layers ?? last.layers,
      slot: isFed ? (status.activeSlot ?? last.slot) : last.slot,
      plan,
    },
  };
}

/** The printer reports no amounts. */
const toPlan = ({ slots, mapping }: SlotUse): FilamentPlan => ({
  seconds: null,
  slots: slots.map((slot) => ({ slot, mm: null, grams: null })),
  ...(mapping && { mapping }),
});

/** What a status says of the print that it shows. */
export function printReading(status: Status): PrintReading {
  const { state, progress } = status;
  // Before, layer and time are those of the print before.
  const counts = state !== 'PREPARE' && isPositive(progress);
  return {
    ...emptyReading(1),
    externalId: status.externalId,
    name: status.name,
    filePath: status.path,
    paused: state === 'PAUSE',
    progress: state === 'PREPARE' ? null : progress,
    // It counts time, also that of the preparation.
    progressBasis: 'TIME',
    remainingSec: counts ? status.remainingSec : null,
    layer: counts || status.layer === 1 ? status.layer : null,
    layers: isPositive(status.layers) ? status.layers : null,
  };
}

const isPositive = (value: string | number | null) => Number(value) > 0;
