// The faults of connections as sentences for people: each says what to do. Nothing that a machine sent is in them.
import { DEVICE_KINDS, type DeviceKind, type KindFacts } from '../kinds';
import type { DeviceFault } from './connection';

const SENTENCES: Record<DeviceFault, (kind: KindFacts) => string> = {
  NOT_RESOLVED: () =>
    'No machine has this name in the networks that devices may be in: correct the address, or give the IP address.',
  NOT_REACHABLE: ({ name, address, ports = address.port }) =>
    `Nothing takes connections at this port: correct the port, which is ${ports} unless it was changed, and see that ${name} runs.`,
  TIMED_OUT: () =>
    'The machine does not answer: switch it on, and compare the address with the one that the machine shows.',
  CLOSED_AT_ONCE: ({ name }) =>
    `The connection was taken, and closed at once: correct the address, which may need https:// before it, or if ${name} has as many clients as it takes, end other programs that listen to it.`,
  HTTPS_REQUIRED: ({ name }) =>
    `At this address ${name} is reached through https only: give an https:// address, with its port if that is not 443.`,
  PROXY_REFUSED: ({ name }) =>
    `A proxy in front of ${name} asks for a password of its own (HTTP Basic), which the gateway cannot give: give the address of ${name} behind the proxy, or let the proxy admit the gateway.`,
  CREDENTIALS_REFUSED: ({ name, secret }) => `The credentials were refused by ${name}: ${secret}.`,
  CERTIFICATE_NOT_TRUSTED: ({ certificate }) =>
    certificate ??
    'The certificate is not trusted: test the device, compare the fingerprint with that of the machine, and save it here.',
  WRONG_DEVICE: () =>
    'No machine with this serial number is heard at this address: correct the serial number or the address, or restart the machine.',
  NOT_THIS_KIND: ({ name }) =>
    `Another program than ${name} answers there: correct the port, or remove the device and add it with its right kind.`,
  SILENT: ({ name }) => `The connection stands, but nothing is heard: restart ${name}.`,
  PROTOCOL_ERROR: ({ name }) =>
    `The gateway does not understand the answers: bring ${name} up to date, and restart it.`,
  TOO_MUCH_DATA: ({ name }) =>
    `More was sent than the gateway takes from a machine: see that only ${name} is at this address, and restart it.`,
  SECRET_NOT_READABLE: () =>
    'The stored secret cannot be read: give the gateway the key again that it had (DEVICE_KEY, DEVICE_KEY_FILE or the file beside the data), or enter the secret again.',
};

/** What a connection that stands is told to lack. */
const REMARKS: Partial<Record<DeviceFault, (kind: KindFacts) => string>> = {
  TOO_MUCH_DATA: ({ name }) =>
    `More new prints were told than a printer makes: 60 an hour are recorded, and further ones are left out until the hour is over. See that only ${name} is at this address.`,
  PROTOCOL_ERROR: () =>
    'Something that the printer told could not be stored, and is left out. What is known of its print waits for a person, and the log of the gateway has the reason.',
};

export const remarkOf = (fault: DeviceFault, kind: DeviceKind): string =>
  (REMARKS[fault] ?? SENTENCES[fault])(DEVICE_KINDS[kind]);

export const messageOf = (fault: DeviceFault, kind: DeviceKind): string => SENTENCES[fault](DEVICE_KINDS[kind]);
