// The state of a printer as a word with a colour. A printer without a machine does what its job says.
import { Badge, type Tone } from '../parts/badge';
import { type PrinterState, useStateOf } from '../printers/live-states';
import { Activity, NeverHeard } from '../printers/printer-now';
import { ACTIVITIES } from '../prints/print-texts';
import type { Printer } from './printer-job';

/** It reads the cache by itself: see live-states.ts. */
export function State({ printer }: { printer: Printer }) {
  const state = useStateOf(printer.id);
  if (state !== null) return <Activity state={state} />;
  return printer.jobs.nodes.length > 0 ? <Badge tone="info">Printing</Badge> : <NeverHeard id={printer.id} />;
}

/** A stale state has no colour: it may not hold any more. */
export function toneOf(state: PrinterState | null, hasJob: boolean): Tone {
  if (state === null) return hasJob ? 'info' : 'muted';
  return state.stale && state.activity !== 'OFFLINE' ? 'muted' : ACTIVITIES[state.activity].tone;
}
