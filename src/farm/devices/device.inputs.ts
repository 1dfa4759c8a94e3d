// Declares the GraphQL inputs of devices.
import { Extensions, Field, ID, InputType } from 'type-graphql';
import { CAMERA_KINDS, type DeviceKind, SERIALS } from '../../kind-facts';
import { MAX_KEY_LENGTH } from '../../values/text';
import { type Device, DeviceKindEnum } from './device.types';

/** The longest address, serial number, user name and secret. */
export const MAX_DEVICE_TEXT = MAX_KEY_LENGTH;

/** Marks a member whose value must appear in no error and no stored hash of a request (doors/graphql/demands.ts). */
const Secret = () => Extensions({ secret: true });

const ADDRESS =
  `Host, host:port or URL, 1 to ${MAX_DEVICE_TEXT} characters, without credentials and path. White space around all members is removed. The address must be private, belong to the ` +
  'computer of the gateway, or be in DEVICE_NETWORKS.';
const SERIAL = `Serial number of ${SERIALS.machines}, at most ${MAX_DEVICE_TEXT} letters, digits, hyphens and underscores.`;
const USERNAME = `User name, at most ${MAX_DEVICE_TEXT} characters. Only needed if the machine requires a user name other than its usual one.`;
const SECRET = `Password, access code or API key, at most ${MAX_DEVICE_TEXT} characters. The secret is stored encrypted. No answer, log or backup contains it in clear.`;
const FINGERPRINT =
  'SHA-256 of the certificate to trust, 64 hexadecimal digits, with or without colons. testDevice returns the fingerprint of a machine. ' +
  'Only for an address with TLS. Without a fingerprint, the certificate must be signed by an authority that the gateway trusts; otherwise the connection is REFUSED.';

@InputType({ description: 'A machine to connect to.' })
export class AddDeviceInput implements Partial<Device> {
  @Field(() => DeviceKindEnum, {
    description: `How the gateway talks to the machine. ${Object.keys(CAMERA_KINDS).join(', ')} is for cameras, all others are for printers.`,
  })
  kind!: DeviceKind;

  @Field(() => ID, {
    nullable: true,
    description:
      'GUID of the printer that the machine is; null for a camera. BAD_USER_INPUT if the printer is unknown or archived, or if the kind is for ' +
      'cameras. CONFLICT if the printer already has a device.',
  })
  printerId?: string | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'The id of the camera that the machine is; null for a printer. BAD_USER_INPUT if the camera is unknown, or if the kind is for printers. ' +
      'CONFLICT if the camera already has a device.',
  })
  cameraId?: string | null;

  @Field(() => String, { description: ADDRESS })
  address!: string;

  @Field(() => String, {
    nullable: true,
    description: `${SERIAL} Required for ${SERIALS.kinds}. Other kinds have no serial number.`,
  })
  serial?: string | null;

  @Field(() => String, { nullable: true, description: `${USERNAME} An empty text means no user name.` })
  username?: string | null;

  @Secret()
  @Field(() => String, {
    nullable: true,
    description: `${SECRET} An empty text means no secret. BAD_USER_INPUT if the gateway has no key to encrypt the secret.`,
  })
  secret?: string | null;

  @Field(() => String, { nullable: true, description: FINGERPRINT })
  certificateFingerprint?: string | null;

  @Field(() => Boolean, { defaultValue: true, description: 'Whether the gateway connects to the machine.' })
  enabled!: boolean;

  @Field(() => Boolean, {
    defaultValue: true,
    description:
      'Whether the slots of the printer follow the spools that the machine reports, as Device.followsSpools explains.',
  })
  followsSpools!: boolean;

  @Field(() => Boolean, {
    defaultValue: false,
    description: "Whether the gateway sets Moonraker's active spool when a user loads or unloads the only slot.",
  })
  setsActiveSpool!: boolean;
}

@InputType({
  description:
    'Changes to a device. Members that you leave out stay as they are. If address or certificateFingerprint change without a new secret, the ' +
    'stored secret is deleted, so that it is never sent to another machine.',
})
export class UpdateDeviceInput {
  @Field(() => String, { nullable: true, description: `${ADDRESS} null leaves it unchanged.` })
  address?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `${SERIAL} null and an empty text are refused for ${SERIALS.kinds}.`,
  })
  serial?: string | null;

  @Field(() => String, { nullable: true, description: `${USERNAME} null or an empty text removes it.` })
  username?: string | null;

  @Secret()
  @Field(() => String, { nullable: true, description: `${SECRET} null or an empty text removes it.` })
  secret?: string | null;

  @Field(() => String, { nullable: true, description: `${FINGERPRINT} null or an empty text removes it.` })
  certificateFingerprint?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the gateway connects to the machine; null leaves it unchanged.',
  })
  enabled?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the slots of the printer follow the spools that the machine reports; null leaves it unchanged. When it is switched on, only ' +
      'empty slots are filled at first.',
  })
  followsSpools?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "Whether the gateway sets Moonraker's active spool when a user loads or unloads the only slot; null leaves it unchanged.",
  })
  setsActiveSpool?: boolean | null;
}
