// Orders the printers of the farm page by the order that the user chose.
import { compareNaturally } from '../parts/formats';
import type { TileState, TileStateName } from './tile-state';

/** The orders with their names, in the order of the list. The first is the default. */
export const ORDERS = {
  needs: 'Needs you first',
  name: 'Name',
  state: 'State',
  time: 'Time left',
} as const;
export type Order = keyof typeof ORDERS;

const STATE_RANKS: Record<TileStateName, number> = {
  NEEDS_YOU: 0,
  OFFLINE: 1,
  FINISHED: 2,
  PRINTING: 3,
  IDLE: 4,
  NO_MACHINE: 5,
};

interface Ordered {
  printer: { id: string; name: string };
  tile: TileState;
  /** When the print ends; `null` if that is unknown, or if nothing prints. */
  endsAt: number | null;
}

const byUrgency = (a: Ordered, b: Ordered) => rankNeed(a) - rankNeed(b);
const rankNeed = ({ tile: { name, urgency } }: Ordered) => (name === 'NEEDS_YOU' ? urgency : Number.MAX_SAFE_INTEGER);

const COMPARE: Record<Order, (a: Ordered, b: Ordered) => number> = {
  needs: byUrgency,
  name: () => 0,
  state: (a, b) => STATE_RANKS[a.tile.name] - STATE_RANKS[b.tile.name] || byUrgency(a, b),
  time: (a, b) => (a.endsAt ?? Number.MAX_SAFE_INTEGER) - (b.endsAt ?? Number.MAX_SAFE_INTEGER),
};

/** @returns the ids in the chosen order; printers that are equal in it are ordered by name */
export const orderPrinters = (rows: readonly Ordered[], order: Order): string[] =>
  [...rows]
    .sort((a, b) => COMPARE[order](a, b) || compareNaturally(a.printer.name, b.printer.name))
    .map(({ printer }) => printer.id);

/** Keeps the shown order: removed printers leave it, and new printers follow at its end. */
export function keepOrder(shown: readonly string[], wanted: readonly string[]): string[] {
  const [shownIds, wantedIds] = [new Set(shown), new Set(wanted)];
  return [...shown.filter((id) => wantedIds.has(id)), ...wanted.filter((id) => !shownIds.has(id))];
}
