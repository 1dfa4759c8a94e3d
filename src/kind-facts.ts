// What a kind of machine is, for every room: one row each. Its connection and its adapter are in machines/kind-code.ts.

type Scheme = 'http' | 'https' | 'ws' | 'wss' | 'mqtts';

/** The addresses of a kind of machine. Without a scheme it is the first one of these, at this port. */
export interface AddressForm {
  schemes: readonly [Scheme, ...Scheme[]];
  port: number;
}

/** How the machines of a kind are distinguished by the number on their label. */
interface SerialForm {
  /** What has the number, for people. */
  of: string;
  pattern: RegExp;
  /** What to give, and where a person finds it. */
  message: string;
}

interface MachineFacts {
  /** How the gateway talks to it, for the graph. */
  description: string;
  /** The program or machine at the address, for people. */
  name: string;
  address: AddressForm;
  /** Its ports for people, where it has several. */
  ports?: string;
  /** Where its user finds what to give as secret. */
  secret: string;
  /** What to do about a certificate, where the machine shows none of its own. */
  certificate?: string;
  /** What to do where it sends more than the gateway takes. */
  tooMuch?: string;
  /** Required where it is not null, and refused where it is. */
  serial: SerialForm | null;
  /** A machine that was not heard of for so long is said to be offline. */
  silentAfterMs: number;
}

/** What the rules of prints ask about the machine. */
export interface PrintFacts {
  /** The data source of the jobs of its prints. */
  jobSource: 'Mqtt' | 'PrinterApi';
  /** Whether it counts its tools as slicers count slots. Else it says which slot feeds which filament. */
  toolsAreSlicerSlots: boolean;
  /** The slot that each machine of the kind has. */
  firstSlot: 'tool:0' | 'ext:0';
  /** Whether it says which slot feeds only when the print lays its first layer. */
  isSlotReportedLate: boolean;
  /** The path under which it reports one plate of a project, with the number of the plate; null: it has no plates. */
  platePath: RegExp | null;
}

export interface PrinterFacts extends MachineFacts, PrintFacts {
  of: 'printer';
}
export interface CameraFacts extends MachineFacts {
  of: 'camera';
}
export type KindFacts = PrinterFacts | CameraFacts;

/** machines/bambu/status.ts writes such a path. */
const PLATE_PATH = /(?:^|\/)plate_([1-9]\d{0,2})\.gcode$/;

/** How long a printer may be silent, unless its kind has a reason. */
export const SILENT_AFTER_MS = 30_000;

/** What most kinds of printers are. */
const USUAL = {
  of: 'printer',
  serial: null,
  silentAfterMs: SILENT_AFTER_MS,
  jobSource: 'PrinterApi',
  toolsAreSlicerSlots: true,
  firstSlot: 'tool:0',
  isSlotReportedLate: false,
  platePath: null,
} as const;

/** For a print whose device was removed: its kind is not known any more, and may have had plates. */
const OF_NO_KIND: PrintFacts = { ...USUAL, platePath: PLATE_PATH };

export const PRINTER_KINDS = {
  MOONRAKER: {
    ...USUAL,
    description: 'Klipper, through the WebSocket of Moonraker.',
    name: 'Moonraker',
    address: { schemes: ['http', 'https', 'ws', 'wss'], port: 7125 },
    secret:
      'give the API key that Moonraker shows at /access/api_key, or name this gateway among trusted_clients in moonraker.conf',
  },
  OCTOPRINT: {
    ...USUAL,
    description: 'OctoPrint, through its REST interface and its push socket.',
    name: 'OctoPrint',
    address: { schemes: ['http', 'https'], port: 80 },
    tooMuch: 'set the cut-off of its temperature graph to 4 hours or less (Settings, Features)',
    secret: 'in OctoPrint open Settings, Application Keys, make a key for the gateway, and give it as secret',
  },
  PRUSALINK: {
    ...USUAL,
    description: 'PrusaLink by HTTP, of Buddy boards and of the Raspberry Pi.',
    name: 'PrusaLink',
    address: { schemes: ['http', 'https'], port: 80 },
    secret:
      'give the password that the printer shows under Settings, Network, PrusaLink; for a Raspberry Pi give the API key that PrusaLink shows under Settings',
  },
  BAMBU: {
    ...USUAL,
    description: 'Bambu Lab, by MQTT over TLS in the local network.',
    name: 'the Bambu printer',
    address: { schemes: ['mqtts'], port: 8883 },
    secret: 'give the access code that the printer shows under Settings: WLAN on P1 and A1, Network on others',
    certificate:
      'No certificate is trusted yet, or the printer has another one: test the device while only your own network is between, and save the fingerprint that the test finds.',
    serial: {
      of: 'a Bambu printer',
      // It stands in a topic of MQTT, where other characters would choose other topics.
      pattern: /^[\w-]+$/,
      message:
        'must be the serial number of the printer, letters and digits: the printer shows it under Settings, Device',
    },
    // A P1P says nothing for 128 s while a print begins.
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
    of: 'camera',
    description: 'GoPro, by HTTP over USB or COHN: Open GoPro, and the interface of the HERO4 to HERO8.',
    name: 'the GoPro',
    address: { schemes: ['http', 'https'], port: 8080 },
    ports: '8080 over USB and 443 as COHN',
    secret: 'give the user name and password that the camera was given when COHN was set up',
    serial: null,
    // It is asked each 30 s, and an old one takes 45 s to answer.
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
const listed = (member: 'kind' | 'of') => serials.map((serial) => serial[member]).join(' or ');

/** The kinds whose machines have a serial number, and what it is, for descriptions. */
export const SERIALS = { kinds: listed('kind'), of: listed('of') };

/** @param kind as a device has it; null: the device was removed */
export const printFactsOf = (kind: string | null): PrintFacts =>
  (PRINTER_KINDS as Record<string, PrintFacts>)[kind ?? ''] ?? OF_NO_KIND;
