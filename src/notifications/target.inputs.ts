// Declares the GraphQL inputs of notification channels, what a new channel gets by default, and the arguments of their deliveries.
import { ArgsType, Extensions, Field, ID, InputType } from 'type-graphql';
import { type AlertSeverity, AlertSeverityEnum } from '../farm/alerts/alert.types';
import { pageArguments } from '../farm/graph/page-arguments';
import { MAX_TARGET_URL } from './target.address';
import { FIRST_EVENTS, FIRST_SEVERITY, FORMER_SECRET_HOURS } from './target.limits';
import { MAX_TARGET_NAME, MAX_TARGET_PRINTERS } from './target.members';
import {
  type NotificationEvent,
  NotificationEventEnum,
  type NotificationKind,
  NotificationKindEnum,
} from './target.types';

export const PAGE_OF_DELIVERIES = 20;

/** Marks a member whose value must appear in no error and no stored hash of a request (graphql/demands.ts). */
const Secret = () => Extensions({ secret: true });

const NAME = `The name of the channel, 1 to ${MAX_TARGET_NAME} characters.`;
const URL =
  'WEBHOOK: http(s)://…; NTFY: http(s)://SERVER/TOPIC; MQTT: mqtt(s)://HOST[:PORT][/PREFIX], with the default prefix print-farm. At most ' +
  `${MAX_TARGET_URL} characters, without credentials. The host must be in a private network, in DEVICE_NETWORKS or in NOTIFY_HOSTS.`;
const USERNAME = 'User name for an MQTT broker. Other kinds have no user name.';
const SECRET =
  'WEBHOOK: the signing secret, whsec_ followed by 24 to 64 bytes in base64. NTFY: an access token. MQTT: the password. The secret is stored ' +
  'encrypted. No log or backup contains it in clear.';
const FINGERPRINT =
  'SHA-256 of the certificate to trust, 64 hexadecimal digits, with or without colons. testNotificationTarget returns the fingerprint of a ' +
  'receiver. Only for URLs with https or mqtts. Without a fingerprint, the certificate must be signed by an authority that the gateway trusts.';
const EVENTS = 'The events that the channel gets: at least one, except for MQTT.';
const PRINTERS = `GUIDs of printers, at most ${MAX_TARGET_PRINTERS}. Only notifications about these printers are sent, and alerts that concern no printer.`;
const ENABLED = 'Whether the channel gets notifications.';

@InputType({ description: 'A notification channel (target) to add.' })
export class AddNotificationTargetInput {
  @Field(() => String, { description: NAME })
  name!: string;

  @Field(() => NotificationKindEnum, { description: 'How the channel receives notifications.' })
  kind!: NotificationKind;

  @Field(() => String, { description: URL })
  url!: string;

  @Field(() => String, { nullable: true, description: `${USERNAME} An empty text means no user name.` })
  username?: string | null;

  @Field(() => String, { nullable: true, description: FINGERPRINT })
  certificateFingerprint?: string | null;

  @Secret()
  @Field(() => String, {
    nullable: true,
    description: `${SECRET} If you leave it out for a WEBHOOK, the gateway generates a secret and returns it once. BAD_USER_INPUT if the gateway has no key to encrypt the secret.`,
  })
  secret?: string | null;

  @Field(() => [NotificationEventEnum], {
    defaultValue: FIRST_EVENTS,
    description: EVENTS,
  })
  events!: NotificationEvent[];

  @Field(() => AlertSeverityEnum, {
    defaultValue: FIRST_SEVERITY,
    description: 'Alerts below this severity are not sent.',
  })
  minimumSeverity!: AlertSeverity;

  @Field(() => [ID], { defaultValue: [], description: `${PRINTERS} An empty list means all printers.` })
  printerIds!: string[];

  @Field(() => Boolean, { defaultValue: true, description: ENABLED })
  enabled!: boolean;
}

@InputType({
  description:
    'Changes to a notification channel (target). Members that you leave out stay as they are. If url or certificateFingerprint change without a ' +
    'new secret, the stored secret is deleted; a WEBHOOK gets a generated secret instead.',
})
export class UpdateNotificationTargetInput {
  @Field(() => String, { nullable: true, description: `${NAME} null leaves it unchanged.` })
  name?: string | null;

  @Field(() => String, { nullable: true, description: `${URL} null leaves it unchanged.` })
  url?: string | null;

  @Field(() => String, { nullable: true, description: `${USERNAME} null or an empty text removes it.` })
  username?: string | null;

  @Secret()
  @Field(() => String, {
    nullable: true,
    description: `${SECRET} null or an empty text removes it. The secret of a WEBHOOK cannot be removed.`,
  })
  secret?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: `true generates a new signing secret for a WEBHOOK. The previous secret also signs for another ${FORMER_SECRET_HOURS} hours, as it does if you replace it with secret.`,
  })
  newSecret?: boolean | null;

  @Field(() => String, { nullable: true, description: `${FINGERPRINT} null or an empty text removes it.` })
  certificateFingerprint?: string | null;

  @Field(() => [NotificationEventEnum], { nullable: true, description: `${EVENTS} null leaves them unchanged.` })
  events?: NotificationEvent[] | null;

  @Field(() => AlertSeverityEnum, {
    nullable: true,
    description: 'Alerts below this severity are not sent. null leaves it unchanged.',
  })
  minimumSeverity?: AlertSeverity | null;

  @Field(() => [ID], {
    nullable: true,
    description: `${PRINTERS} An empty list means all printers. null leaves them unchanged.`,
  })
  printerIds?: string[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: `${ENABLED} If you disable it, its waiting deliveries are given up. null leaves it unchanged.`,
  })
  enabled?: boolean | null;
}

@ArgsType()
export class DeliveryPageArguments extends pageArguments(PAGE_OF_DELIVERIES) {}
