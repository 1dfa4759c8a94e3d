// Shows the state of a printer as a word with a colour. The state of a printer without a connection follows from its job.
import { Badge, type Tone } from '../parts/badge';
import { type PrinterState, usePrinterState } from '../printers/live-states';
import { Activity, getStateTone, NoStateBadge } from '../printers/printer-now';
import type { Printer } from './printer-job';

/** The component reads the state from the cache, so that a new state draws only this badge. See live-states.ts. */
export function PrinterStateBadge({ printer }: { printer: Printer }) {
  const state = usePrinterState(printer.id);
  if (state !== null) return <Activity state={state} />;
  return printer.jobs.nodes.length > 0 ? <Badge tone="info">Printing</Badge> : <NoStateBadge id={printer.id} />;
}

/** The colour of the tile of a printer. */
export function getTileTone(state: PrinterState | null, hasJob: boolean): Tone {
  if (state === null) return hasJob ? 'info' : 'muted';
  return getStateTone(state);
}
