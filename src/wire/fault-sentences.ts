// The one table of what is seen on the wire: each fault with its sentence for people, which names the remedy of that fault.
// No byte that the other side sent is in one.
import { DEVICE_KINDS, type DeviceKind, type KindFacts } from '../kind-facts';
import type { ConnectionFault, ReceiverFault } from './faults';

export type ReceiverKind = 'WEBHOOK' | 'NTFY' | 'MQTT';

interface Sentences {
  machine(kind: KindFacts): string;
  receiver(kind: ReceiverKind): string;
}

const CREDENTIALS: Record<ReceiverKind, string> = {
  WEBHOOK: 'see that it checks with the signing secret of this target, or make a new secret and give it that',
  NTFY: 'give an access token that may write to the topic',
  MQTT: 'give the user name and the password that it accepts',
};
const SPOKEN: Record<ReceiverKind, string> = { WEBHOOK: 'HTTP', NTFY: 'HTTP', MQTT: 'MQTT 3.1.1' };
const KEY = 'give the gateway the key again that it had (DEVICE_KEY or the file beside the data)';

const ANOTHER_PROGRAM = (kind: ReceiverKind) =>
  `What answers at the host and port of the URL speaks no ${SPOKEN[kind]}: correct the host or the port.`;

const CONNECTION: Record<ConnectionFault, Sentences> = {
  NOT_RESOLVED: {
    machine: () =>
      'No machine has this name: correct the address, give the IP address, or see that the gateway can look names up.',
    receiver: () => 'The host of the URL has no address: correct the URL, or see that the gateway can look names up.',
  },
  NOT_ALLOWED: {
    machine: () =>
      'The address is in no network that devices may be in: correct it, or name its network in DEVICE_NETWORKS and start the gateway again.',
    receiver: () =>
      'The host of the URL is in no private network: name the host in NOTIFY_HOSTS, or its network in DEVICE_NETWORKS, and start the gateway again. The gateway itself and link-local addresses are never allowed.',
  },
  NOT_REACHABLE: {
    machine: ({ name, address, ports = address.port }) =>
      `Nothing takes connections at this port: correct the port, which is ${ports} unless it was changed, and see that ${name} runs.`,
    receiver: () =>
      'Nothing takes connections at the host and port of the URL: correct the URL, and see that the receiver runs.',
  },
  TIMED_OUT: {
    machine: () =>
      'The machine does not answer: switch it on, and compare the address with the one that the machine shows.',
    receiver: () =>
      'The receiver did not answer in time: see that it runs, and that it answers before it does long work.',
  },
  CLOSED_AT_ONCE: {
    machine: ({ name }) =>
      `The connection was taken, and closed at once: correct the address, which may need https:// before it, or if ${name} has as many clients as it takes, end other programs that listen to it.`,
    receiver: (kind) =>
      kind === 'MQTT'
        ? 'The broker closed the connection before it took the login: see that it takes one more client, and correct the URL, which may need mqtts or another port.'
        : 'The receiver closed the connection without an answer: correct the URL, which may need https or another port.',
  },
  HTTPS_REQUIRED: {
    machine: ({ name }) =>
      `At this address ${name} is reached through https only: give an https:// address, with its port if that is not 443.`,
    receiver: (kind) =>
      `The receiver accepts connections with TLS only. Enter its ${kind === 'MQTT' ? 'mqtts' : 'https'} address.`,
  },
  TLS_NOT_SPOKEN: {
    machine: ({ name, address: { schemes } }) =>
      schemes.some((scheme) => scheme === 'http')
        ? `What answers at this port speaks no TLS: give an http:// address, or the port at which ${name} speaks TLS.`
        : `What answers at this port speaks no TLS, as ${name} does: correct the port.`,
    receiver: (kind) =>
      `What answers at this port speaks no TLS: give a URL with ${kind === 'MQTT' ? 'mqtt' : 'http'}, or the port with TLS.`,
  },
  TLS_TOO_OLD: {
    machine: ({ name }) => `It speaks no TLS newer than 1.1, which is not safe any more: bring ${name} up to date.`,
    receiver: () =>
      'The receiver speaks no TLS newer than 1.1, which is not safe any more: bring it up to date, or let it speak TLS 1.2.',
  },
  PROXY_REFUSED: {
    machine: ({ name }) =>
      `A proxy in front of ${name} asks for a password of its own (HTTP Basic), which the gateway cannot give: give the address of ${name} behind the proxy, or let the proxy admit the gateway.`,
    receiver: () =>
      'A proxy in front of the receiver asks for a password of its own, which the gateway cannot give: give the URL of the receiver behind the proxy.',
  },
  CREDENTIALS_REFUSED: {
    machine: ({ name, secret }) => `The credentials were refused by ${name}: ${secret}.`,
    receiver: (kind) => `The receiver does not take the message: ${CREDENTIALS[kind]}.`,
  },
  CERTIFICATE_NOT_TRUSTED: {
    machine: ({ certificate }) =>
      certificate ??
      'The certificate is not trusted: test the device, compare the fingerprint with that of the machine, and save it here.',
    receiver: () =>
      'The certificate of the receiver is not trusted: send a test, compare the fingerprint with that of the receiver, and save it here.',
  },
  WRONG_DEVICE: {
    machine: () =>
      'No machine with this serial number is heard at this address: correct the serial number or the address, or restart the machine.',
    receiver: ANOTHER_PROGRAM,
  },
  NOT_THIS_KIND: {
    machine: ({ name }) =>
      `Another program than ${name} answers there: correct the port, or remove the device and add it with its right kind.`,
    receiver: ANOTHER_PROGRAM,
  },
  SILENT: {
    machine: ({ name }) => `The connection stands, but nothing is heard: restart ${name}.`,
    receiver: () => 'The connection stands, but nothing is heard: restart the receiver.',
  },
  PROTOCOL_ERROR: {
    machine: ({ name }) => `The gateway does not understand the answers: bring ${name} up to date, and restart it.`,
    receiver: (kind) =>
      `The gateway does not understand the answers: see that the receiver speaks ${SPOKEN[kind]}, and bring it up to date.`,
  },
  TOO_MUCH_DATA: {
    machine: ({ name, tooMuch }) =>
      `More was sent than the gateway takes from a machine: see that only ${name} is at this address, and ${tooMuch ?? 'restart it'}.`,
    receiver: (kind) =>
      kind === 'MQTT'
        ? 'The broker sends more than the farm has: give the farm a prefix of its own, and empty what other programs retain below it.'
        : 'The receiver sends more than an answer has: see that the URL leads to the receiver, and not to a file.',
  },
  SECRET_NOT_READABLE: {
    machine: () => `The stored secret cannot be read: ${KEY}, or enter the secret again.`,
    receiver: () => `The stored secret cannot be read: ${KEY}, or give a new secret.`,
  },
};

const RECEIVER: Record<Exclude<ReceiverFault, ConnectionFault>, string> = {
  RETAIN_REFUSED: 'The broker takes no retained messages, in which the states are: allow them (retain_available).',
  MESSAGE_TOO_LARGE:
    'The broker closes the connection at a message of this length: raise the size that it allows (max_packet_size).',
  REDIRECTED:
    'The receiver redirects to another address, which the gateway does not follow. Enter the address that it leads to. If that is a login page, let the gateway in without a login.',
  NOT_NTFY:
    'Something answers, but not as ntfy does: a login page or another program is in front of it. Enter the address of the ntfy server itself, or let the gateway in without a login.',
  BUSY: 'The receiver asks for fewer messages: the gateway waits, and tries again by itself.',
  GONE: 'The receiver says that it is gone for good, so nothing is sent any more: correct the URL, and enable the target again.',
  REFUSED: 'The receiver answers with an error: correct the URL, and see what the receiver says in its own log.',
};

/** The faults that are shown while the connection is open. */
const REMARKS: Partial<Record<ConnectionFault, (kind: KindFacts) => string>> = {
  TOO_MUCH_DATA: ({ name }) =>
    `More new prints were reported than a printer makes: 60 an hour are recorded, and further ones are left out until the hour is over. See that only ${name} is at this address.`,
  PROTOCOL_ERROR: () =>
    'Something that the printer reported could not be stored, and is left out. What is known of its print waits for a person, and the log of the gateway has the reason.',
};

const isOfConnection = (fault: ReceiverFault): fault is ConnectionFault => Object.hasOwn(CONNECTION, fault);

export const machineRemark = (fault: ConnectionFault, kind: DeviceKind): string =>
  (REMARKS[fault] ?? CONNECTION[fault].machine)(DEVICE_KINDS[kind]);

export const machineSentence = (fault: ConnectionFault, kind: DeviceKind): string =>
  CONNECTION[fault].machine(DEVICE_KINDS[kind]);

export const receiverSentence = (fault: ReceiverFault, kind: ReceiverKind): string =>
  isOfConnection(fault) ? CONNECTION[fault].receiver(kind) : RECEIVER[fault];

/** All of them, for the test of the table. */
export const CONNECTION_FAULTS = Object.keys(CONNECTION) as ConnectionFault[];
export const RECEIVER_FAULTS = Object.keys(RECEIVER) as ReceiverFault[];
