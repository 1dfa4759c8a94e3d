// What a printer does now: as a word with a colour, as its progress, and as all that is known.
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
import { type PrinterState, useConnectionOf } from './live-states';
import styles from './printers.module.css';

export function Activity({ state }: { state: PrinterState }) {
  const text = isUnheard(state)
    ? `No contact since ${clockTime(Date.parse(state.heardAt))}`
    : ACTIVITIES[state.activity].name;
  return <Badge tone={toneOf(state)}>{text}</Badge>;
}

const isUnheard = ({ stale, activity }: PrinterState) => stale && activity !== 'OFFLINE';

/** A stale state has no colour: it may not hold any more. */
export const toneOf = (state: PrinterState): Tone => (isUnheard(state) ? 'muted' : ACTIVITIES[state.activity].tone);

/** A printer that was never heard of does what its connection says. Without a device it does what its jobs say. */
export function NeverHeard({ id }: { id: string }) {
  const connection = useConnectionOf(id);
  if (connection === undefined) return null;
  if (connection === null) return <Badge tone="muted">Idle</Badge>;
  const { name, tone } = connection === 'CONNECTED' ? NOT_YET : CONNECTION_STATES[connection];
  return <Badge tone={tone}>{name}</Badge>;
}

const NOT_YET = { name: 'No data yet', tone: 'muted' } as const;

export function Progress({ state, isWhole = false }: { state: PrinterState; isWhole?: boolean }) {
  const { progress, progressBasis, stale } = state;
  if (progress === null) return null;
  // 100 % only when it is whole.
  const text = percent(Math.floor(progress * 100));
  return (
    <>
      <Gauge label="Progress" value={progress * 100} text={text} tone={stale ? 'muted' : 'info'} />
      {isWhole && progressBasis !== null && <span className={styles['quiet']}>{SHARES[progressBasis]}</span>}
    </>
  );
}

/** The name of the print with its page. */
export function NowPrinted({ state }: { state: PrinterState }) {
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
          'Last state': isUnheard(state) && ACTIVITIES[state.activity].name,
          Progress: state.progress !== null && <Progress state={state} isWhole />,
          'Time left': remainingSec !== null && duration(remainingSec),
          Layer: layer !== null && (layers === null ? String(layer) : `${layer} of ${layers}`),
          Print: (print !== null || state.printName) && <NowPrinted state={state} />,
          Started: print && <EventTime at={print.startedAt} isEstimated={print.startedAtEstimated} />,
          'Message from the printer': message,
          'Last update': <Moment at={state.heardAt} />,
        }}
      />
    </>
  );
}
