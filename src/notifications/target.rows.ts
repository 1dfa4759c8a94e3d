// Holds the columns of channels and deliveries, and turns rows into the objects that GraphQL shows.

import { type Columns, columnMember, rowShape } from '../database/rows';
import { CLOCK, sql, withoutFutureTime } from '../database/sql';
import { dueAt, pausedUntil } from './deliveries/retries';
import { describeFailedTarget, describeNotificationFault, type NotificationFault } from './delivery-faults';
import type { NotificationDelivery, NotificationKind, NotificationTarget } from './target.types';

/** What a sender needs of a channel. The secrets are encrypted. */
export interface SealedTarget {
  id: string;
  kind: string;
  url: string;
  username: string | null;
  secret: string | null;
  /** The replaced secret, as long as it still signs beside the current secret. */
  formerSecret: string | null;
  certificateFingerprint: string | null;
}

type TargetRow = Omit<NotificationTarget, 'message'> & { fault: NotificationFault | null };

/** The columns of a channel `t`. A state that a wrong clock dated into the future is shown with the current time. */
export const TARGET_ROW = rowShape<TargetRow, 'hasSecret' | 'stateSince' | 'waiting' | 'printerIds'>(
  't',
  {
    id: 'uuid',
    name: 'text',
    kind: 'text',
    url: 'text',
    certificateFingerprint: 'text',
    events: 'json',
    minimumSeverity: 'text',
    enabled: 'boolean',
    state: 'text',
    fault: 'text',
    createdAt: 'timestamptz',
    updatedAt: 'timestamptz',
  } as Columns<Omit<TargetRow, 'hasSecret' | 'stateSince' | 'waiting' | 'printerIds'>>,
  {
    hasSecret: { sql: 't.secret is not null' },
    stateSince: columnMember('least(t.state_since, clock_timestamp())', 'timestamptz'),
    waiting: {
      sql: `(select count(*) from notification_deliveries w where w.target_id = t.id and w.state = 'WAITING')`,
    },
    printerIds: {
      sql: `(select coalesce(json_agg(p.printer_id order by p.printer_id), '[]') from notification_target_printers p where p.target_id = t.id)`,
    },
  },
);

export function toTarget({ fault, ...target }: TargetRow): NotificationTarget {
  const sentence = fault && describeNotificationFault(fault, target.kind);
  return { ...target, message: target.state === 'FAILED' ? describeFailedTarget(sentence) : sentence };
}

/** `number` is the position of the delivery in the list of its channel. */
export type DeliveryRow = Omit<NotificationDelivery, 'message'> & {
  number: string;
  kind: NotificationKind;
  fault: NotificationFault | null;
};

/** The columns of a delivery `d` of the notification `n` to the channel `t`. */
export const DELIVERY_ROW = rowShape<
  DeliveryRow,
  'number' | 'event' | 'text' | 'at' | 'kind' | 'lastAttemptAt' | 'nextAttemptAt'
>(
  'd',
  {
    id: 'uuid',
    state: 'text',
    attempts: 'int',
    httpStatus: 'int',
    fault: 'text',
  } as Columns<Omit<DeliveryRow, 'number' | 'event' | 'text' | 'at' | 'kind' | 'lastAttemptAt' | 'nextAttemptAt'>>,
  {
    number: columnMember('n.id', 'bigint'),
    event: { sql: 'n.event' },
    text: { sql: 'n.text' },
    at: columnMember('n.at', 'timestamptz'),
    kind: { sql: 't.kind' },
    nextAttemptAt: columnMember(
      `(case when d.next_attempt_at is not null then greatest(${dueAt('d').sql}, ${pausedUntil('d').sql}) end)`,
      'timestamptz',
    ),
    lastAttemptAt: columnMember(withoutFutureTime('d.last_attempt_at', CLOCK).sql, 'timestamptz'),
  },
);

export const DELIVERY_TABLES = sql(
  'notification_deliveries d join notifications n on n.id = d.notification_id join notification_targets t on t.id = d.target_id',
);

export function toDelivery({
  fault,
  kind,
  number,
  ...delivery
}: DeliveryRow): NotificationDelivery & { number: string } {
  return { ...delivery, number, message: fault && describeNotificationFault(fault, kind) };
}
