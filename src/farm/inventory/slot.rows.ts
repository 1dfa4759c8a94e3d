// The columns of slots, and of what is and was in them.
import { type Columns, rowShape } from '../../database/rows';
import type { Instant } from '../../values/instant';
import type { PrinterSlot, SlotLoad } from './slot.types';

/** A printer without a device has it, and it is meant where no slot is named. */
export const FIRST_SLOT = 'tool:0';
/** Of one printer. slots.sql has the number for all other programs; a test compares them. */
export const MAX_SLOTS_OF_PRINTER = 64;

/** A slot, with what is in it. */
export type SlotRow = PrinterSlot & { printerId: string; spoolId: string | null };

/** A slot `k`. */
export const SLOT_ROW = rowShape<SlotRow>('k', {
  printerId: 'uuid',
  slot: 'text',
  spoolId: 'uuid',
  loadedAt: 'timestamptz',
  reported: 'text',
} satisfies Columns<SlotRow>);

/** A load as its table holds it. */
export type SlotLoadRow = SlotLoad & { printerId: string; spoolId: string };

/** A load `l`. */
export const SLOT_LOAD_ROW = rowShape<SlotLoadRow>('l', {
  printerId: 'uuid',
  slot: 'text',
  spoolId: 'uuid',
  from: 'timestamptz',
  to: 'timestamptz',
} satisfies Columns<SlotLoadRow>);

/** What decides when a spool gets into a slot. Times are those that are evidence (values/evidence.ts). */
export interface SlotSituation {
  /** Whether what is wanted in the slot is in it: the spool, or nothing. */
  isSame: boolean;
  /** As it is stored: when the spool that is in the slot was put there. */
  loadedAt: Instant | null;
  /** When the slot or the spool was last changed. */
  changedAt: Instant | null;
  /** When the load before ended, of the slot or of the spool. */
  endedAt: Instant | null;
  /** By the clock of the gateway or by that of the database, whichever is later. */
  latestNow: Instant;
}

/** A situation `k`. */
export const SITUATION_ROW = rowShape<SlotSituation>('k', {
  isSame: 'boolean',
  loadedAt: 'timestamptz',
  changedAt: 'timestamptz',
  endedAt: 'timestamptz',
  latestNow: 'timestamptz',
});
