// One alert in the list: its sentence, the page where it is mended, and what a person does about it from here.
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
import { filamentAddress, printAddress, printerAddress, spoolAddress } from '../parts/object-addresses';
import { useSaving } from '../parts/saving';
import { useMayWrite } from '../parts/use-viewer';
import styles from './alerts.module.css';

export type Alert = AlertRowFragment;

const SEVERITIES = {
  CRITICAL: { name: 'Critical', tone: 'bad' },
  WARNING: { name: 'Warning', tone: 'warn' },
} as const;

/** Until then an alert is snoozed "until tomorrow". */
const MORNING_HOUR = 8;

/** The list has this state, and not the row: a row that is snoozed leaves its list before the outcome is announced. */
export function useSilences() {
  const apollo = useApolloClient();
  const { save, faults } = useSaving();
  const announceAndRead = async (said: string | undefined) => {
    if (said !== undefined) announce(said);
    await apollo.refetchQueries({ include: [AlertsDocument] }).catch(() => {});
  };
  return {
    problem: Object.values(faults).join(' '),
    silence: async ({ kind, objectId }: Alert, until: Date | null) => {
      const saved = await save(SilenceAlertDocument, { kind, id: objectId, until: until?.toISOString() });
      await announceAndRead(saved && 'Alert snoozed.');
    },
    end: async ({ kind, objectId }: Alert) => {
      const saved = await save(EndSilenceDocument, { kind, id: objectId });
      await announceAndRead(saved && 'Alert no longer snoozed.');
    },
  };
}

interface AlertRowProps {
  alert: Alert;
  silences: ReturnType<typeof useSilences>;
  /** Asks for the spools of all prints of the printer. */
  onSpools: (alert: Alert) => void;
}

export function AlertRow({ alert, silences, onSpools }: AlertRowProps) {
  const mayWrite = useMayWrite();
  const { severity, message, since, silence, kind, prints } = alert;
  const choose = (prints ?? 0) > 1 ? 'Choose the spool for all' : 'Choose the spool';
  return (
    <li className={styles['alert']} data-severity={severity}>
      <Badge tone={SEVERITIES[severity].tone}>{SEVERITIES[severity].name}</Badge>
      <p>
        <span>{`${message} `}</span>
        <About alert={alert} />
        {silence !== null && <span className={styles['quiet']}>{untilWhen(silence)}</span>}
      </p>
      <span className={styles['since']}>
        <Moment at={since} />
      </span>
      {mayWrite && (
        <span className={styles['buttons']}>
          {silence === null && kind === 'PRINT_WAITS' && (
            <Button aria-label={`${choose}: ${message}`} onClick={() => onSpools(alert)}>
              {choose}
            </Button>
          )}
          {silence === null ? (
            <Menu label={`Snooze: ${message}`} text="Snooze" items={periods(alert, silences.silence)} />
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

function periods(alert: Alert, silence: (alert: Alert, until: Date | null) => Promise<void>) {
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

const untilWhen = ({ by, until }: NonNullable<Alert['silence']>) =>
  `Snoozed ${by === null ? '' : `by ${by} `}${until === null ? 'until it clears' : `until ${exactTime(until)}`}.`;

/** The page on which the user can do something about it. */
function About({ alert }: { alert: Alert }) {
  const { camera, print, prints, printJob, spool, filament, printer, notificationTarget } = alert;
  if (camera) return <Link to={cameraAddress(camera.id)}>View camera</Link>;
  if (print && (prints ?? 1) === 1) return <Link to={printAddress(print.id)}>View print</Link>;
  if (printJob) return <Link to={`/jobs/${printJob.id}`}>View job</Link>;
  if (spool) return <Link to={spoolAddress(spool.id)}>View spool</Link>;
  if (filament) return <Link to={filamentAddress(filament.id)}>View product</Link>;
  if (printer) return <Link to={printerAddress(printer.id)}>View printer</Link>;
  return notificationTarget && <Link to={targetAddress(notificationTarget.id)}>View channel</Link>;
}
