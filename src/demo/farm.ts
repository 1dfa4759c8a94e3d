// The farm of the seed: the same contents every time, with times relative to a given time.
import type { CreatePrintJobInput, DataSource, PrintJobStatus, RecordPlanInput } from '../generated/operations';

export const MINUTE = 60_000;

/** Name and density in g/cm3. */
export const materials: [name: string, density: string][] = [
  ['PLA', '1.24'],
  ['PETG', '1.27'],
  ['ABS', '1.04'],
  ['ASA', '1.07'],
  ['TPU 95A', '1.21'],
  ['PA12', '1.01'],
  ['PC', '1.20'],
];

export const printers = [
  'Bay 1 · Prusa MK4S',
  'Bay 2 · Prusa MK4S',
  'Bay 3 · Prusa XL',
  'Bay 4 · Bambu Lab X1C',
  'Bay 5 · Voron 2.4',
  'Bay 6 · Ultimaker S5',
];

interface SpoolPlan {
  serial: string;
  material: string;
  /** Of the filament, in mm. */
  diameter: string;
  /** In grams. */
  weight: string;
  /** Null for a spool that came with a printer. */
  price: string | null;
  colorHex: string | null;
  vendor: string | null;
}

const spoolRows: [
  serial: string,
  material: string,
  string,
  string,
  price: string | null,
  string | null,
  string | null,
][] = [
  ['PLA-GALAXY-0412', 'PLA', '1.75', '1000', '24.99', '#2A2D43', 'Prusament'],
  ['PLA-WHITE-0413', 'PLA', '1.75', '1000', '19.90', '#F5F5F5', 'eSun'],
  ['PLA-SAMPLE-0007', 'PLA', '1.75', '250', null, '#FF7F2A', null],
  ['PLA-BLUE-0414', 'PLA', '1.75', '1000', '19.90', '#1E5AA8', 'eSun'],
  ['PLA-GREEN-0415', 'PLA', '1.75', '1000', '19.90', '#2E8B57', 'eSun'],
  ['PLA-BULK-0031', 'PLA', '2.85', '2300', '54.00', '#9AA0A6', 'ColorFabb'],
  ['PETG-BLACK-0220', 'PETG', '1.75', '1000', '27.50', '#141414', 'Prusament'],
  ['PETG-CLEAR-0221', 'PETG', '1.75', '1000', '27.50', null, 'Prusament'],
  ['ABS-GREY-0105', 'ABS', '1.75', '1000', '22.00', '#808080', 'eSun'],
  ['ASA-BLACK-0088', 'ASA', '1.75', '850', '31.90', '#1B1B1B', 'Fillamentum'],
  ['TPU-RED-0019', 'TPU 95A', '1.75', '500', '29.00', '#C8102E', 'Recreus'],
  ['PA12-NATURAL-0004', 'PA12', '1.75', '750', '68.00', '#EFE8D8', 'Fiberlogy'],
  ['PC-CLEAR-0011', 'PC', '1.75', '1000', '49.90', null, 'Polymaker'],
  ['PC-BLACK-0012', 'PC', '2.85', '750', '44.50', '#101010', 'Polymaker'],
];

export const spools: SpoolPlan[] = spoolRows.map(([serial, material, diameter, weight, price, colorHex, vendor]) => ({
  serial,
  material,
  diameter,
  weight,
  price,
  colorHex,
  vendor,
}));

/** Name, millimetres of 1.75 mm filament, minutes, material. */
const parts: [name: string, mm: number, minutes: number, material: string][] = [
  ['Cable clip x24', 8_420.5, 95, 'PLA'],
  ['Spool holder', 21_310.25, 240, 'PETG'],
  ['Enclosure hinge', 5_120, 70, 'ABS'],
  ['Outdoor lamp housing', 33_775.4, 420, 'ASA'],
  ['Vibration foot x4', 7_905.75, 130, 'TPU 95A'],
  ['Gear 42 teeth', 9_340, 115, 'PA12'],
  ['Filter bracket', 12_655.1, 160, 'PC'],
  ['Tool rack', 40_118, 510, 'PLA'],
  ['Duct adapter 80 mm', 15_220.6, 185, 'PETG'],
  ['Planter', 52_004.8, 640, 'PLA'],
];

const fileOf = (name: string) => `${name.toLowerCase().replaceAll(' ', '-')}.gcode`;

/** What the slicer said of each file: no machine says how long the jobs take. */
export const plans: RecordPlanInput[] = parts.map(([name, , minutes]) => ({
  fileName: fileOf(name),
  plates: [{ plate: 1, seconds: minutes * 60, slots: [] }],
}));

/** The statuses of the sixty jobs, from the oldest to the newest. */
const standing: PrintJobStatus[] = [
  ...Array.from(
    { length: 50 },
    (_, index): PrintJobStatus => (index % 8 === 5 ? 'FAILED' : index % 9 === 7 ? 'CANCELLED' : 'COMPLETED'),
  ),
  ...Array<PrintJobStatus>(4).fill('PRINTING'),
  ...Array<PrintJobStatus>(6).fill('QUEUED'),
];

const SOURCES: DataSource[] = ['MQTT', 'PRINTER_API', 'MANUAL'];

/** What a job used of each spool: the serial, the slot and its share of the filament. */
type Division = [spool: string, slot: string, share: number][];

/** The jobs with more spools than one, by their place. */
const divisions: Record<number, Division> = {
  // Four colours.
  27: [
    ['PLA-WHITE-0413', 'ams:0:0', 0.58],
    ['PLA-SAMPLE-0007', 'ams:0:1', 0.07],
    ['PLA-BLUE-0414', 'ams:0:2', 0.2],
    ['PLA-GREEN-0415', 'ams:0:3', 0.15],
  ],
  // The first spool ran out.
  44: [
    ['PETG-BLACK-0220', 'tool:0', 0.4],
    ['PETG-CLEAR-0221', 'tool:0', 0.6],
  ],
};

/** What was put into which slot, in the order of time. Without a spool it was taken out. */
export const loads: [hoursAgo: number, printer: string, slot: string, spool: string | null][] = [
  [96, 'Bay 4 · Bambu Lab X1C', 'ams:0:0', 'PLA-SAMPLE-0007'],
  [90, 'Bay 1 · Prusa MK4S', 'tool:0', 'PLA-GALAXY-0412'],
  [60, 'Bay 3 · Prusa XL', 'tool:0', 'PETG-BLACK-0220'],
  [48, 'Bay 4 · Bambu Lab X1C', 'ams:0:0', 'PLA-WHITE-0413'],
  [48, 'Bay 4 · Bambu Lab X1C', 'ams:0:1', 'PLA-SAMPLE-0007'],
  [47, 'Bay 4 · Bambu Lab X1C', 'ams:0:2', 'PLA-BLUE-0414'],
  [47, 'Bay 4 · Bambu Lab X1C', 'ams:0:3', 'PLA-GREEN-0415'],
  [30, 'Bay 3 · Prusa XL', 'tool:0', 'PETG-CLEAR-0221'],
  [20, 'Bay 3 · Prusa XL', 'tool:0', null],
  [16, 'Bay 5 · Voron 2.4', 'tool:0', 'PETG-BLACK-0220'],
];

interface PartPlan {
  spool: string;
  slot: string;
  mmExtruded: string;
}

/** The last part has the rest, so that they add up. */
function partsOf(division: Division, mm: number): PartPlan[] {
  let left = mm;
  return division.map(([spool, slot, share], at) => {
    const part = at === division.length - 1 ? left : Math.round(mm * share * 100) / 100;
    left -= part;
    return { spool, slot, mmExtruded: part.toFixed(2) };
  });
}

/**
 * The jobs that print while the farm is made, by their place: cameras watch from then on, and have watched no print of the past.
 * Those of the bays 1 and 2 before their newest ones.
 */
const filmed: Record<number, [name: string, mm: number]> = {
  48: ['Calibration cube', 1_250],
  49: ['First layer test', 640],
};
const FIRST_FILMED = 48;

export interface JobPlan {
  status: PrintJobStatus;
  /** Before the farm has its cameras, while it is made, or still when it is made. */
  time: 'PAST' | 'FILMED' | 'NOW';
  printer: string;
  spool: string;
  /** Of each spool, where it used several; else empty. */
  parts: PartPlan[];
  input: Omit<CreatePrintJobInput, 'printerId' | 'spoolId'>;
}

export function jobs(now: number): JobPlan[] {
  return standing.map((status, index) => {
    const part = parts[(index * 7) % parts.length] as (typeof parts)[number];
    const [, , minutes, material] = part;
    const [name, mm] = filmed[index] ?? part;
    const time = index < FIRST_FILMED ? 'PAST' : filmed[index] ? 'FILMED' : 'NOW';
    const fitting = spools.filter((spool) => spool.material === material);
    const spool = fitting[index % fitting.length] as (typeof spools)[number];
    const began = status === 'PRINTING' ? minutes / 2 : minutes;
    const neverBegan = status === 'QUEUED' || status === 'CANCELLED';
    return {
      status,
      time,
      printer: printers[index % printers.length] as string,
      spool: divisions[index]?.[0]?.[0] ?? spool.serial,
      parts: partsOf(divisions[index] ?? [], mm),
      input: {
        printName: name,
        gcodeFilePath: `/gcode/${fileOf(name)}`,
        mmExtruded: String(spool.diameter === '1.75' ? mm : Math.round(mm * (1.75 / 2.85) ** 2 * 100) / 100),
        startedAt: neverBegan || time === 'FILMED' ? null : new Date(now - began * MINUTE).toISOString(),
        dataSource: SOURCES[index % SOURCES.length] as DataSource,
        notes: status === 'FAILED' ? 'Came off the bed' : status === 'CANCELLED' ? 'Customer withdrew the order' : null,
        autoDeriveGrams: true,
      },
    };
  });
}
