// The columns of slots.
import { type Columns, rowShape } from '../database/rows';
import type { PrinterSlot } from './slot.types';

/** A slot as its table holds it. */
export type SlotRow = PrinterSlot & { printerId: string; spoolId: string | null };

/** A slot `k`. */
export const SLOT_ROW = rowShape<SlotRow>('k', {
  printerId: 'uuid',
  slot: 'text',
  spoolId: 'uuid',
  loadedAt: 'timestamptz',
  reported: 'text',
} satisfies Columns<SlotRow>);
