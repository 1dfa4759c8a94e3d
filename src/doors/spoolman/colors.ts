// Reads the colours of a filament: one, or several with their arrangement.
import { BadInput } from '../../errors';
import { MAX_COLORS } from '../../farm/inventory/filament.colors';
import type { ColorArrangement } from '../../farm/inventory/filament.types';
import { emptyAsNull } from '../../values/members';
import { parseText } from '../../values/text';
import type { Body } from './body';

const ARRANGEMENTS: Record<string, ColorArrangement> = { coaxial: 'COAXIAL', longitudinal: 'LONGITUDINAL' };

/** Members that are undefined do not change. */
export interface Colors {
  colorHex?: string | null | undefined;
  colorHexes?: string[] | undefined;
  colorArrangement?: ColorArrangement | null | undefined;
}

const readTextOrNull = (value: unknown, member: string) => emptyAsNull(parseText)(value, member) ?? null;

export function readColors(body: Body, { isMulticolor }: { isMulticolor: boolean }): Colors {
  const single = body.read('color_hex', readTextOrNull);
  const list = body.read('multi_color_hexes', readTextOrNull);
  const direction = body.read('multi_color_direction', readDirection);
  if (single && list) throw new BadInput('Send either color_hex or multi_color_hexes, not both');
  if (list) {
    if (!direction && !isMulticolor) throw new BadInput('is required with multi_color_hexes', 'multi_color_direction');
    if (direction === null) throw new BadInput('is required with multi_color_hexes', 'multi_color_direction');
    const hexes = list.split(',').map((color) => readColor(color, 'multi_color_hexes'));
    if (hexes.length < 2 || hexes.length > MAX_COLORS)
      throw new BadInput(`must have 2 to ${MAX_COLORS} colours`, 'multi_color_hexes');
    // The first colour is the one to show.
    return { colorHex: withoutAlpha(hexes[0] as string), colorHexes: hexes, colorArrangement: direction ?? undefined };
  }
  const one = { colorHexes: [], colorArrangement: null };
  if (single) return { colorHex: withoutAlpha(readColor(single, 'color_hex')), ...one };
  if (list === null || (direction === null && isMulticolor)) return { colorHex: single, ...one };
  if (direction) {
    if (!isMulticolor) throw new BadInput('needs multi_color_hexes', 'multi_color_direction');
    return { colorArrangement: direction };
  }
  // A filament with several colours shows no color_hex, so a client that sends back what it has read keeps them.
  return isMulticolor ? {} : { colorHex: single };
}

const withoutAlpha = (color: string) => color.slice(0, '#RRGGBB'.length);

function readColor(text: string, member: string): string {
  const digits = text.trim().replace(/^#/, '');
  if (!/^([0-9a-f]{6}|[0-9a-f]{8})$/i.test(digits)) throw new BadInput('must have 6 or 8 hexadecimal digits', member);
  return `#${digits.toUpperCase()}`;
}

function readDirection(value: unknown, member: string): ColorArrangement | null {
  const text = readTextOrNull(value, member)?.toLowerCase() ?? null;
  if (text === null) return null;
  if (!Object.hasOwn(ARRANGEMENTS, text)) throw new BadInput('must be coaxial or longitudinal', member);
  return ARRANGEMENTS[text] as ColorArrangement;
}
