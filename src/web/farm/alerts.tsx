// The alerts at the top of the farm page: a line with their numbers and the most urgent message, which expands to a list. Snoozed
// alerts are hidden below.
import { useState } from 'react';
import { Link } from 'react-router';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { Outcome } from '../parts/loading-states';
import { SHOPPING_ADDRESS } from '../parts/object-addresses';
import { type Alert, AlertRow, useSilences } from './alert-row';
import styles from './alerts.module.css';

/** One less than the query requests, so that the page knows whether there are more. */
const MAX_LISTED = 100;

export function Alerts({ alerts }: { alerts: readonly Alert[] }) {
  const [isOpen, setOpen] = useState(false);
  const [areSnoozedShown, showSnoozed] = useState(false);
  const silences = useSilences();
  const active = alerts.filter(({ silence }) => silence === null);
  const snoozed = alerts.filter(({ silence }) => silence !== null);
  const [first] = active;
  const listed = active.slice(0, MAX_LISTED);
  const hasMore = active.length > MAX_LISTED;
  const lowCount = active.filter(({ kind }) => kind === 'STOCK_LOW').length;
  const renderRows = (shown: readonly Alert[], name: string) => (
    <ul className={styles['alerts']} aria-label={name}>
      {shown.map((alert) => (
        <AlertRow key={`${alert.kind} ${alert.objectId}`} alert={alert} silences={silences} />
      ))}
    </ul>
  );
  return (
    <section className={styles['frame']} aria-label="Alerts" data-severity={first?.severity}>
      <h2 className={styles['hidden']}>Alerts</h2>
      {first === undefined ? (
        <p className={styles['line']}>No active alerts.</p>
      ) : (
        <div className={styles['line']}>
          <Counts alerts={listed} hasMore={hasMore} />
          {!isOpen && (
            <p className={styles['first']} title={first.message}>
              {first.message}
            </p>
          )}
          {lowCount > 0 && (
            <Link className={styles['shopping']} to={SHOPPING_ADDRESS}>
              {`Shopping list (${lowCount})`}
            </Link>
          )}
          <Button kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen
              ? 'Hide'
              : hasMore
                ? `Show the first ${MAX_LISTED}`
                : `Show ${active.length === 1 ? 'alert' : `all ${active.length}`}`}
          </Button>
        </div>
      )}
      {isOpen && first !== undefined && renderRows(listed, 'Active alerts')}
      <Outcome isBad>{silences.problem}</Outcome>
      {snoozed.length > 0 && (isOpen || first === undefined) && (
        <>
          <div className={styles['line']}>
            <span className={styles['quiet']}>{`${snoozed.length} snoozed`}</span>
            <Button
              kind="quiet"
              aria-expanded={areSnoozedShown}
              aria-label={`${areSnoozedShown ? 'Hide' : 'Show'} snoozed alerts`}
              onClick={() => showSnoozed(!areSnoozedShown)}
            >
              {areSnoozedShown ? 'Hide' : 'Show'}
            </Button>
          </div>
          {areSnoozedShown && renderRows(snoozed, 'Snoozed alerts')}
        </>
      )}
    </section>
  );
}

function Counts({ alerts, hasMore }: { alerts: readonly Alert[]; hasMore: boolean }) {
  const critical = alerts.filter(({ severity }) => severity === 'CRITICAL').length;
  const warnings = alerts.length - critical;
  const more = hasMore ? ' or more' : '';
  // Critical alerts come first, so every alert beyond the limit has the severity of the last listed one.
  return (
    <span className={styles['counts']}>
      {critical > 0 && <Badge tone="bad">{`${critical}${warnings === 0 ? more : ''} critical`}</Badge>}
      {warnings > 0 && <Badge tone="warn">{`${warnings}${more} ${warnings === 1 ? 'warning' : 'warnings'}`}</Badge>}
    </span>
  );
}
