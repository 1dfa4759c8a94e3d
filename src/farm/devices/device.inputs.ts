// The inputs of devices.
import { Extensions, Field, ID, InputType } from 'type-graphql';
import { CAMERA_KINDS, type DeviceKind, SERIALS } from '../../kind-facts';
import { MAX_KEY_LENGTH } from '../../values/text';
import { type Device, DeviceKindEnum } from './device.types';

/** The longest address, serial number, user name and secret. */
export const MAX_DEVICE_TEXT = MAX_KEY_LENGTH;

/** No error and no hash of the request shows the value (graphql/demands.ts). */
const Secret = () => Extensions({ secret: true });

const ADDRESS =
  `Host, host:port or URL, 1 to ${MAX_DEVICE_TEXT} characters, without credentials and path. White space around it is left out, as around all members. An address must be private, of this ` +
  'machine, or in DEVICE_NETWORKS.';
const SERIAL = `Serial number of ${SERIALS.of}, at most ${MAX_DEVICE_TEXT} letters, digits, hyphens and underscores.`;
const USERNAME = `User name, at most ${MAX_DEVICE_TEXT} characters, where the machine wants one and it is not the usual one.`;
const SECRET = `Password, access code or API key, at most ${MAX_DEVICE_TEXT} characters. Stored encrypted; in no answer, log or backup in clear.`;
const FINGERPRINT =
  'SHA-256 of the certificate to trust, 64 hexadecimal digits, with or without colons. testDevice answers that of a machine. ' +
  'Only for an address with TLS. Without it, the certificate must be signed by an authority that the gateway trusts, else the connection is REFUSED.';

@InputType({ description: 'A machine to listen to.' })
export class AddDeviceInput implements Partial<Device> {
  @Field(() => DeviceKindEnum, {
    description: `How the gateway talks to it: ${Object.keys(CAMERA_KINDS).join(', ')} to a camera, the others to a printer.`,
  })
  kind!: DeviceKind;

  @Field(() => ID, {
    nullable: true,
    description:
      'GUID of the printer that it is; null for a camera. BAD_USER_INPUT when there is none, when it is archived, or for a kind of ' +
      'camera, CONFLICT when it has a device.',
  })
  printerId?: string | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'The camera that it is; null for a printer. BAD_USER_INPUT when there is none, or for a kind of printer, CONFLICT when it ' +
      'has a device.',
  })
  cameraId?: string | null;

  @Field(() => String, { description: ADDRESS })
  address!: string;

  @Field(() => String, {
    nullable: true,
    description: `${SERIAL} Required for ${SERIALS.kinds}. Other kinds have none.`,
  })
  serial?: string | null;

  @Field(() => String, { nullable: true, description: `${USERNAME} The empty text is none.` })
  username?: string | null;

  @Secret()
  @Field(() => String, {
    nullable: true,
    description: `${SECRET} The empty text is none. BAD_USER_INPUT when the gateway has no key to encrypt it with.`,
  })
  secret?: string | null;

  @Field(() => String, { nullable: true, description: FINGERPRINT })
  certificateFingerprint?: string | null;

  @Field(() => Boolean, { defaultValue: true, description: 'Whether the gateway connects to it.' })
  enabled!: boolean;
}

@InputType({
  description:
    'Changes to a device. Members that are left out stay as they are. A new address or certificateFingerprint without a new ' +
    'secret makes the gateway forget the secret, so that it is not sent to another machine.',
})
export class UpdateDeviceInput {
  @Field(() => String, { nullable: true, description: `${ADDRESS} Null leaves it.` })
  address?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `${SERIAL} Null and the empty text are refused for ${SERIALS.kinds}.`,
  })
  serial?: string | null;

  @Field(() => String, { nullable: true, description: `${USERNAME} Null or the empty text removes it.` })
  username?: string | null;

  @Secret()
  @Field(() => String, { nullable: true, description: `${SECRET} Null or the empty text removes it.` })
  secret?: string | null;

  @Field(() => String, { nullable: true, description: `${FINGERPRINT} Null or the empty text removes it.` })
  certificateFingerprint?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether the gateway connects to it; null leaves it.' })
  enabled?: boolean | null;
}
