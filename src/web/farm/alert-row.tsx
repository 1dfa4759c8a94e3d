// One alert in the list: its message, a link to the page where the user can fix the cause, and buttons to snooze it or to
// enter what its prints wait for.
import { useApolloClient } from '@apollo/client/react';
import { Link } from 'react-router';
import {
  type AlertRowFragment,
  AlertsDocument,
  EndSilenceDocument,
  SilenceAlertDocument,
} from '../../generated/web-operations';
import { cameraAddress } from '../camera/camera-address';
import { targetAddress } from '../notifications/notification-texts';
import { announce } from '../parts/announcer';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { exactTime } from '../parts/formats';
import { Menu } from '../parts/menu';
import { Moment } from '../parts/moment';
import {
  filamentAddress,
  printAddress,
  printerAddress,
  SHOPPING_ADDRESS,
  spoolAddress,
} from '../parts/object-addresses';
import { useSaving } from '../parts/saving';
import { useMayWrite } from '../parts/use-viewer';
import styles from './alerts.module.css';
import { useSolve } from './solve';

export type Alert = AlertRowFragment;

const SEVERITIES = {
  CRITICAL: { name: 'Critical', tone: 'bad' },
  WARNING: { name: 'Warning', tone: 'warn' },
} as const;

/** The alerts about the prints of a printer that a dialog solves. */
const SOLUTIONS: Partial<Record<Alert['kind'], { text: string; action: 'CHOOSE_SPOOL' | 'SET_OUTCOME' }>> = {
  PRINT_WAITS: { text: 'Choose the spool', action: 'CHOOSE_SPOOL' },
  PRINT_UNRESOLVED: { text: 'Set the outcome', action: 'SET_OUTCOME' },
};

/** The hour until which "until tomorrow" snoozes an alert. */
const MORNING_HOUR = 8;

/** The list holds this state and not the row, because a snoozed row leaves the list before the outcome is announced. */
export function useSilences() {
  const apollo = useApolloClient();
  const { save, faults } = useSaving();
  const announceAndRefetch = async (message: string | undefined) => {
    if (message !== undefined) announce(message);
    await apollo.refetchQueries({ include: [AlertsDocument] }).catch(() => {});
  };
  return {
    problem: Object.values(faults).join(' '),
    silence: async ({ kind, objectId }: Alert, until: Date | null) => {
      const saved = await save(SilenceAlertDocument, { kind, id: objectId, until: until?.toISOString() });
      await announceAndRefetch(saved && 'Alert snoozed.');
    },
    end: async ({ kind, objectId }: Alert) => {
      const saved = await save(EndSilenceDocument, { kind, id: objectId });
      await announceAndRefetch(saved && 'Alert no longer snoozed.');
    },
  };
}

interface AlertRowProps {
  alert: Alert;
  silences: ReturnType<typeof useSilences>;
}

export function AlertRow({ alert, silences }: AlertRowProps) {
  const mayWrite = useMayWrite();
  const solve = useSolve();
  const { severity, message, since, silence, kind, objectId, prints } = alert;
  const solution = SOLUTIONS[kind];
  const solveLabel = solution && `${solution.text}${(prints ?? 0) > 1 ? ' for all' : ''}`;
  return (
    <li className={styles['alert']} data-severity={severity}>
      <Badge tone={SEVERITIES[severity].tone}>{SEVERITIES[severity].name}</Badge>
      <p>
        <span>{`${message} `}</span>
        <AlertLink alert={alert} />
        {silence !== null && <span className={styles['quiet']}>{describeSilence(silence)}</span>}
      </p>
      <span className={styles['since']}>
        <Moment at={since} />
      </span>
      {mayWrite && (
        <span className={styles['buttons']}>
          {silence === null && solution && (
            <Button aria-label={`${solveLabel}: ${message}`} onClick={() => solve(objectId, solution.action)}>
              {solveLabel}
            </Button>
          )}
          {silence === null ? (
            <Menu label={`Snooze: ${message}`} text="Snooze" items={createSnoozeItems(alert, silences.silence)} />
          ) : (
            <Button kind="quiet" aria-label={`Stop snoozing: ${message}`} onClick={() => void silences.end(alert)}>
              Stop snoozing
            </Button>
          )}
        </span>
      )}
    </li>
  );
}

function createSnoozeItems(alert: Alert, silence: (alert: Alert, until: Date | null) => Promise<void>) {
  const inAnHour = () => new Date(Date.now() + 3_600_000);
  const tomorrow = () => {
    const day = new Date();
    return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1, MORNING_HOUR);
  };
  return [
    { name: 'For 1 hour', onClick: () => void silence(alert, inAnHour()) },
    { name: `Until tomorrow at ${MORNING_HOUR}:00`, onClick: () => void silence(alert, tomorrow()) },
    { name: 'Until it clears', onClick: () => void silence(alert, null) },
  ];
}

const describeSilence = ({ by, until }: NonNullable<Alert['silence']>) =>
  `Snoozed ${by === null ? '' : `by ${by} `}${until === null ? 'until it clears' : `until ${exactTime(until)}`}.`;

/** A link to the page on which the user can fix the cause of the alert. */
function AlertLink({ alert }: { alert: Alert }) {
  const { camera, print, prints, printJob, spool, filament, printer, notificationTarget } = alert;
  if (camera) return <Link to={cameraAddress(camera.id)}>View camera</Link>;
  if (print && (prints ?? 1) === 1) return <Link to={printAddress(print.id)}>View print</Link>;
  if (printJob) return <Link to={`/jobs/${printJob.id}`}>View job</Link>;
  if (spool) return <Link to={spoolAddress(spool.id)}>View spool</Link>;
  if (filament)
    return (
      <>
        <Link to={filamentAddress(filament.id)}>View product</Link>
        <span> · </span>
        <Link to={SHOPPING_ADDRESS}>Shopping list</Link>
      </>
    );
  if (printer) return <Link to={printerAddress(printer.id)}>View printer</Link>;
  return notificationTarget && <Link to={targetAddress(notificationTarget.id)}>View channel</Link>;
}
