// Holds the jobs of the example farm. They are the same every time, with times relative to a given time.
import type { CreatePrintJobInput, DataSource, PrintJobStatus, RecordPlanInput } from '../generated/operations';
import { BAY_1, BAY_2, BAY_3, BAY_4, BAY_5, BAY_6, MINUTE, spools } from './example-inventory';

/** The name, the millimetres of filament with a diameter of 1.75 mm, and the minutes. */
const models: [name: string, mm: number, minutes: number][] = [
  ['Cable clip x24', 8_420.5, 95],
  ['Spool holder', 21_310.25, 240],
  ['Enclosure hinge', 5_120, 70],
  ['Outdoor lamp housing', 33_775.4, 420],
  ['Vibration foot x4', 7_905.75, 130],
  ['Gear 42 teeth', 9_340, 115],
  ['Filter bracket', 12_655.1, 160],
  ['Tool rack', 40_118, 510],
  ['Duct adapter 80 mm', 15_220.6, 185],
  ['Planter', 52_004.8, 640],
  ['Calibration cube', 1_250, 20],
  ['First layer test', 640, 10],
];

const toFileName = (name: string) => `${name.toLowerCase().replaceAll(' ', '-')}.gcode`;

/** The slicer's estimates of the files, from which the gateway knows how long the jobs take. */
export const plans: RecordPlanInput[] = models.map(([name, , minutes]) => ({
  fileName: toFileName(name),
  plates: [{ plate: 1, seconds: minutes * 60, slots: [] }],
}));

/** For each spool that a job used: its serial, its slot, and its share of the filament. */
type Division = [spool: string, slot: string, share: number][];

const FOUR_COLOURS: Division = [
  ['PLA-WHITE-0413', 'ams:0:0', 0.58],
  ['PLA-SAMPLE-0007', 'ams:0:1', 0.07],
  ['PLA-BLUE-0414', 'ams:0:2', 0.2],
  ['PLA-GREEN-0415', 'ams:0:3', 0.15],
];
/** The first spool ran out. */
const RAN_OUT: Division = [
  ['PETG-BLACK-0220', 'tool:0', 0.4],
  ['PETG-CLEAR-0221', 'tool:0', 0.6],
];

type JobRow = [
  status: PrintJobStatus,
  printer: string,
  part: string,
  spool: string,
  source: DataSource,
  /** The parts of a job with several spools. */
  division?: Division,
];

/** Jobs that end before the farm has cameras. */
const pastJobs: JobRow[] = [
  ['COMPLETED', BAY_1, 'Cable clip x24', 'PLA-GALAXY-0412', 'MQTT'],
  ['COMPLETED', BAY_2, 'Tool rack', 'PLA-WHITE-0413', 'PRINTER_API'],
  ['COMPLETED', BAY_3, 'Vibration foot x4', 'TPU-RED-0019', 'MANUAL'],
  ['COMPLETED', BAY_4, 'Spool holder', 'PETG-CLEAR-0221', 'MQTT'],
  ['COMPLETED', BAY_5, 'Duct adapter 80 mm', 'PETG-BLACK-0220', 'PRINTER_API'],
  ['FAILED', BAY_6, 'Gear 42 teeth', 'PA12-NATURAL-0004', 'MANUAL'],
  ['COMPLETED', BAY_1, 'Enclosure hinge', 'ABS-GREY-0105', 'MQTT'],
  ['CANCELLED', BAY_2, 'Planter', 'PLA-WHITE-0413', 'PRINTER_API'],
  ['COMPLETED', BAY_3, 'Filter bracket', 'PC-CLEAR-0011', 'MANUAL'],
  ['COMPLETED', BAY_4, 'Outdoor lamp housing', 'ASA-BLACK-0088', 'MQTT'],
  ['COMPLETED', BAY_5, 'Cable clip x24', 'PLA-GREEN-0415', 'PRINTER_API'],
  ['COMPLETED', BAY_6, 'Tool rack', 'PLA-BULK-0031', 'MANUAL'],
  ['COMPLETED', BAY_1, 'Vibration foot x4', 'TPU-RED-0019', 'MQTT'],
  ['FAILED', BAY_2, 'Spool holder', 'PETG-CLEAR-0221', 'PRINTER_API'],
  ['COMPLETED', BAY_3, 'Duct adapter 80 mm', 'PETG-BLACK-0220', 'MANUAL'],
  ['COMPLETED', BAY_4, 'Gear 42 teeth', 'PA12-NATURAL-0004', 'MQTT'],
  ['CANCELLED', BAY_5, 'Enclosure hinge', 'ABS-GREY-0105', 'PRINTER_API'],
  ['COMPLETED', BAY_6, 'Planter', 'PLA-BULK-0031', 'MANUAL'],
  ['COMPLETED', BAY_1, 'Filter bracket', 'PC-CLEAR-0011', 'MQTT'],
  ['COMPLETED', BAY_2, 'Outdoor lamp housing', 'ASA-BLACK-0088', 'PRINTER_API'],
  ['COMPLETED', BAY_3, 'Cable clip x24', 'PLA-SAMPLE-0007', 'MANUAL'],
  ['FAILED', BAY_4, 'Tool rack', 'PLA-BLUE-0414', 'MQTT'],
  ['COMPLETED', BAY_5, 'Vibration foot x4', 'TPU-RED-0019', 'PRINTER_API'],
  ['COMPLETED', BAY_6, 'Spool holder', 'PETG-CLEAR-0221', 'MANUAL'],
  ['COMPLETED', BAY_1, 'Duct adapter 80 mm', 'PETG-BLACK-0220', 'MQTT'],
  ['CANCELLED', BAY_2, 'Gear 42 teeth', 'PA12-NATURAL-0004', 'PRINTER_API'],
  ['COMPLETED', BAY_3, 'Enclosure hinge', 'ABS-GREY-0105', 'MANUAL'],
  ['COMPLETED', BAY_4, 'Planter', 'PLA-WHITE-0413', 'MQTT', FOUR_COLOURS],
  ['COMPLETED', BAY_5, 'Filter bracket', 'PC-CLEAR-0011', 'PRINTER_API'],
  ['FAILED', BAY_6, 'Outdoor lamp housing', 'ASA-BLACK-0088', 'MANUAL'],
  ['COMPLETED', BAY_1, 'Cable clip x24', 'PLA-GALAXY-0412', 'MQTT'],
  ['COMPLETED', BAY_2, 'Tool rack', 'PLA-WHITE-0413', 'PRINTER_API'],
  ['COMPLETED', BAY_3, 'Vibration foot x4', 'TPU-RED-0019', 'MANUAL'],
  ['COMPLETED', BAY_4, 'Spool holder', 'PETG-CLEAR-0221', 'MQTT'],
  ['CANCELLED', BAY_5, 'Duct adapter 80 mm', 'PETG-BLACK-0220', 'PRINTER_API'],
  ['COMPLETED', BAY_6, 'Gear 42 teeth', 'PA12-NATURAL-0004', 'MANUAL'],
  ['COMPLETED', BAY_1, 'Enclosure hinge', 'ABS-GREY-0105', 'MQTT'],
  ['FAILED', BAY_2, 'Planter', 'PLA-WHITE-0413', 'PRINTER_API'],
  ['COMPLETED', BAY_3, 'Filter bracket', 'PC-CLEAR-0011', 'MANUAL'],
  ['COMPLETED', BAY_4, 'Outdoor lamp housing', 'ASA-BLACK-0088', 'MQTT'],
  ['COMPLETED', BAY_5, 'Cable clip x24', 'PLA-GREEN-0415', 'PRINTER_API'],
  ['COMPLETED', BAY_6, 'Tool rack', 'PLA-BULK-0031', 'MANUAL'],
  ['COMPLETED', BAY_1, 'Vibration foot x4', 'TPU-RED-0019', 'MQTT'],
  ['CANCELLED', BAY_2, 'Spool holder', 'PETG-CLEAR-0221', 'PRINTER_API'],
  ['COMPLETED', BAY_3, 'Duct adapter 80 mm', 'PETG-BLACK-0220', 'MANUAL', RAN_OUT],
  ['FAILED', BAY_4, 'Gear 42 teeth', 'PA12-NATURAL-0004', 'MQTT'],
  ['COMPLETED', BAY_5, 'Enclosure hinge', 'ABS-GREY-0105', 'PRINTER_API'],
  ['COMPLETED', BAY_6, 'Planter', 'PLA-BULK-0031', 'MANUAL'],
];

/** Jobs that print while the farm is made, so that cameras watch them. The cameras have not watched any earlier job. */
const filmedJobs: JobRow[] = [
  ['COMPLETED', BAY_1, 'Calibration cube', 'PC-CLEAR-0011', 'MQTT'],
  ['COMPLETED', BAY_2, 'First layer test', 'ASA-BLACK-0088', 'PRINTER_API'],
];

/** Jobs that still print or wait when the farm is made. The printers that print have no simulated machine, which would report another print. */
const unfinishedJobs: JobRow[] = [
  ['PRINTING', BAY_3, 'Cable clip x24', 'PLA-SAMPLE-0007', 'MANUAL'],
  ['PRINTING', BAY_6, 'Spool holder', 'PETG-CLEAR-0221', 'MANUAL'],
  ['QUEUED', BAY_4, 'Tool rack', 'PLA-BLUE-0414', 'MQTT'],
  ['QUEUED', BAY_5, 'Vibration foot x4', 'TPU-RED-0019', 'PRINTER_API'],
  ['QUEUED', BAY_1, 'Duct adapter 80 mm', 'PETG-BLACK-0220', 'MQTT'],
  ['QUEUED', BAY_2, 'Gear 42 teeth', 'PA12-NATURAL-0004', 'PRINTER_API'],
  ['QUEUED', BAY_3, 'Enclosure hinge', 'ABS-GREY-0105', 'MANUAL'],
  ['QUEUED', BAY_4, 'Planter', 'PLA-BLUE-0414', 'MQTT'],
  ['QUEUED', BAY_5, 'Filter bracket', 'PC-CLEAR-0011', 'PRINTER_API'],
  ['QUEUED', BAY_6, 'Outdoor lamp housing', 'ASA-BLACK-0088', 'MANUAL'],
];

interface PartPlan {
  spool: string;
  slot: string;
  mmExtruded: string;
}

/** Divides the filament into parts. The last part gets the rest, so that the parts add up to the total. */
function divideFilament(division: Division, mm: number): PartPlan[] {
  let remaining = mm;
  return division.map(([spool, slot, share], at) => {
    const part = at === division.length - 1 ? remaining : Math.round(mm * share * 100) / 100;
    remaining -= part;
    return { spool, slot, mmExtruded: part.toFixed(2) };
  });
}

export interface JobPlan {
  status: PrintJobStatus;
  printer: string;
  spool: string;
  /** The parts of a job that used several spools; empty for any other job. */
  parts: PartPlan[];
  input: Omit<CreatePrintJobInput, 'printerId' | 'spoolId'>;
}

export interface JobPlans {
  past: JobPlan[];
  filmed: JobPlan[];
  unfinished: JobPlan[];
}

export function makeJobs(now: number): JobPlans {
  const toPlan = ([status, printer, partName, spool, dataSource, division = []]: JobRow): JobPlan => {
    const [, mm, minutes] = models.find(([name]) => name === partName) as (typeof models)[number];
    const startedAgo = status === 'PRINTING' ? minutes / 2 : minutes;
    const hasNoStart = status === 'QUEUED' || status === 'CANCELLED';
    const isThick = spools.some(([serial, , diameter]) => serial === spool && diameter === '2.85');
    return {
      status,
      printer,
      spool,
      parts: divideFilament(division, mm),
      input: {
        printName: partName,
        gcodeFilePath: `/gcode/${toFileName(partName)}`,
        mmExtruded: String(isThick ? Math.round(mm * (1.75 / 2.85) ** 2 * 100) / 100 : mm),
        startedAt: hasNoStart ? null : new Date(now - startedAgo * MINUTE).toISOString(),
        dataSource,
        notes: status === 'FAILED' ? 'Came off the bed' : status === 'CANCELLED' ? 'Customer withdrew the order' : null,
        autoDeriveGrams: true,
      },
    };
  };
  return {
    past: pastJobs.map(toPlan),
    // These jobs start when the farm is made, and the gateway sets that time.
    filmed: filmedJobs.map(toPlan).map((plan) => ({ ...plan, input: { ...plan.input, startedAt: null } })),
    unfinished: unfinishedJobs.map(toPlan),
  };
}
