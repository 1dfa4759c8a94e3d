// Shows what a printer does now: its state as a word with a colour, its progress, or all known values.
import { Link } from 'react-router';
import { CONNECTION_STATES } from '../devices/device-texts';
import { Badge, type Tone } from '../parts/badge';
import { Facts } from '../parts/facts';
import { clockTime, duration } from '../parts/formats';
import { Gauge } from '../parts/gauge';
import { Moment } from '../parts/moment';
import { percent } from '../parts/numbers';
import { printAddress } from '../parts/object-addresses';
import { EventTime } from '../prints/print-amounts';
import { ACTIVITIES, SHARES } from '../prints/print-texts';
import { type PrinterState, usePrinterConnection } from './live-states';
import styles from './printers.module.css';

export function Activity({ state }: { state: PrinterState }) {
  const text = isOutOfContact(state)
    ? `No contact since ${clockTime(Date.parse(state.heardAt))}`
    : ACTIVITIES[state.activity].name;
  return <Badge tone={getStateTone(state)}>{text}</Badge>;
}

const isOutOfContact = ({ stale, activity }: PrinterState) => stale && activity !== 'OFFLINE';

/** A stale state is grey, because it may no longer be true. */
export const getStateTone = (state: PrinterState): Tone =>
  isOutOfContact(state) ? 'muted' : ACTIVITIES[state.activity].tone;

/** The badge of a printer that never sent a state: the state of its connection, or "No machine" if it is not connected. */
export function NoStateBadge({ id }: { id: string }) {
  const connection = usePrinterConnection(id);
  if (connection === undefined) return null;
  if (connection === null) return <Badge tone="muted">No machine</Badge>;
  const { name, tone } = connection === 'CONNECTED' ? NO_DATA : CONNECTION_STATES[connection];
  return <Badge tone={tone}>{name}</Badge>;
}

const NO_DATA = { name: 'No data yet', tone: 'muted' } as const;

export function Progress({ state, isWhole = false }: { state: PrinterState; isWhole?: boolean }) {
  const { progress, progressBasis, stale } = state;
  if (progress === null) return null;
  // Rounded down, so that 100 % means that the print is complete.
  const text = percent(Math.floor(progress * 100));
  return (
    <>
      <Gauge label="Progress" value={progress * 100} text={text} tone={stale ? 'muted' : 'info'} />
      {isWhole && progressBasis !== null && <span className={styles['quiet']}>{SHARES[progressBasis]}</span>}
    </>
  );
}

/** The name of the current print, with a link to its page if the print is recorded. */
export function CurrentPrint({ state }: { state: PrinterState }) {
  if (state.print !== null) return <Link to={printAddress(state.print.id)}>{state.printName || 'Unnamed'}</Link>;
  return <span>{state.printName}</span>;
}

export function PrinterNow({ state }: { state: PrinterState }) {
  const { layer, layers, remainingSec, print, message } = state;
  return (
    <>
      {state.stale && (
        <p className={styles['message']} role="status">
          The printer sends no data. These are the last known values.
        </p>
      )}
      <Facts
        facts={{
          State: <Activity state={state} />,
          'Last state': isOutOfContact(state) && ACTIVITIES[state.activity].name,
          Progress: state.progress !== null && <Progress state={state} isWhole />,
          'Time left': remainingSec !== null && duration(remainingSec),
          Layer: layer !== null && (layers === null ? String(layer) : `${layer} of ${layers}`),
          Print: (print !== null || state.printName) && <CurrentPrint state={state} />,
          Started: print && <EventTime at={print.startedAt} isEstimated={print.startedAtEstimated} />,
          'Message from the printer': message,
          'Last update': <Moment at={state.heardAt} />,
        }}
      />
    </>
  );
}
