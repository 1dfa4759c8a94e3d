// Decides the sentences that a user reads about a machine or a receiver that cannot be reached: what happened, why, and what to do next.
// No sentence contains a byte that the other end sent.
import { DEVICE_KINDS, type DeviceKind, type KindFacts } from '../kind-facts';
import type { ConnectionFault, ReceiverFault } from './faults';

export type ReceiverKind = 'WEBHOOK' | 'NTFY' | 'MQTT';

interface ReceiverTexts {
  /** The name of the receiver inside a sentence. */
  name: string;
  protocol: string;
  plainScheme: string;
  tlsScheme: string;
  /** What a user does if the receiver rejects the credentials. */
  credentials: string;
}

const RECEIVERS: Record<ReceiverKind, ReceiverTexts> = {
  WEBHOOK: {
    name: 'the receiver',
    protocol: 'HTTP',
    plainScheme: 'http',
    tlsScheme: 'https',
    credentials:
      'Check that it verifies messages with the signing secret of this channel. If you no longer have the secret, generate a new one and enter it at the receiver',
  },
  NTFY: {
    name: 'the ntfy server',
    protocol: 'HTTP',
    plainScheme: 'http',
    tlsScheme: 'https',
    credentials: 'Enter an access token that may publish to this topic',
  },
  MQTT: {
    name: 'the broker',
    protocol: 'MQTT 3.1.1',
    plainScheme: 'mqtt',
    tlsScheme: 'mqtts',
    credentials: 'Enter a user name and a password that the broker accepts',
  },
};

interface Sentences {
  machine(kind: KindFacts): string;
  receiver(texts: ReceiverTexts, kind: ReceiverKind): string;
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const KEY_LOST = 'The gateway cannot decrypt the stored secret, because its encryption key is missing or has changed.';
const RESTORE_KEY = 'Restore the key (DEVICE_KEY, or the file that ends with .device-key beside the data)';

const acceptsHttp = ({ address }: KindFacts) => address.schemes.some((scheme) => scheme === 'http');

const describeAnotherProgram = ({ protocol }: ReceiverTexts) =>
  `The program at the host and port of the URL does not use ${protocol}. Correct the host or the port.`;

const CONNECTION: Record<ConnectionFault, Sentences> = {
  NOT_RESOLVED: {
    machine: () =>
      "Your network does not know the name in the address. Check the spelling, or enter the IP address instead. If the name is right, check the DNS settings of the gateway's computer.",
    receiver: () =>
      "The host name in the URL has no address. Check the spelling. If the name is right, check the DNS settings of the gateway's computer.",
  },
  NOT_ALLOWED: {
    machine: () =>
      'The gateway may not connect to this address, because the address is outside your private networks. Correct the address, or add its network to DEVICE_NETWORKS and restart the gateway.',
    receiver: () =>
      'The gateway may not send to this host, because the host is outside your private networks. Add the host to NOTIFY_HOSTS, or its network to DEVICE_NETWORKS, and restart the gateway. The gateway itself and link-local addresses are never allowed.',
  },
  NOT_REACHABLE: {
    machine: ({ name, address, ports = address.port }) =>
      `Could not connect: nothing is listening at this address and port. Check that ${name} is running and that the port is right. The port is ${ports}, unless you changed it.`,
    receiver: ({ name }) =>
      `Could not connect: nothing is listening at the host and port of the URL. Check the URL, and check that ${name} is running.`,
  },
  TIMED_OUT: {
    machine: () =>
      'The machine does not answer. Check that it is switched on, and compare the address with the address that the machine shows.',
    receiver: ({ name }, kind) =>
      kind === 'WEBHOOK'
        ? 'The receiver did not answer in time. Check that it is running, and that it answers each message before it starts long work.'
        : `${capitalize(name)} did not answer in time. Check that it is running, and that the URL is right.`,
  },
  CLOSED_AT_ONCE: {
    machine: (kind) =>
      `${capitalize(kind.name)} accepted the connection and closed it immediately. Check the address${acceptsHttp(kind) ? ', which may have to start with https://' : ''}. If the address is right, too many programs may be connected to ${kind.name}: close some of them.`,
    receiver: (_texts, kind) =>
      kind === 'MQTT'
        ? 'The broker closed the connection before the login. Check that the broker accepts one more client, and check the URL, which may need mqtts:// or another port.'
        : 'The receiver closed the connection without an answer. Check the URL, which may need https:// or another port.',
  },
  HTTPS_REQUIRED: {
    machine: ({ name }) =>
      `${capitalize(name)} accepts only HTTPS at this address. Enter an address that starts with https://, with the port if it is not 443.`,
    receiver: ({ name, tlsScheme }) =>
      `${capitalize(name)} accepts only connections with TLS. Enter a URL that starts with ${tlsScheme}://.`,
  },
  TLS_NOT_SPOKEN: {
    machine: (kind) =>
      acceptsHttp(kind)
        ? `The program at this port does not use TLS. Enter an address that starts with http://, or the port at which ${kind.name} uses TLS.`
        : `The program at this port does not use TLS, so it is not ${kind.name}. Correct the port.`,
    receiver: ({ plainScheme }) =>
      `The program at this port does not use TLS. Enter a URL that starts with ${plainScheme}://, or the port for TLS.`,
  },
  TLS_TOO_OLD: {
    machine: ({ name }) =>
      `${capitalize(name)} offers only TLS 1.1 or older, which is no longer safe. Update the software of ${name}.`,
    receiver: ({ name }) =>
      `${capitalize(name)} offers only TLS 1.1 or older, which is no longer safe. Update it, or enable TLS 1.2 in its settings.`,
  },
  PROXY_REFUSED: {
    machine: ({ name }) =>
      `A proxy in front of ${name} asks for a password (HTTP Basic), which the gateway cannot send. Enter the address of ${name} behind the proxy, or let the gateway pass the proxy without a password.`,
    receiver: ({ name }) =>
      `A proxy in front of ${name} asks for a password, which the gateway cannot send. Enter the URL of ${name} behind the proxy.`,
  },
  CREDENTIALS_REFUSED: {
    machine: ({ name, secret }) => `${capitalize(name)} rejects the gateway's credentials. ${capitalize(secret)}.`,
    receiver: ({ name, credentials }) => `${capitalize(name)} rejects the gateway's credentials. ${credentials}.`,
  },
  CERTIFICATE_NOT_TRUSTED: {
    machine: ({ certificate }) =>
      certificate ??
      'The certificate of the machine is not trusted. Test the connection, compare the fingerprint that the test finds with the certificate on the machine, and save it here.',
    receiver: ({ name }) =>
      `The certificate of ${name} is not trusted. Send a test message, compare the fingerprint that the test finds with the certificate of ${name}, and save it here.`,
  },
  WRONG_DEVICE: {
    machine: () =>
      'No machine with this serial number answers at this address. Check the serial number and the address. If both are right, restart the machine.',
    receiver: describeAnotherProgram,
  },
  NOT_THIS_KIND: {
    machine: ({ name }) =>
      `Another program answers at this address, not ${name}. Correct the port, or remove this connection and add it again with the right kind.`,
    receiver: describeAnotherProgram,
  },
  SILENT: {
    machine: ({ name }) => `Connected, but ${name} sends no data. Restart ${name}.`,
    receiver: ({ name }) => `Connected, but ${name} sends no data. Restart ${name}.`,
  },
  PROTOCOL_ERROR: {
    machine: ({ name }) =>
      `The gateway does not understand the answers of ${name}. Update the software of ${name}, and restart it.`,
    receiver: ({ name, protocol }) =>
      `The gateway does not understand the answers of ${name}. Check that it supports ${protocol}, and update it.`,
  },
  TOO_MUCH_DATA: {
    machine: ({ name, tooMuch = `restart ${name}` }) =>
      `Too much data: the gateway accepts only so much from one machine. Check that only ${name} uses this address. Then ${tooMuch}.`,
    receiver: (_texts, kind) =>
      kind === 'MQTT'
        ? 'The broker sends too many messages that do not belong to this farm. Enter a topic prefix that only this farm uses, and delete the retained messages of other programs below it.'
        : 'The answer is longer than the gateway accepts. Check that the URL leads to the receiver, and not to a file.',
  },
  SECRET_NOT_READABLE: {
    machine: () => `${KEY_LOST} ${RESTORE_KEY}, or enter the secret again.`,
    receiver: () => `${KEY_LOST} ${RESTORE_KEY}, or enter a new secret.`,
  },
};

const RECEIVER: Record<Exclude<ReceiverFault, ConnectionFault>, string> = {
  RETAIN_REFUSED:
    'The broker rejects retained messages, which the gateway needs for the states. Allow retained messages in the settings of the broker (retain_available).',
  MESSAGE_TOO_LARGE:
    'The broker closed the connection because a message was too long. Raise the limit in the settings of the broker (max_packet_size).',
  REDIRECTED:
    'The receiver redirects to another address, and the gateway does not follow redirects. Enter the address that it leads to, which may start with https://. If it leads to a login page, let the gateway in without a login.',
  NOT_NTFY:
    'The answer did not come from ntfy, but from a login page or another program in front of it. Enter the address of the ntfy server itself, or let the gateway in without a login.',
  BUSY: 'The receiver asks the gateway to slow down. The gateway waits and tries again, so you need not do anything.',
  GONE: 'The receiver answers that this address is gone for good (HTTP 410), so the gateway sends nothing more. Correct the URL, and enable the channel again.',
  REFUSED: 'The receiver answers with an error. Check the URL, and look for the reason in the log of the receiver.',
};

/** The sentences for faults that appear while the machine is connected, because the gateway does not record all prints. */
const RECORDING: Partial<Record<ConnectionFault, (kind: KindFacts) => string>> = {
  TOO_MUCH_DATA: ({ name }) =>
    `The printer reported more than 60 new prints in an hour, more than a printer can make. The gateway skips further prints until the hour is over. Check that only ${name} uses this address.`,
  PROTOCOL_ERROR: () =>
    'The gateway could not store a change that the printer reported, and skipped it. The print of this change needs your input. The log of the gateway has the reason.',
};

const isConnectionFault = (fault: ReceiverFault): fault is ConnectionFault => Object.hasOwn(CONNECTION, fault);

/** The sentence about a machine that is connected, but whose prints are not all recorded. */
export const describeRecordingFault = (fault: ConnectionFault, kind: DeviceKind): string =>
  (RECORDING[fault] ?? CONNECTION[fault].machine)(DEVICE_KINDS[kind]);

/** The sentence about a machine that is not connected. */
export const describeMachineFault = (fault: ConnectionFault, kind: DeviceKind): string =>
  CONNECTION[fault].machine(DEVICE_KINDS[kind]);

export const describeReceiverFault = (fault: ReceiverFault, kind: ReceiverKind): string =>
  isConnectionFault(fault) ? CONNECTION[fault].receiver(RECEIVERS[kind], kind) : RECEIVER[fault];

/** All faults, for the tests of the sentences. */
export const CONNECTION_FAULTS = Object.keys(CONNECTION) as ConnectionFault[];
export const RECEIVER_FAULTS = Object.keys(RECEIVER) as ReceiverFault[];
