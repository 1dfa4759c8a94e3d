// Devices as the graph shows them: the machines that the gateway listens to, and how each connection is.
import { Field, ID, ObjectType } from 'type-graphql';
import { DEVICE_KINDS, type DeviceKind, SERIALS } from '../../kind-facts';
import type { ConnectionFault } from '../../wire/faults';
import { enumOf } from '../graph/enums';
import { Node } from '../graph/node';
import { DateTimeScalar } from '../graph/scalars';
import { PrinterActivityEnum, type StateOfPrinter } from '../printer-states/printer-state.types';
import { MAX_NEW_PRINTS } from '../prints/device-history.store';

export const DeviceKindEnum = enumOf(
  'DeviceKind',
  'How the gateway talks to a machine.',
  Object.fromEntries(Object.entries(DEVICE_KINDS).map(([kind, { description }]) => [kind, description])) as Record<
    DeviceKind,
    string
  >,
);

const DeviceConnectionStateEnum = enumOf('DeviceConnectionState', 'How a connection to a machine is.', {
  CONNECTING: 'The gateway is about to connect, or connects now; also when the process that was connected is gone.',
  CONNECTED: 'The machine has said what it does, and goes on to be heard of.',
  OFFLINE:
    'The machine does not answer, or not as it should: `fault` says why. The gateway tries again, at most a minute later.',
  REFUSED:
    'The credentials are refused by the machine or a proxy, the certificate is not trusted, or the stored secret cannot be read. The gateway tries again after ' +
    '15 minutes, or at once when the device is changed.',
  DISABLED: 'The device is not enabled, so the gateway does not connect.',
});
export type DeviceConnectionState = keyof typeof DeviceConnectionStateEnum;

const DeviceFaultEnum = enumOf<ConnectionFault>('DeviceFault', 'Why the gateway is not connected to a machine.', {
  NOT_REACHABLE: 'Nothing takes connections at the address and port.',
  NOT_RESOLVED: 'The name has no address.',
  NOT_ALLOWED: 'The name has addresses, and none where a device may be.',
  TIMED_OUT: 'There was no answer in time.',
  CLOSED_AT_ONCE:
    'The machine takes the connection and closes it at once, such as one with as many clients as it takes.',
  HTTPS_REQUIRED: 'The machine wants TLS, and the address has none.',
  TLS_NOT_SPOKEN: 'The address wants TLS, and what answers there speaks none.',
  TLS_TOO_OLD: 'The machine speaks no TLS newer than 1.1.',
  PROXY_REFUSED: 'A proxy in front of the machine wants a password of its own.',
  CREDENTIALS_REFUSED: 'The machine does not accept the password, access code or API key, or wants one.',
  CERTIFICATE_NOT_TRUSTED: 'The certificate is neither signed by an authority nor the one that is trusted.',
  WRONG_DEVICE: 'It is another machine than the serial number says.',
  NOT_THIS_KIND: 'What answers is not a machine of this kind.',
  SILENT: 'The machine takes the connection, and then says nothing.',
  PROTOCOL_ERROR: 'The machine says what a machine of this kind does not say, or what cannot be recorded.',
  TOO_MUCH_DATA: `The machine sends more than a machine of this kind does, or reports more than ${MAX_NEW_PRINTS} new prints in an hour.`,
  SECRET_NOT_READABLE: 'The stored secret cannot be read, because the key of the gateway is another one or is gone.',
});

@ObjectType({ description: 'How the connection to a machine is.', simpleResolvers: true })
export class DeviceConnection {
  @Field(() => DeviceConnectionStateEnum, { description: 'How it is now.' })
  state!: DeviceConnectionState;

  @Field(() => DateTimeScalar, { description: 'Since when it has this state.' })
  since!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the machine was last heard of, to about 30 seconds; null before its first message, and when the clock that gave the time was ahead.',
  })
  lastMessageAt!: string | null;

  @Field(() => DeviceFaultEnum, {
    nullable: true,
    description:
      'Why it is not CONNECTED, or of a printer that is, why not all that it reports is recorded: TOO_MUCH_DATA or PROTOCOL_ERROR. Null ' +
      'when all is well, when it is about to connect, and when the device is disabled.',
  })
  fault!: ConnectionFault | null;

  @Field(() => String, {
    nullable: true,
    description:
      'A sentence for people, which says what to do: about the fault, and about another device that is the same machine; null where ' +
      'neither is. Nothing that the machine sent is in it.',
  })
  message!: string | null;

  deviceId!: string;
}

@ObjectType({
  implements: Node,
  description: 'A machine that the gateway listens to. The gateway never controls one.',
  simpleResolvers: true,
})
export class Device {
  @Field(() => ID, { description: 'GUID.' })
  id!: string;

  @Field(() => DeviceKindEnum, {
    description: 'How the gateway talks to it. A device of another kind is another device.',
  })
  kind!: DeviceKind;

  @Field(() => String, { description: 'Host, host:port or URL as it was given, without credentials.' })
  address!: string;

  @Field(() => String, { nullable: true, description: `The serial number of ${SERIALS.of}; null for other kinds.` })
  serial!: string | null;

  @Field(() => Boolean, {
    description: 'Whether a password, access code or API key is stored. It can be replaced, and never be read.',
  })
  hasSecret!: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      'SHA-256 of the only certificate that is trusted, as 64 hexadecimal digits; null: one that an authority signed, which ' +
      `names the host, or the serial number of ${SERIALS.of}.`,
  })
  certificateFingerprint!: string | null;

  @Field(() => Boolean, { description: 'Whether the gateway connects to it.' })
  enabled!: boolean;

  @Field(() => DeviceConnection, { description: 'How the connection is.' })
  connection!: DeviceConnection;

  @Field(() => DateTimeScalar, { description: 'When the device was added.' })
  createdAt!: string;

  @Field(() => DateTimeScalar, { description: 'When the device was last changed; its connection does not change it.' })
  updatedAt!: string;

  /** The printer or the camera that it is. */
  printerId!: string | null;
  cameraId!: string | null;
}

@ObjectType({
  description: 'What one try to connect to a machine found. Nothing of it is stored.',
  simpleResolvers: true,
})
export class DeviceTest {
  @Field(() => Boolean, { description: 'Whether anything answered at the address.' })
  reached!: boolean;

  @Field(() => DeviceFaultEnum, {
    nullable: true,
    description: 'Why the gateway cannot listen to it; null when it can.',
  })
  fault!: ConnectionFault | null;

  @Field(() => String, { nullable: true, description: 'The fault as a sentence for people, which says what to do.' })
  message!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What the machine is called, such as its host name; null when it does not say.',
  })
  name!: string | null;

  @Field(() => String, { nullable: true, description: 'What the machine calls its model; null when it does not say.' })
  model!: string | null;

  @Field(() => String, { nullable: true, description: 'Its serial number; null when it does not say.' })
  serial!: string | null;

  @Field(() => String, { nullable: true, description: 'The version of its program; null when it does not say.' })
  firmware!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'SHA-256 of its certificate as hexadecimal digits, also when it is not trusted, to compare with what the machine shows; ' +
      'null without TLS.',
  })
  certificateFingerprint!: string | null;

  @Field(() => PrinterActivityEnum, {
    nullable: true,
    description: 'What it does now; null for a camera, and when it did not say in time.',
  })
  activity!: StateOfPrinter['activity'] | null;
}
