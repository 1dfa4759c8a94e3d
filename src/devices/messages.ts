// The faults of connections as sentences for people: each says what to do. Nothing that a machine sent is in them.
import type { DeviceFault } from './connection';

interface Words {
  /** The program or machine at the address. */
  name: string;
  port: string;
  /** Where its user finds what to give as secret. */
  secret: string;
  /** What to do about a certificate, where the machine shows none of its own. */
  certificate?: string;
}

const WORDS = {
  MOONRAKER: {
    name: 'Moonraker',
    port: '7125',
    secret:
      'give the API key that Moonraker shows at /access/api_key, or name this gateway among trusted_clients in moonraker.conf',
  },
  OCTOPRINT: {
    name: 'OctoPrint',
    port: '80',
    secret: 'in OctoPrint open Settings, Application Keys, make a key for the gateway, and give it as secret',
  },
  PRUSALINK: {
    name: 'PrusaLink',
    port: '80',
    secret:
      'give the password that the printer shows under Settings, Network, PrusaLink; for a Raspberry Pi give the API key that PrusaLink shows under Settings',
  },
  BAMBU: {
    name: 'the Bambu printer',
    port: '8883',
    secret: 'give the access code that the printer shows under Settings: WLAN on P1 and A1, Network on others',
    certificate:
      'No certificate is trusted yet, or the printer has another one: test the device while only your own network is between, and save the fingerprint that the test finds.',
  },
  OPEN_GOPRO: {
    name: 'the GoPro',
    port: '8080 over USB and 443 as COHN',
    secret: 'give the user name and password that the camera was given when COHN was set up',
  },
} satisfies Record<string, Words>;

const SENTENCES: Record<DeviceFault, (words: Words) => string> = {
  NOT_RESOLVED: () =>
    'No machine has this name in the networks that devices may be in: correct the address, or give the IP address.',
  NOT_REACHABLE: ({ name, port }) =>
    `Nothing takes connections at this port: correct the port, which is ${port} unless it was changed, and see that ${name} runs.`,
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
const REMARKS: Partial<Record<DeviceFault, (words: Words) => string>> = {
  TOO_MUCH_DATA: ({ name }) =>
    `More new prints were told than a printer makes: 60 an hour are recorded, and further ones are left out until the hour is over. See that only ${name} is at this address.`,
  PROTOCOL_ERROR: () =>
    'Something that the printer told could not be stored, and is left out. What is known of its print waits for a person, and the log of the gateway has the reason.',
};

export const remarkOf = (fault: DeviceFault, kind: keyof typeof WORDS): string =>
  (REMARKS[fault] ?? SENTENCES[fault])(WORDS[kind]);

export const messageOf = (fault: DeviceFault, kind: keyof typeof WORDS): string => SENTENCES[fault](WORDS[kind]);
