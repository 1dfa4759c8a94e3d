// Holds the materials, filaments, printers and spools of the example farm, and which spools were loaded. It is the same every time.
import type { CreateFilamentInput, CreateSpoolInput, WeighSpoolInput } from '../generated/operations';

export const MINUTE = 60_000;

/** The names, and the densities in g/cm³. */
export const materials: [name: string, density: string][] = [
  ['PLA', '1.24'],
  ['PETG', '1.27'],
  ['ABS', '1.04'],
  ['ASA', '1.07'],
  ['TPU 95A', '1.21'],
  ['PA12', '1.01'],
  ['PC', '1.20'],
];

export const BAY_1 = 'Bay 1 · Prusa MK4S';
export const BAY_2 = 'Bay 2 · Prusa MK4S';
export const BAY_3 = 'Bay 3 · Prusa XL';
export const BAY_4 = 'Bay 4 · Bambu Lab X1C';
export const BAY_5 = 'Bay 5 · Voron 2.4';
export const BAY_6 = 'Bay 6 · Ultimaker S5';
export const printers = [BAY_1, BAY_2, BAY_3, BAY_4, BAY_5, BAY_6];

const GALAXY_BLACK = 'PLA Galaxy Black';
const WHITE = 'PLA+ White';
const FILAFLEX = 'Filaflex 95A Red';

/** The first filament is below its minimum stock. The second has several spools. */
export const filaments: (Omit<CreateFilamentInput, 'materialId'> & { material: string })[] = [
  {
    name: GALAXY_BLACK,
    vendor: 'Prusament',
    material: 'PLA',
    filamentDiameterMm: '1.75',
    weightTotalGrams: '1000',
    tareGrams: '193',
    purchasePrice: '24.99',
    colorHex: '#2A2D43',
    articleNumber: 'PRM-PLA-GBL-1000',
    minimumGrams: '2000',
  },
  {
    name: WHITE,
    vendor: 'eSun',
    material: 'PLA',
    filamentDiameterMm: '1.75',
    weightTotalGrams: '1000',
    tareGrams: '224',
    purchasePrice: '19.90',
    colorHex: '#F5F5F5',
    articleNumber: 'PLA+175W1',
    minimumGrams: '1000',
  },
  {
    name: FILAFLEX,
    vendor: 'Recreus',
    material: 'TPU 95A',
    filamentDiameterMm: '1.75',
    weightTotalGrams: '500',
    tareGrams: '180',
    purchasePrice: '29.00',
    colorHex: '#C8102E',
  },
];

/** Diameters are in mm, and weights in grams. The spool without a price came with a printer. */
export const spools: [
  serial: string,
  material: string,
  diameter: string,
  weight: string,
  price: string | null,
  colorHex: string | null,
  vendor: string | null,
  place?: string,
  filament?: string,
][] = [
  ['PLA-GALAXY-0412', 'PLA', '1.75', '1000', '24.99', '#2A2D43', 'Prusament', 'Shelf 1', GALAXY_BLACK],
  ['PLA-WHITE-0413', 'PLA', '1.75', '1000', '19.90', '#F5F5F5', 'eSun', 'Shelf 1', WHITE],
  ['PLA-WHITE-0416', 'PLA', '1.75', '1000', '19.90', '#F5F5F5', 'eSun', 'Shelf 1', WHITE],
  ['PLA-WHITE-0417', 'PLA', '1.75', '1000', '19.90', '#F5F5F5', 'eSun', 'Shelf 1', WHITE],
  ['PLA-SAMPLE-0007', 'PLA', '1.75', '250', null, '#FF7F2A', null],
  ['PLA-BLUE-0414', 'PLA', '1.75', '1000', '19.90', '#1E5AA8', 'eSun'],
  ['PLA-GREEN-0415', 'PLA', '1.75', '1000', '19.90', '#2E8B57', 'eSun'],
  ['PLA-BULK-0031', 'PLA', '2.85', '2300', '54.00', '#9AA0A6', 'ColorFabb'],
  ['PETG-BLACK-0220', 'PETG', '1.75', '1000', '27.50', '#141414', 'Prusament'],
  ['PETG-CLEAR-0221', 'PETG', '1.75', '1000', '27.50', null, 'Prusament'],
  ['ABS-GREY-0105', 'ABS', '1.75', '1000', '22.00', '#808080', 'eSun'],
  ['ASA-BLACK-0088', 'ASA', '1.75', '850', '31.90', '#1B1B1B', 'Fillamentum'],
  ['TPU-RED-0019', 'TPU 95A', '1.75', '500', '29.00', '#C8102E', 'Recreus', 'Dry box 2', FILAFLEX],
  ['PA12-NATURAL-0004', 'PA12', '1.75', '750', '68.00', '#EFE8D8', 'Fiberlogy', 'Dry box 1'],
  ['PC-CLEAR-0011', 'PC', '1.75', '1000', '49.90', null, 'Polymaker', 'Dry box 1'],
  ['PC-BLACK-0012', 'PC', '2.85', '750', '44.50', '#101010', 'Polymaker'],
];

/** The lots and the comments of spools. */
export const lots: Record<string, Pick<CreateSpoolInput, 'lotNumber' | 'comment'>> = {
  'PLA-GALAXY-0412': { lotNumber: '2606-A17' },
  'PLA-WHITE-0416': { lotNumber: '25W38', comment: 'Refill on a reused spool' },
  'PLA-WHITE-0417': { lotNumber: '25W38' },
  'PA12-NATURAL-0004': { comment: 'Dry for 8 hours before printing' },
};

/** Which spool was loaded into which slot, from the earliest to the latest; `null` if the spool was taken out. */
export const loads: [hoursAgo: number, printer: string, slot: string, spool: string | null][] = [
  [96, BAY_4, 'ams:0:0', 'PLA-SAMPLE-0007'],
  [90, BAY_1, 'tool:0', 'PLA-GALAXY-0412'],
  [60, BAY_3, 'tool:0', 'PETG-BLACK-0220'],
  [48, BAY_4, 'ams:0:0', 'PLA-WHITE-0413'],
  [48, BAY_4, 'ams:0:1', 'PLA-SAMPLE-0007'],
  [47, BAY_4, 'ams:0:2', 'PLA-BLUE-0414'],
  [47, BAY_4, 'ams:0:3', 'PLA-GREEN-0415'],
  [30, BAY_3, 'tool:0', 'PETG-CLEAR-0221'],
  [20, BAY_3, 'tool:0', null],
  [16, BAY_5, 'tool:0', 'PETG-BLACK-0220'],
];

/** The scale shows about 35 g less than the jobs used, because a tangle was cut off. */
export const weighed: { spool: string; input: WeighSpoolInput } = {
  spool: 'TPU-RED-0019',
  input: { grossGrams: '530', note: 'Weighed after a tangle' },
};
