// What is said on labels: which spools and filaments the address names, and their texts.
import type { FilamentRowFragment, SpoolRowFragment } from '../../generated/web-operations';
import { filamentName } from '../parts/formats';

export interface Label {
  number: number;
  colorHex: string | null;
  /** The most important first: a small label has no room for all of them. */
  texts: string[];
}

export const listIn = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim().replace(/^#/, ''))
    .filter((one) => one !== '');

/** Rows are found by their numbers or ids, in the order in which the address names them; names without a row are `missing`. */
export function found<Row extends { id: string; number: number }>(rows: readonly Row[], named: readonly string[]) {
  const byName = new Map(rows.flatMap((row) => [[row.id, row] as const, [String(row.number), row] as const]));
  const all = named.map((name) => ({ name, row: byName.get(name.toLowerCase()) }));
  return {
    named: all,
    rows: all.flatMap(({ row }) => row ?? []),
    missing: all.filter(({ row }) => row === undefined).map(({ name }) => name),
  };
}

/** Each once. */
const textsIn = (...texts: (string | null | undefined)[]): string[] => [
  ...new Set(texts.filter((text): text is string => !!text)),
];

export const labelOfSpool = (spool: SpoolRowFragment): Label => ({
  number: spool.number,
  colorHex: spool.colorHex,
  texts: textsIn(
    spool.spoolSerial,
    spool.filament ? filamentName(spool.filament) : spool.vendor,
    plastic(spool),
    spool.place,
  ),
});

export const labelOfFilament = (filament: FilamentRowFragment): Label => ({
  number: filament.number,
  colorHex: filament.colorHex,
  texts: textsIn(filament.name, filament.vendor, plastic(filament), filament.articleNumber),
});

const plastic = ({ material, colorHex }: { material: { name: string }; colorHex: string | null }) =>
  [material.name, colorHex].filter(Boolean).join(', ');
