// The inputs of notification targets, and the arguments of their deliveries.
import { ArgsType, Extensions, Field, ID, InputType } from 'type-graphql';
import { type AlertSeverity, AlertSeverityEnum } from '../farm/alerts/alert.types';
import { pageArguments } from '../farm/graph/page-arguments';
import {
  FIRST_EVENTS,
  FIRST_SEVERITY,
  FORMER_SECRET_HOURS,
  MAX_TARGET_NAME,
  MAX_TARGET_PRINTERS,
  MAX_TARGET_URL,
} from './target.limits';
import {
  type NotificationEvent,
  NotificationEventEnum,
  type NotificationKind,
  NotificationKindEnum,
} from './target.types';

export const PAGE_OF_DELIVERIES = 20;

/** No error and no hash of the request shows the value (graphql/demands.ts). */
const Secret = () => Extensions({ secret: true });

const NAME = `Its name, for people: 1 to ${MAX_TARGET_NAME} characters.`;
const URL =
  'WEBHOOK: http(s)://…; NTFY: http(s)://SERVER/TOPIC; MQTT: mqtt(s)://HOST[:PORT][/PREFIX], without it print-farm. At most ' +
  `${MAX_TARGET_URL} characters, without credentials. The host must be in a private network, in DEVICE_NETWORKS, or named in NOTIFY_HOSTS.`;
const USERNAME = 'User name at an MQTT broker. Other kinds have none.';
const SECRET =
  'WEBHOOK: the signing secret, whsec_ and base64 of 24 to 64 bytes. NTFY: an access token. MQTT: the password. Stored encrypted; in no ' +
  'log or backup in clear.';
const FINGERPRINT =
  'SHA-256 of the certificate to trust, 64 hexadecimal digits, with or without colons. testNotificationTarget answers that of a receiver. ' +
  'Only with https or mqtts. Without it, the certificate must be signed by an authority that the gateway trusts.';
const EVENTS = 'The events that it gets: at least one, except for MQTT.';
const PRINTERS = `GUIDs of printers, at most ${MAX_TARGET_PRINTERS}: only what concerns these is sent, and alerts that concern no printer.`;
const ENABLED = 'Whether it gets notifications.';

@InputType({ description: 'Where notifications are to be sent.' })
export class AddNotificationTargetInput {
  @Field(() => String, { description: NAME })
  name!: string;

  @Field(() => NotificationKindEnum, { description: 'How it gets notifications.' })
  kind!: NotificationKind;

  @Field(() => String, { description: URL })
  url!: string;

  @Field(() => String, { nullable: true, description: `${USERNAME} The empty text is none.` })
  username?: string | null;

  @Field(() => String, { nullable: true, description: FINGERPRINT })
  certificateFingerprint?: string | null;

  @Secret()
  @Field(() => String, {
    nullable: true,
    description: `${SECRET} A WEBHOOK without one gets one, which is answered this once. BAD_USER_INPUT when the gateway has no key to encrypt it with.`,
  })
  secret?: string | null;

  @Field(() => [NotificationEventEnum], {
    defaultValue: FIRST_EVENTS,
    description: EVENTS,
  })
  events!: NotificationEvent[];

  @Field(() => AlertSeverityEnum, { defaultValue: FIRST_SEVERITY, description: 'Alerts below it are not sent.' })
  minimumSeverity!: AlertSeverity;

  @Field(() => [ID], { defaultValue: [], description: `${PRINTERS} Empty: all.` })
  printerIds!: string[];

  @Field(() => Boolean, { defaultValue: true, description: ENABLED })
  enabled!: boolean;
}

@InputType({
  description:
    'Changes to a target. Members that are left out stay; the secret is forgotten when url or certificateFingerprint change without a new ' +
    'one. For a WEBHOOK a new one is made then, and with newSecret.',
})
export class UpdateNotificationTargetInput {
  @Field(() => String, { nullable: true, description: `${NAME} Null leaves it.` })
  name?: string | null;

  @Field(() => String, { nullable: true, description: `${URL} Null leaves it.` })
  url?: string | null;

  @Field(() => String, { nullable: true, description: `${USERNAME} Null or the empty text removes it.` })
  username?: string | null;

  @Secret()
  @Field(() => String, {
    nullable: true,
    description: `${SECRET} Null or the empty text removes it; not of a WEBHOOK, which always has one.`,
  })
  secret?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: `True makes a new signing secret of a WEBHOOK. The old one signs beside it for ${FORMER_SECRET_HOURS} hours, as it does when secret replaces it.`,
  })
  newSecret?: boolean | null;

  @Field(() => String, { nullable: true, description: `${FINGERPRINT} Null or the empty text removes it.` })
  certificateFingerprint?: string | null;

  @Field(() => [NotificationEventEnum], { nullable: true, description: `${EVENTS} Null leaves them.` })
  events?: NotificationEvent[] | null;

  @Field(() => AlertSeverityEnum, {
    nullable: true,
    description: 'Alerts below it are not sent. Null leaves it.',
  })
  minimumSeverity?: AlertSeverity | null;

  @Field(() => [ID], { nullable: true, description: `${PRINTERS} Empty: all. Null leaves them.` })
  printerIds?: string[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: `${ENABLED} What waits for a target that is disabled is given up. Null leaves it.`,
  })
  enabled?: boolean | null;
}

@ArgsType()
export class DeliveryPageArguments extends pageArguments(PAGE_OF_DELIVERIES) {}
