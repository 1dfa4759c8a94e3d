// The state of a printer as a word with a colour. A printer without a machine does what its job says.
import { Badge, type Tone } from '../parts/badge';
import { type PrinterState, useStateOf } from '../printers/live-states';
import { Activity, NeverHeard, toneOf } from '../printers/printer-now';
import type { Printer } from './printer-job';

/** It reads the cache by itself: see live-states.ts. */
export function State({ printer }: { printer: Printer }) {
  const state = useStateOf(printer.id);
  if (state !== null) return <Activity state={state} />;
  return printer.jobs.nodes.length > 0 ? <Badge tone="info">Printing</Badge> : <NeverHeard id={printer.id} />;
}

/** Of its tile. */
export function toneOfTile(state: PrinterState | null, hasJob: boolean): Tone {
  if (state === null) return hasJob ? 'info' : 'muted';
  return toneOf(state);
}
