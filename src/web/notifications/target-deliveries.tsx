// Lists the messages to a channel, newest first. Older messages are read when the end of the list comes into view.
import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { DeliveriesDocument, type DeliveryRowFragment, SendAgainDocument } from '../../generated/web-operations';
import { KEPT_DAYS } from '../../notifications/target.limits';
import { announce } from '../parts/announcer';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { type Column, DataTable } from '../parts/data-table';
import { useFurtherPages } from '../parts/further-pages';
import { Empty, Loaded, Outcome, ProblemBox } from '../parts/loading-states';
import { Moment, useNow } from '../parts/moment';
import { Section } from '../parts/page';
import { POLLING } from '../parts/poll-interval';
import { useSaving } from '../parts/saving';
import { DELIVERY_STATES, EVENT_LABELS } from './notification-texts';
import styles from './notifications.module.css';

type Delivery = DeliveryRowFragment;

const COLUMNS: Column<Delivery>[] = [
  {
    head: 'Message',
    width: 'minmax(14rem, 3fr)',
    isFullWidth: true,
    cell: ({ event, text }) => (
      <>
        <span className={styles['quiet']}>{EVENT_LABELS[event]}</span>
        <span className={styles['text']}>{text}</span>
      </>
    ),
  },
  { head: 'When', width: 'minmax(7rem, 1fr)', cell: ({ at }) => <Moment at={at} /> },
  {
    head: 'State',
    width: 'minmax(14rem, 3fr)',
    isFullWidth: true,
    cell: ({ state, message, httpStatus }) => (
      <>
        <Badge tone={DELIVERY_STATES[state].tone}>{DELIVERY_STATES[state].name}</Badge>
        {message !== null && (
          <span className={styles['quiet']}>{httpStatus === null ? message : `${message} (HTTP ${httpStatus})`}</span>
        )}
      </>
    ),
  },
  { head: 'Attempts', width: 'minmax(4rem, 0.5fr)', isNumber: true, cell: ({ attempts }) => attempts },
  {
    head: 'Last attempt',
    width: 'minmax(7rem, 1fr)',
    cell: ({ lastAttemptAt }) => lastAttemptAt && <Moment at={lastAttemptAt} />,
  },
  {
    head: 'Next attempt',
    width: 'minmax(7rem, 1fr)',
    cell: ({ nextAttemptAt }) => nextAttemptAt && <NextAttempt at={nextAttemptAt} />,
  },
];

const MINUTE_MS = 60_000;

/** A message that is due still waits for the messages before it, so its exact time would be wrong. */
function NextAttempt({ at }: { at: string }) {
  return Date.parse(at) - useNow() < MINUTE_MS ? <span>soon</span> : <Moment at={at} />;
}

interface DeliveriesProps {
  targetId: string;
  /** A disabled channel gets no messages. */
  isEnabled: boolean;
  onSent: () => void;
}

export function Deliveries({ targetId, isEnabled, onSent }: DeliveriesProps) {
  const variables = { id: targetId };
  const deliveries = useQuery(DeliveriesDocument, { ...POLLING, variables, context: { isPaged: true } });
  const { more, retry, problem } = useFurtherPages(
    deliveries,
    deliveries.data?.notificationTarget?.deliveries.pageInfo,
  );
  const { save, isBusy, faults } = useSaving();
  const [sentId, setSentId] = useState<string>();
  const sendAgain = async (deliveryId: string) => {
    setSentId(deliveryId);
    if ((await save(SendAgainDocument, { targetId, deliveryId })) === undefined) return;
    announce('The message is being sent again.');
    onSent();
  };
  const sendAgainColumn: Column<Delivery> = {
    head: 'Actions',
    width: 'minmax(8rem, 1fr)',
    isFullWidth: true,
    cell: ({ id, state, text }) =>
      state !== 'WAITING' && (
        <>
          <Button
            isBusy={isBusy && sentId === id}
            aria-label={`Send again: ${text}`}
            onClick={() => void sendAgain(id)}
          >
            Send again
          </Button>
          <Outcome isBad>{sentId === id && Object.values(faults).join(' ')}</Outcome>
        </>
      ),
  };
  return (
    <Section title="Messages" about={`last ${KEPT_DAYS} days`}>
      <Loaded query={deliveries} what="the messages">
        {({ notificationTarget }) => {
          const rows = notificationTarget?.deliveries.nodes ?? [];
          return rows.length === 0 ? (
            <Empty>Messages to this channel appear here. Send a test message to try it.</Empty>
          ) : (
            <DataTable
              label="Messages"
              columns={isEnabled ? [...COLUMNS, sendAgainColumn] : COLUMNS}
              rows={rows}
              getKey={({ id }) => id}
              onEnd={more}
            />
          );
        }}
      </Loaded>
      {problem !== undefined && <ProblemBox title="Could not load older messages" error={problem} onRetry={retry} />}
    </Section>
  );
}
