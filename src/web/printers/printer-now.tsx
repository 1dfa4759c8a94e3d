// Shows what a printer does now: its state as a word with a colour, its progress, and its print.
import { Link } from 'react-router';
import { Badge, type Tone } from '../parts/badge';
import { clockTime } from '../parts/formats';
import { Gauge } from '../parts/gauge';
import { formatPercent } from '../parts/numbers';
import { printAddress } from '../parts/object-addresses';
import { ACTIVITIES } from '../prints/print-texts';
import type { PrinterState } from './live-states';

export const Activity = ({ state }: { state: PrinterState }) => (
  <Badge tone={getStateTone(state)}>{describeState(state)}</Badge>
);

export const describeState = (state: PrinterState): string =>
  isOutOfContact(state) ? `No contact since ${clockTime(Date.parse(state.heardAt))}` : ACTIVITIES[state.activity].name;

export const isOutOfContact = ({ stale, activity }: PrinterState) => stale && activity !== 'OFFLINE';

/** A stale state is grey, because it may no longer be true. */
export const getStateTone = (state: PrinterState): Tone =>
  isOutOfContact(state) ? 'muted' : ACTIVITIES[state.activity].tone;

export function Progress({ state, isLarge = false }: { state: PrinterState; isLarge?: boolean }) {
  const { progress, stale } = state;
  if (progress === null) return null;
  // Rounded down, so that 100 % means that the print is complete.
  const text = formatPercent(Math.floor(progress * 100));
  return (
    <Gauge label="Progress" value={progress * 100} text={text} tone={stale ? 'muted' : 'info'} isLarge={isLarge} />
  );
}

/** The name of the current print, with a link to its page if the print is recorded. */
export function CurrentPrint({ state }: { state: PrinterState }) {
  if (state.print !== null) return <Link to={printAddress(state.print.id)}>{state.printName || 'Unnamed'}</Link>;
  return <span>{state.printName}</span>;
}
