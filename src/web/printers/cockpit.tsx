// Shows what a printer does now, large enough to read from some steps away: state, progress, end, print, and what the machine reports.
import type { PrinterPageQuery } from '../../generated/web-operations';
import { CONNECTION_STATES } from '../devices/device-texts';
import type { Tone } from '../parts/badge';
import { clockTime, formatDuration } from '../parts/formats';
import { Moment, Since } from '../parts/moment';
import { ACTIVITIES, SHARES } from '../prints/print-texts';
import { Thumbnail } from '../prints/thumbnail';
import styles from './cockpit.module.css';
import { isBusy, type PrinterState } from './live-states';
import { CurrentPrint, describeState, getStateTone, isOutOfContact, Progress } from './printer-now';
import { StateIcon, type StateIconName } from './state-icon';

type Printer = NonNullable<PrinterPageQuery['printer']>;

export function Cockpit({ printer: { state, device } }: { printer: Printer }) {
  const problem = device?.connection.message ?? null;
  return (
    <section className={styles['cockpit']} aria-label="Now" data-tone={state === null ? 'muted' : getStateTone(state)}>
      {state === null ? <NoState device={device} /> : <Reported state={state} />}
      {problem !== null && (
        <p className={styles['message']} data-tone="warn">
          {problem}
        </p>
      )}
    </section>
  );
}

function NoState({ device }: Pick<Printer, 'device'>) {
  if (device === null) {
    return (
      <>
        <Word tone="muted" icon="NO_MACHINE" text="No machine" />
        <p>The state and progress of the printer appear here once it is connected.</p>
      </>
    );
  }
  const { state } = device.connection;
  if (state !== 'CONNECTED') {
    const { name, tone } = CONNECTION_STATES[state];
    return <Word tone={tone} icon={state === 'OFFLINE' ? 'OFFLINE' : 'UNKNOWN'} text={name} />;
  }
  return (
    <>
      <Word tone="muted" icon="UNKNOWN" text="No data yet" />
      <p>The printer has sent no data yet.</p>
    </>
  );
}

interface WordProps {
  tone: Tone;
  icon: StateIconName;
  text: string;
  /** Since when the printer has this state, if that matters. */
  since?: string;
}

const Word = ({ tone, icon, text, since }: WordProps) => (
  <p className={styles['word']} data-tone={tone}>
    <StateIcon name={icon} />
    <strong>{text}</strong>
    {since !== undefined && (
      <span className={styles['quiet']}>
        <span>{'for '}</span>
        <Since from={since} />
      </span>
    )}
  </p>
);

/** The states in which somebody waits: for the user, or for the next print. */
const WAITING: readonly PrinterState['activity'][] = ['IDLE', 'FINISHED', 'PAUSED', 'ERROR'];

function Reported({ state }: { state: PrinterState }) {
  const { activity, message, print, progressBasis, stale } = state;
  const isLost = isOutOfContact(state);
  return (
    <>
      <div className={styles['headline']}>
        <Word
          tone={getStateTone(state)}
          icon={isLost ? 'OFFLINE' : activity}
          text={describeState(state)}
          {...(!isLost && WAITING.includes(activity) && { since: state.activitySince })}
        />
        {state.progress !== null && (
          <div className={styles['progress']}>
            <Progress state={state} isLarge />
            {progressBasis !== null && <span className={styles['quiet']}>{SHARES[progressBasis]}</span>}
          </div>
        )}
      </div>
      {message !== null && (
        <p className={styles['message']} data-tone={activity === 'ERROR' ? 'bad' : 'warn'}>
          <span>{'The printer reports: '}</span>
          <strong>{message}</strong>
        </p>
      )}
      {activity === 'PAUSED' && state.isPausedByUser && <p>A user paused the print.</p>}
      {stale && <p role="status">The printer sends no data. These are the last known values.</p>}
      <div className={styles['body']}>
        {print && (
          <Thumbnail key={print.id} printId={print.id} name={state.printName ?? ''} isRunning={isBusy(state)} />
        )}
        <div>
          {(print !== null || state.printName) && (
            <p className={styles['print']}>
              <CurrentPrint state={state} />
              {print?.startedAt && (
                <span className={styles['quiet']}>
                  <span>{print.startedAtEstimated ? 'started (estimated) ' : 'started '}</span>
                  <Moment at={print.startedAt} />
                </span>
              )}
            </p>
          )}
          <Figures state={state} />
        </div>
      </div>
    </>
  );
}

function Figures({ state }: { state: PrinterState }) {
  const { activity, heardAt, layer, layers, remainingSec } = state;
  const figures = {
    'Last state': isOutOfContact(state) && ACTIVITIES[activity].name,
    'Time left': remainingSec !== null && formatDuration(remainingSec),
    // The time left of a machine that is paused or silent does not run.
    Ends:
      remainingSec !== null &&
      !state.stale &&
      (activity === 'PRINTING' || activity === 'PREPARING') &&
      clockTime(Date.parse(heardAt) + remainingSec * 1000),
    Layer: layer !== null && (layers === null ? String(layer) : `${layer} of ${layers}`),
    'Last update': state.stale && <Moment at={heardAt} />,
  };
  const shown = Object.entries(figures).filter(([, value]) => value);
  if (shown.length === 0) return null;
  return (
    <dl className={styles['figures']}>
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
