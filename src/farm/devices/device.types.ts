// Declares the GraphQL types of devices (connections in the dashboard): the machines, the states of their connections, and the result of a test.
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DEVICE_KINDS, type DeviceKind, SERIALS } from '../../kind-facts';
import type { ConnectionFault } from '../../wire/faults';
import { defineEnum } from '../graph/enums';
import { Node } from '../graph/node';
import { DateTimeScalar } from '../graph/scalars';
import { PrinterActivityEnum, type StateOfPrinter } from '../printer-states/printer-state.types';
import { MAX_NEW_PRINTS } from '../prints/device-history.store';

export const DeviceKindEnum = defineEnum(
  'DeviceKind',
  'How the gateway talks to a machine.',
  Object.fromEntries(Object.entries(DEVICE_KINDS).map(([kind, { description }]) => [kind, description])) as Record<
    DeviceKind,
    string
  >,
);

const DeviceConnectionStateEnum = defineEnum('DeviceConnectionState', 'The state of the connection to a machine.', {
  CONNECTING:
    'The gateway is connecting or will connect soon. A device is also CONNECTING if the gateway process that was connected has stopped.',
  CONNECTED: 'The gateway is connected, and the machine has reported its state.',
  OFFLINE:
    'The machine does not answer, or its answers are not those of such a machine. `fault` says why. The gateway tries again within a minute.',
  REFUSED:
    'The machine or a proxy rejects the credentials, the certificate is not trusted, or the stored secret cannot be read. The gateway tries ' +
    'again after 15 minutes, or immediately after a change of the device.',
  DISABLED: 'The device is disabled, so the gateway does not connect.',
});
export type DeviceConnectionState = keyof typeof DeviceConnectionStateEnum;

const DeviceFaultEnum = defineEnum<ConnectionFault>(
  'DeviceFault',
  'Why the gateway is not connected to a machine, or does not record all of its reports.',
  {
    NOT_REACHABLE: 'Nothing is listening at the address and port.',
    NOT_RESOLVED: 'The host name cannot be resolved to an address.',
    NOT_ALLOWED: 'The host name resolves only to addresses where the gateway allows no device (DEVICE_NETWORKS).',
    TIMED_OUT: 'The machine did not answer in time.',
    CLOSED_AT_ONCE:
      'The machine accepts the connection but closes it immediately, for example because it already has as many clients as it allows.',
    HTTPS_REQUIRED: 'The machine requires TLS, but the address does not start with https.',
    TLS_NOT_SPOKEN: 'The gateway connects with TLS, but the machine answers without TLS.',
    TLS_TOO_OLD: 'The machine supports only TLS 1.1 or older.',
    PROXY_REFUSED: 'A proxy in front of the machine requires its own password.',
    CREDENTIALS_REFUSED:
      'The machine rejects the password, access code or API key, or none was entered although the machine requires it.',
    CERTIFICATE_NOT_TRUSTED:
      'The certificate of the machine is not signed by a trusted authority, and its fingerprint is not the one of the device.',
    WRONG_DEVICE: 'The machine reports a serial number that differs from the serial number of the device.',
    NOT_THIS_KIND: 'A machine answers, but it is not of the kind of the device.',
    SILENT: 'The machine accepts the connection but sends no data.',
    PROTOCOL_ERROR:
      'The machine sends data that a machine of this kind never sends, or that the gateway cannot record.',
    TOO_MUCH_DATA: `The machine sends more data than a machine of this kind ever sends, or reports more than ${MAX_NEW_PRINTS} new prints in an hour.`,
    SECRET_NOT_READABLE:
      'The gateway cannot decrypt the stored secret, because its key changed or is missing. Enter the secret again.',
  },
);

@ObjectType({ description: 'The connection to a machine.', simpleResolvers: true })
export class DeviceConnection {
  @Field(() => DeviceConnectionStateEnum, { description: 'The current state.' })
  state!: DeviceConnectionState;

  @Field(() => DateTimeScalar, { description: 'Since when the connection has been in this state.' })
  since!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'The time of the last message of the machine, accurate to about 30 seconds; null before its first message, or if the time is in the ' +
      'future because a clock was ahead.',
  })
  lastMessageAt!: string | null;

  @Field(() => DeviceFaultEnum, {
    nullable: true,
    description:
      'Why the connection is not CONNECTED. For a connected printer: why not all of its reports are recorded (TOO_MUCH_DATA or ' +
      'PROTOCOL_ERROR). null if there is no fault, before the first attempt to connect, and while the device is disabled.',
  })
  fault!: ConnectionFault | null;

  @Field(() => String, {
    nullable: true,
    description:
      'A message that explains the fault and says what to do. It also names another device that is the same machine. null without a fault and ' +
      'such a device. The message contains nothing that the machine sent.',
  })
  message!: string | null;

  deviceId!: string;
}

@ObjectType({ description: 'What Moonraker reports about its Spoolman.', simpleResolvers: true })
export class DeviceSpoolman {
  @Field(() => Boolean, {
    nullable: true,
    description:
      "Whether the gateway is Moonraker's Spoolman, so that the numbers are spools of this farm. null while that is unknown.",
  })
  isThisGateway!: boolean | null;

  @Field(() => Int, {
    nullable: true,
    description: "The number of Moonraker's active spool. null if no spool is active.",
  })
  activeNumber!: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'A message that says why the slots do not follow the machine, and what to do. null while they do. The message contains no text of the Spoolman.',
  })
  message!: string | null;
}

@ObjectType({
  implements: Node,
  description:
    'A machine that the gateway connects to. The gateway only reads from machines, with one exception: where `setsActiveSpool` is on, it sets ' +
    "Moonraker's active spool.",
  simpleResolvers: true,
})
export class Device {
  @Field(() => ID, { description: 'GUID.' })
  id!: string;

  @Field(() => DeviceKindEnum, {
    description: 'How the gateway talks to the machine. The kind cannot be changed: add another device instead.',
  })
  kind!: DeviceKind;

  @Field(() => String, { description: 'Host, host:port or URL as it was entered, without credentials.' })
  address!: string;

  @Field(() => String, {
    nullable: true,
    description: `The serial number of ${SERIALS.machines}; null for other kinds.`,
  })
  serial!: string | null;

  @Field(() => Boolean, {
    description: 'Whether a password, access code or API key is stored. You can replace it, but never read it.',
  })
  hasSecret!: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      'SHA-256 of the only trusted certificate, as 64 hexadecimal digits. If null, the certificate must be signed by a trusted authority, and ' +
      `must name the host or the serial number of ${SERIALS.machines}.`,
  })
  certificateFingerprint!: string | null;

  @Field(() => Boolean, { description: 'Whether the gateway connects to the machine.' })
  enabled!: boolean;

  @Field(() => Boolean, {
    description:
      "Whether the spools in the printer's slots follow the machine. MOONRAKER: the active spool, the spool_id of the tool macros, or the " +
      "gates of Happy Hare, if Moonraker's Spoolman is this gateway. BAMBU: the tags of the spools. Other kinds report no spools.",
  })
  followsSpools!: boolean;

  @Field(() => Boolean, {
    description:
      "MOONRAKER: whether the gateway sets Moonraker's active spool when a user loads or unloads the only slot of the printer. It is the only " +
      'thing that the gateway ever sets in a machine. No effect on other kinds.',
  })
  setsActiveSpool!: boolean;

  @Field(() => DeviceSpoolman, {
    nullable: true,
    description:
      'What Moonraker reports about its Spoolman; null for other kinds, if Moonraker has no Spoolman, and before its first report.',
  })
  spoolman!: DeviceSpoolman | null;

  @Field(() => DeviceConnection, { description: 'The state of the connection.' })
  connection!: DeviceConnection;

  @Field(() => DateTimeScalar, { description: 'When the device was added.' })
  createdAt!: string;

  @Field(() => DateTimeScalar, {
    description: 'When the device was last changed. Changes of its connection do not count.',
  })
  updatedAt!: string;

  /** The ids of the printer or the camera that the machine is. */
  printerId!: string | null;
  cameraId!: string | null;
}

@ObjectType({
  description: 'The result of one attempt to connect to a machine. Nothing of it is stored.',
  simpleResolvers: true,
})
export class DeviceTest {
  @Field(() => Boolean, { description: 'Whether anything answered at the address.' })
  reached!: boolean;

  @Field(() => DeviceFaultEnum, {
    nullable: true,
    description: 'Why the gateway cannot connect to the machine; null if the connection succeeded.',
  })
  fault!: ConnectionFault | null;

  @Field(() => String, {
    nullable: true,
    description: 'A message that explains the fault and says what to do; null without a fault.',
  })
  message!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The name that the machine reports, such as its host name; null if not reported.',
  })
  name!: string | null;

  @Field(() => String, { nullable: true, description: 'The model that the machine reports; null if not reported.' })
  model!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The serial number that the machine reports; null if not reported.',
  })
  serial!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The firmware version that the machine reports; null if not reported.',
  })
  firmware!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'SHA-256 of the certificate of the machine, as hexadecimal digits; null without TLS. It is also given for a certificate that is not trusted, ' +
      'so that a user can compare it with the display of the machine.',
  })
  certificateFingerprint!: string | null;

  @Field(() => PrinterActivityEnum, {
    nullable: true,
    description: 'What the printer is doing now; null for a camera, and if the printer did not report it in time.',
  })
  activity!: StateOfPrinter['activity'] | null;
}
