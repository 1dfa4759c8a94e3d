// Decides which colours a filament with several colours may have, and which of them is shown.
import { BadInput } from '../../errors';
import { checkEach, type Reader } from '../../values/members';
import { parseText } from '../../values/text';
import type { ColorArrangement } from './filament.types';

export const MAX_COLORS = 16;
const COLOR_WITH_ALPHA = /^#[0-9A-Fa-f]{6}(?:[0-9A-Fa-f]{2})?$/;

/** Reads null as an empty list. */
export const readColors: Reader<string[] | undefined> = (value, member) => {
  if (value === undefined) return undefined;
  const colors = value ?? [];
  if (!Array.isArray(colors) || colors.length === 1 || colors.length > MAX_COLORS)
    throw new BadInput(`must have 2 to ${MAX_COLORS} colours: use colorHex for a filament with one colour`, member);
  checkEach(colors, [member], (color, at) => {
    if (!COLOR_WITH_ALPHA.test(parseText(color, `${at}`)))
      throw new BadInput([{ path: [at], message: 'must be # and six or eight hexadecimal digits such as #1E90FF' }]);
  });
  return colors.map((color: string) => color.toUpperCase());
};

interface Colors {
  colorHex?: string | null | undefined;
  colorHexes?: string[] | undefined;
  colorArrangement?: ColorArrangement | null | undefined;
}

/** Adds what follows from several colours: the colour to show. Without several colours, there is no arrangement. */
export function completeColors<Members extends Colors>(given: Members): Members {
  const { colorHex, colorHexes, colorArrangement } = given;
  if (colorHexes === undefined) return given;
  const [first] = colorHexes;
  if (first !== undefined) return { ...given, colorHex: colorHex ?? first.slice(0, '#RRGGBB'.length) };
  if (colorArrangement != null) throw createArrangementFault();
  return { ...given, colorArrangement: null };
}

/** The database refuses colours without an arrangement, and an arrangement without colours. */
export const createArrangementFault = () =>
  new BadInput('belongs to colorHexes: a filament has both of them or neither', 'input', 'colorArrangement');
