// Finds the spools and products that the address names, and writes the texts of their labels.
import type { FilamentRowFragment, SpoolRowFragment } from '../../generated/web-operations';
import { filamentName } from '../parts/formats';

export interface LabelText {
  /** Is cut if it does not fit. */
  text: string;
  /** Follows the text, and is never cut. */
  ending?: string;
}

export interface Label {
  number: number;
  colorHex: string | null;
  /** The most important text comes first, because a small label has no room for all of them. */
  texts: LabelText[];
}

export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim().replace(/^#/, ''))
    .filter((item) => item !== '');

/** Finds rows by number or id, in the order in which the address names them. Names without a row are `missing`. */
export function findRows<Row extends { id: string; number: number }>(rows: readonly Row[], names: readonly string[]) {
  const byName = new Map(rows.flatMap((row) => [[row.id, row] as const, [String(row.number), row] as const]));
  const choices = names.map((name) => ({ name, row: byName.get(name.toLowerCase()) }));
  return {
    choices: choices,
    rows: choices.flatMap(({ row }) => row ?? []),
    missing: choices.filter(({ row }) => row === undefined).map(({ name }) => name),
  };
}

/** Leaves out missing and repeated texts. */
const writeTexts = (...texts: (string | LabelText | null | undefined)[]): LabelText[] => {
  const written = texts.flatMap((text) => (typeof text === 'string' ? { text } : (text ?? [])));
  return written.filter(
    ({ text }, index) => text !== '' && written.findIndex((other) => other.text === text) === index,
  );
};

export const createSpoolLabel = (spool: SpoolRowFragment): Label => ({
  number: spool.number,
  colorHex: spool.colorHex,
  texts: writeTexts(
    spool.spoolSerial,
    spool.filament ? filamentName(spool.filament) : spool.vendor,
    describeMaterial(spool),
    spool.place,
  ),
});

export const createFilamentLabel = (filament: FilamentRowFragment): Label => ({
  number: filament.number,
  colorHex: filament.colorHex,
  texts: writeTexts(filament.name, filament.vendor, describeMaterial(filament), filament.articleNumber),
});

const describeMaterial = ({
  material,
  colorHex,
}: {
  material: { name: string };
  colorHex: string | null;
}): LabelText => (colorHex === null ? { text: material.name } : { text: material.name, ending: `, ${colorHex}` });
