// Notification targets as the graph shows them: where notifications go, and their deliveries.
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { type AlertSeverity, AlertSeverityEnum } from '../farm/alerts/alert.types';
import { enumOf } from '../farm/graph/enums';
import { Node } from '../farm/graph/node';
import { connectionOf } from '../farm/graph/relay-connection';
import { DateTimeScalar } from '../farm/graph/scalars';
import { GIVEN_UP_AFTER_HOURS } from './deliveries/delivery.limits';
import { FORMER_SECRET_HOURS } from './target.limits';

export const NotificationKindEnum = enumOf('NotificationKind', 'How a target gets notifications.', {
  WEBHOOK: 'POST of JSON, signed as Standard Webhooks 1.0.',
  NTFY: 'A topic of ntfy, on its public server or an own one.',
  MQTT: 'An MQTT broker, with discovery for Home Assistant.',
});
export type NotificationKind = keyof typeof NotificationKindEnum;

export const NotificationEventEnum = enumOf('NotificationEvent', 'What happened.', {
  PRINT_BEGAN: 'A print prints.',
  PRINT_ENDED: 'A print that had begun is completed, failed or cancelled; again when its outcome is changed later.',
  PRINT_WAITS: 'A print waits for its spool or its outcome. A target with it does not get the alerts about these.',
  ALERT_RAISED: 'The condition of an alert has held for 60 seconds; again when the alert becomes CRITICAL.',
  ALERT_CLEARED: 'The condition of an alert that was sent has been gone for 60 seconds.',
  OMITTED: `Notifications were given up, because they could not be delivered within ${GIVEN_UP_AFTER_HOURS} hours. It reports how many, where the number is known. You cannot choose this event: every target gets it.`,
});
export type NotificationEvent = keyof typeof NotificationEventEnum;

const NotificationTargetStateEnum = enumOf('NotificationTargetState', 'How a target takes what it is sent.', {
  OK: 'The last try was delivered, or there was none yet.',
  RETRYING: 'The last try failed: the gateway tries again by itself.',
  FAILED: `Nothing was delivered for ${GIVEN_UP_AFTER_HOURS} hours while something waited. The next delivery makes it OK.`,
  DISABLED: 'It gets nothing: a person, a restored backup, the receiver or the removal of its printers disabled it.',
});
export type NotificationTargetState = keyof typeof NotificationTargetStateEnum;

const NotificationDeliveryStateEnum = enumOf('NotificationDeliveryState', 'What became of a delivery.', {
  WAITING: 'It is to be sent, now or at its next try.',
  DELIVERED: 'The receiver took it.',
  GIVEN_UP: 'It is not sent any more, unless a person sends it again.',
});
export type NotificationDeliveryState = keyof typeof NotificationDeliveryStateEnum;

@ObjectType({ description: 'A notification for one target.', simpleResolvers: true })
export class NotificationDelivery {
  @Field(() => ID, { description: 'GUID. The same for each try: receivers recognise repetitions by it.' })
  id!: string;

  @Field(() => NotificationEventEnum, { description: 'What happened.' })
  event!: NotificationEvent;

  @Field(() => String, { description: 'The message, in English, with names and figures.' })
  text!: string;

  @Field(() => DateTimeScalar, { description: 'When it was noted.' })
  at!: string;

  @Field(() => NotificationDeliveryStateEnum, { description: 'What became of it.' })
  state!: NotificationDeliveryState;

  @Field(() => Int, { description: 'Tries so far, since it was last sent again.' })
  attempts!: number;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was last tried; null before the first try.' })
  lastAttemptAt!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it is tried next; null when it is not.' })
  nextAttemptAt!: string | null;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the last answer; null where there was none.' })
  httpStatus!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why it was not delivered, as a sentence for people. No byte of a response is in it.',
  })
  message!: string | null;
}

export const NotificationDeliveryConnection = connectionOf(NotificationDelivery, 'deliveries');

@ObjectType({
  implements: Node,
  description: 'Where the gateway sends notifications. Only who may configure devices sees it.',
  simpleResolvers: true,
})
export class NotificationTarget {
  @Field(() => ID, { description: 'GUID.' })
  id!: string;

  @Field(() => String, { description: 'Its name, for people.' })
  name!: string;

  @Field(() => NotificationKindEnum, {
    description: 'How it gets notifications. A target of another kind is another target.',
  })
  kind!: NotificationKind;

  @Field(() => String, { description: 'Where it is, without credentials.' })
  url!: string;

  @Field(() => Boolean, { description: 'Whether a secret is stored. It can be replaced, and never be read.' })
  hasSecret!: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      'SHA-256 of the only certificate that is trusted, as 64 hexadecimal digits; null: one that an authority signed, which names the host.',
  })
  certificateFingerprint!: string | null;

  @Field(() => [NotificationEventEnum], {
    description: 'The events that it gets. An MQTT target publishes states beside events, whatever is chosen here.',
  })
  events!: NotificationEvent[];

  @Field(() => AlertSeverityEnum, { description: 'Alerts below it are not sent.' })
  minimumSeverity!: AlertSeverity;

  @Field(() => Boolean, { description: 'Whether it gets notifications. While it does not, it misses what happens.' })
  enabled!: boolean;

  @Field(() => NotificationTargetStateEnum, { description: 'How it takes what it is sent.' })
  state!: NotificationTargetState;

  @Field(() => DateTimeScalar, { description: 'Since when it has this state.' })
  stateSince!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Why it is not OK, as a sentence for people that says what to do; null when it is. No byte of a response is in it.',
  })
  message!: string | null;

  @Field(() => Int, { description: 'Notifications that are still to be sent.' })
  waiting!: number;

  @Field(() => DateTimeScalar, { description: 'When the target was added.' })
  createdAt!: string;

  @Field(() => DateTimeScalar, { description: 'When a person last changed it.' })
  updatedAt!: string;

  /** The chosen printers; empty: all printers. */
  printerIds!: string[];
}

@ObjectType({ description: 'A target as it was written.', simpleResolvers: true })
export class WrittenNotificationTarget {
  @Field(() => NotificationTarget, { description: 'The target.' })
  target!: NotificationTarget;

  @Field(() => String, {
    nullable: true,
    description:
      'The signing secret that was made, whsec_ and base64. It is shown this once, not again for a repeated Idempotency-Key; ' +
      `null where none was made. The secret before it signs beside it for ${FORMER_SECRET_HOURS} hours, unless the URL changed.`,
  })
  secret!: string | null;
}

@ObjectType({ description: 'What became of one test message.', simpleResolvers: true })
export class NotificationTest {
  @Field(() => Boolean, { description: 'Whether the receiver took it.' })
  delivered!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'Why it did not, as a sentence for people that says what to do; null when it did.',
  })
  message!: string | null;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the answer; null where there was none.' })
  httpStatus!: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'SHA-256 of the certificate of the receiver as hexadecimal digits, also where it is not trusted, for a person to compare; ' +
      'null without TLS.',
  })
  certificateFingerprint!: string | null;
}
