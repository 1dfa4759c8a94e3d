// Declares the GraphQL types of notification channels (in the schema: notification targets), their deliveries and their tests.
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { type AlertSeverity, AlertSeverityEnum } from '../farm/alerts/alert.types';
import { defineEnum } from '../farm/graph/enums';
import { Node } from '../farm/graph/node';
import { defineConnection } from '../farm/graph/relay-connection';
import { DateTimeScalar } from '../farm/graph/scalars';
import { GIVEN_UP_AFTER_HOURS } from './deliveries/retries';
import { FORMER_SECRET_HOURS } from './target.limits';

export const NotificationKindEnum = defineEnum(
  'NotificationKind',
  'How a notification channel (target) receives notifications.',
  {
    WEBHOOK: 'The gateway sends a POST request with JSON, signed as Standard Webhooks 1.0 defines.',
    NTFY: 'The gateway publishes to an ntfy topic, on the public server or on your own server.',
    MQTT: 'The gateway publishes to an MQTT broker, with discovery for Home Assistant.',
  },
);
export type NotificationKind = keyof typeof NotificationKindEnum;

export const NotificationEventEnum = defineEnum('NotificationEvent', 'The event that a notification reports.', {
  PRINT_BEGAN: 'A print started.',
  PRINT_ENDED:
    'A print that had started was completed, failed or was cancelled. The event is sent again if the outcome is changed later.',
  PRINT_WAITS:
    'A print waits for its spool or its outcome. A channel with this event does not also get the alerts about waiting prints.',
  ALERT_RAISED: 'An alert has been active for 60 seconds. The event is sent again if the alert becomes CRITICAL.',
  ALERT_CLEARED: 'An alert that was sent has been resolved for 60 seconds.',
  OMITTED: `Notifications were given up, because they could not be delivered within ${GIVEN_UP_AFTER_HOURS} hours. The message says how many, if the number is known. You cannot choose this event: every channel gets it.`,
});
export type NotificationEvent = keyof typeof NotificationEventEnum;

const NotificationTargetStateEnum = defineEnum(
  'NotificationTargetState',
  'Whether deliveries to a notification channel (target) succeed.',
  {
    OK: 'The last attempt succeeded, or there was no attempt yet.',
    RETRYING: 'The last attempt failed. The gateway tries again without your help.',
    FAILED: `Nothing was delivered for ${GIVEN_UP_AFTER_HOURS} hours while a delivery waited. The next successful delivery sets the state to OK.`,
    DISABLED:
      'The channel gets no notifications. A user, a restored backup, the receiver or the removal of its printers disabled the channel.',
  },
);
export type NotificationTargetState = keyof typeof NotificationTargetStateEnum;

const NotificationDeliveryStateEnum = defineEnum('NotificationDeliveryState', 'The state of a delivery.', {
  WAITING: 'The gateway will attempt the delivery, now or at nextAttemptAt.',
  DELIVERED: 'The receiver accepted the notification.',
  GIVEN_UP: 'The gateway makes no further attempt, unless a user sends the notification again.',
});
export type NotificationDeliveryState = keyof typeof NotificationDeliveryStateEnum;

@ObjectType({ description: 'One notification to one channel (target).', simpleResolvers: true })
export class NotificationDelivery {
  @Field(() => ID, { description: 'GUID. It is the same at each attempt, so that receivers recognise a repetition.' })
  id!: string;

  @Field(() => NotificationEventEnum, { description: 'The event that the notification reports.' })
  event!: NotificationEvent;

  @Field(() => String, { description: 'The message, in English, with names and figures.' })
  text!: string;

  @Field(() => DateTimeScalar, { description: 'When the event happened.' })
  at!: string;

  @Field(() => NotificationDeliveryStateEnum, {
    description: 'Whether the notification waits, was delivered or was given up.',
  })
  state!: NotificationDeliveryState;

  @Field(() => Int, {
    description: 'The number of attempts, counted from 0 again when a user sends the notification again.',
  })
  attempts!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'The time of the last attempt; null before the first attempt.',
  })
  lastAttemptAt!: string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'The time of the next attempt; null if there will be none.',
  })
  nextAttemptAt!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The HTTP status of the last answer; null if there was no HTTP answer.',
  })
  httpStatus!: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'A sentence that says why the last attempt failed; null if no attempt failed. It contains nothing that the receiver sent.',
  })
  message!: string | null;
}

export const NotificationDeliveryConnection = defineConnection(NotificationDelivery, 'deliveries');

@ObjectType({
  implements: Node,
  description:
    'A notification channel: a receiver to which the gateway sends notifications. Only callers with the right to configure devices see it.',
  simpleResolvers: true,
})
export class NotificationTarget {
  @Field(() => ID, { description: 'GUID.' })
  id!: string;

  @Field(() => String, { description: 'The name of the channel.' })
  name!: string;

  @Field(() => NotificationKindEnum, {
    description: 'How the channel receives notifications. The kind cannot be changed: add another channel instead.',
  })
  kind!: NotificationKind;

  @Field(() => String, { description: 'The URL of the receiver, without credentials.' })
  url!: string;

  @Field(() => Boolean, { description: 'Whether a secret is stored. You can replace the secret, but never read it.' })
  hasSecret!: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      'SHA-256 of the only trusted certificate, as 64 hexadecimal digits. null: the certificate must be signed by a trusted authority and name the host.',
  })
  certificateFingerprint!: string | null;

  @Field(() => [NotificationEventEnum], {
    description:
      'The events that the channel gets. An MQTT channel also publishes the states of the farm, whatever you choose here.',
  })
  events!: NotificationEvent[];

  @Field(() => AlertSeverityEnum, { description: 'Alerts below this severity are not sent.' })
  minimumSeverity!: AlertSeverity;

  @Field(() => Boolean, {
    description: 'Whether the channel gets notifications. Events that happen while it is disabled are not sent later.',
  })
  enabled!: boolean;

  @Field(() => NotificationTargetStateEnum, { description: 'Whether deliveries succeed.' })
  state!: NotificationTargetState;

  @Field(() => DateTimeScalar, { description: 'Since when the channel has been in this state.' })
  stateSince!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'A sentence that says why the state is not OK and what to do; null while it is OK. It contains nothing that the receiver sent.',
  })
  message!: string | null;

  @Field(() => Int, { description: 'The number of deliveries that wait.' })
  waiting!: number;

  @Field(() => DateTimeScalar, { description: 'When the channel was added.' })
  createdAt!: string;

  @Field(() => DateTimeScalar, { description: 'When a user last changed the channel.' })
  updatedAt!: string;

  /** The chosen printers. Empty for all printers. */
  printerIds!: string[];
}

@ObjectType({ description: 'A notification channel (target) after it was added or changed.', simpleResolvers: true })
export class WrittenNotificationTarget {
  @Field(() => NotificationTarget, { description: 'The channel.' })
  target!: NotificationTarget;

  @Field(() => String, {
    nullable: true,
    description:
      'The generated signing secret: whsec_ followed by base64. It is shown only in this answer, not again for a repeated Idempotency-Key. ' +
      `null if no secret was generated. The previous secret also signs for another ${FORMER_SECRET_HOURS} hours, unless the URL changed.`,
  })
  secret!: string | null;
}

@ObjectType({ description: 'The result of a test message.', simpleResolvers: true })
export class NotificationTest {
  @Field(() => Boolean, { description: 'Whether the receiver accepted the test message.' })
  delivered!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'A sentence that says why the test failed and what to do; null if the test message was delivered.',
  })
  message!: string | null;

  @Field(() => Int, { nullable: true, description: 'The HTTP status of the answer; null if there was no HTTP answer.' })
  httpStatus!: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'SHA-256 of the certificate of the receiver, as hexadecimal digits. It is also given if the certificate is not trusted, so that a user ' +
      'can compare it. null without TLS.',
  })
  certificateFingerprint!: string | null;
}
