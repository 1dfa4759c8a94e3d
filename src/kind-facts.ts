// Holds the facts about each kind of machine that all rooms need, one row for each kind. machines/kind-code.ts has the code of each kind.

type Scheme = 'http' | 'https' | 'ws' | 'wss' | 'mqtts';

/** The form of the addresses of a kind of machine. An address without a scheme or a port gets the first scheme and this port. */
export interface AddressFormat {
  schemes: readonly [Scheme, ...Scheme[]];
  port: number;
}

/** The form of the serial numbers of a kind of machine. */
interface SerialForm {
  /** The machine that has the number, as messages name it. */
  machine: string;
  pattern: RegExp;
  /** The form of the number, and where a user finds it. */
  message: string;
}

interface MachineFacts {
  /** The product and its protocol, for the GraphQL schema. */
  description: string;
  /** The name of the program or machine at the address, for messages. */
  name: string;
  address: AddressFormat;
  /** The ports, for messages, if the kind has several. */
  ports?: string;
  /** Which secret a user must enter, and where to find it. */
  secret: string;
  /** What a user must do about the certificate, if these machines sign their certificates themselves. */
  certificate?: string;
  /** What a user can do if the machine sends more than the gateway accepts. */
  tooMuch?: string;
  /** The form of the serial number that a device must have; `null` if devices of this kind have no serial number. */
  serial: SerialForm | null;
  /** The number of milliseconds without a message after which the gateway reports the machine as offline. */
  silentAfterMs: number;
}

/** The facts about the machine on which the rules of prints depend. */
export interface PrintFacts {
  /** The data source of the jobs of its prints. */
  jobSource: 'Mqtt' | 'PrinterApi';
  /** Whether the machine numbers its tools as slicers number slots. If not, it reports which slot feeds which filament. */
  toolsAreSlicerSlots: boolean;
  /** The slot that every machine of the kind has. */
  firstSlot: 'tool:0' | 'ext:0';
  /** Whether the machine reports the active slot only when the print starts its first layer. */
  isSlotReportedLate: boolean;
  /** The form of the path of one plate of a project, with the number of the plate; `null` if the kind has no plates. */
  platePath: RegExp | null;
}

export interface PrinterFacts extends MachineFacts, PrintFacts {
  machineType: 'printer';
}
export interface CameraFacts extends MachineFacts {
  machineType: 'camera';
}
export type KindFacts = PrinterFacts | CameraFacts;

/** machines/bambu/status.ts writes paths of this form. */
const PLATE_PATH = /(?:^|\/)plate_([1-9]\d{0,2})\.gcode$/;

/** How long a printer may be silent before it counts as offline, unless its kind needs another limit. */
export const SILENT_AFTER_MS = 30_000;

/** The facts that most kinds of printers share. */
const USUAL_PRINTER = {
  machineType: 'printer',
  serial: null,
  silentAfterMs: SILENT_AFTER_MS,
  jobSource: 'PrinterApi',
  toolsAreSlicerSlots: true,
  firstSlot: 'tool:0',
  isSlotReportedLate: false,
  platePath: null,
} as const;

/** The facts for a print whose device was removed. The kind of that device is unknown, and the device may have had plates. */
const UNKNOWN_KIND: PrintFacts = { ...USUAL_PRINTER, platePath: PLATE_PATH };

export const PRINTER_KINDS = {
  MOONRAKER: {
    ...USUAL_PRINTER,
    description: 'A printer with Klipper. The gateway uses the WebSocket of Moonraker.',
    name: 'Moonraker',
    address: { schemes: ['http', 'https', 'ws', 'wss'], port: 7125 },
    secret:
      'enter the API key that Moonraker shows at /access/api_key, or add this gateway to trusted_clients in moonraker.conf',
  },
  OCTOPRINT: {
    ...USUAL_PRINTER,
    description: 'A printer with OctoPrint. The gateway uses the REST API and the push socket of OctoPrint.',
    name: 'OctoPrint',
    address: { schemes: ['http', 'https'], port: 80 },
    tooMuch: 'in OctoPrint open Settings → Features and set the cut-off of the temperature graph to 4 hours or less',
    secret: 'in OctoPrint open Settings → Application Keys, generate a key for the gateway, and enter it as the secret',
  },
  PRUSALINK: {
    ...USUAL_PRINTER,
    description:
      'A printer with PrusaLink, built into the printer (Buddy boards) or on a Raspberry Pi. The gateway uses HTTP.',
    name: 'PrusaLink',
    address: { schemes: ['http', 'https'], port: 80 },
    secret:
      'enter the password that the printer shows under Settings → Network → PrusaLink. For a Raspberry Pi, enter the API key that PrusaLink shows under Settings',
  },
  BAMBU: {
    ...USUAL_PRINTER,
    description: 'A Bambu Lab printer. The gateway uses MQTT over TLS in the local network.',
    name: 'the Bambu printer',
    address: { schemes: ['mqtts'], port: 8883 },
    secret:
      'enter the access code that the printer shows under Settings → WLAN (P1 and A1) or Settings → Network (all others)',
    certificate:
      'Either no certificate is trusted yet, or the printer has a new one. Test the connection from your local network, and save the fingerprint that the test finds.',
    serial: {
      machine: 'a Bambu printer',
      // The serial number is a part of an MQTT topic, in which other characters could select other topics.
      pattern: /^[\w-]+$/,
      message:
        "must be the printer's serial number, which has only letters and digits. The printer shows it under Settings → Device",
    },
    // A P1P sends nothing for 128 s while a print starts.
    silentAfterMs: 180_000,
    jobSource: 'Mqtt',
    toolsAreSlicerSlots: false,
    firstSlot: 'ext:0',
    isSlotReportedLate: true,
    platePath: PLATE_PATH,
  },
} as const satisfies Record<string, PrinterFacts>;

export const CAMERA_KINDS = {
  OPEN_GOPRO: {
    machineType: 'camera',
    description:
      'A GoPro: with Open GoPro over USB or COHN (HERO9 and later), or with the interface of the HERO4 to HERO8. The gateway uses HTTP.',
    name: 'the GoPro',
    address: { schemes: ['http', 'https'], port: 8080 },
    ports: '8080 over USB and 443 as COHN',
    secret: 'enter the user name and password from the COHN setup of the camera',
    serial: null,
    // The gateway polls a camera every 30 s, and an old camera takes up to 45 s to answer.
    silentAfterMs: 120_000,
  },
} as const satisfies Record<string, CameraFacts>;

export type PrinterKindName = keyof typeof PRINTER_KINDS;
export type CameraKindName = keyof typeof CAMERA_KINDS;
export type DeviceKind = PrinterKindName | CameraKindName;

export const DEVICE_KINDS: Readonly<Record<DeviceKind, KindFacts>> = {
  ...PRINTER_KINDS,
  ...CAMERA_KINDS,
};

const serials = Object.entries(DEVICE_KINDS).flatMap(([kind, { serial }]) =>
  serial === null ? [] : [{ kind, ...serial }],
);
const joinSerials = (member: 'kind' | 'machine') => serials.map((serial) => serial[member]).join(' or ');

/** The kinds whose devices have a serial number, and the machines that have it, for descriptions. */
export const SERIALS = { kinds: joinSerials('kind'), machines: joinSerials('machine') };

/** @param kind the kind of the print's device; `null` if the device was removed */
export const findPrintFacts = (kind: string | null): PrintFacts =>
  (PRINTER_KINDS as Record<string, PrintFacts>)[kind ?? ''] ?? UNKNOWN_KIND;
