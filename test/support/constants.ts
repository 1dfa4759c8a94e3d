// Reads constants of the sources by name from the text of their declarations, without loading a module.
import fs from 'node:fs';
import { basename, join } from 'node:path';

const SOURCE = join(__dirname, '..', '..', 'src');

/** The bases of units: milliseconds for times, bytes for sizes. */
export const UNITS: Record<string, number> = {
  s: 1000,
  minute: 60_000,
  minutes: 60_000,
  hour: 3_600_000,
  hours: 3_600_000,
  days: 86_400_000,
  KB: 1024,
  MB: 1 << 20,
};
/** The unit that a word in the name of a constant stands for. */
const WORDS: Record<string, number> = {
  SEC: 1000,
  MIN: 60_000,
  HOURS: 3_600_000,
  DAYS: 86_400_000,
};

const unitOf = (name: string) => WORDS[/_(SEC|MIN|HOURS|DAYS)(?=_|$)/.exec(name)?.[1] ?? ''] ?? 1;

const files = fs
  .readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.startsWith('generated'));
const texts = new Map(files.map((path) => [path, fs.readFileSync(join(SOURCE, path), 'utf8')]));

/**
 * The number of a constant in milliseconds, bytes or items.
 * @param name `NAME`, a member as `NAME.member`, or `file.ts NAME` where several files have a constant of this name
 */
export function constant(name: string): number {
  const [, file, object = '', member] = /^(?:(\S+) )?(\w+)(?:\.(\w+))?$/.exec(name) ?? [];
  const found = [...texts].flatMap(([path, text]) => {
    if (file !== undefined && basename(path) !== file) return [];
    const declared = new RegExp(`^(?:export )?const ${object}\\b[^=\\n]*= ([^;]+);`, 'm').exec(text)?.[1];
    const value =
      member === undefined ? declared : new RegExp(`^ {2}${member}: ([^,]+),`, 'm').exec(declared ?? '')?.[1];
    return value === undefined ? [] : [{ path, value }];
  });
  const [only] = found;
  if (only === undefined || found.length > 1) throw new Error(`${name} is declared in ${found.length} files of src`);
  return parseNumber(only.value, basename(only.path)) * unitOf(object);
}

/** Computes a number, or products and sums of numbers, of other constants, and of the length of a list. */
function parseNumber(text: string, file: string): number {
  const numbers = text
    .replaceAll(/\b([A-Z][A-Z0-9_]+)\.length\b/g, (_, name) => String(lengthOf(name)))
    .replaceAll(/\b[A-Z][A-Z0-9_]*\b/g, (name) => String(declaredValue(name, file)));
  if (!/^[\d\s_.*+/<()-]+$/.test(numbers)) throw new Error(`${text} is no number`);
  return Number(new Function(`return ${numbers}`)());
}

/** Looks in the same file first. Another constant in a product has its own unit. */
function declaredValue(name: string, file: string): number {
  const isDeclared = (path: string) => new RegExp(`^(?:export )?const ${name}\\b`, 'm').test(texts.get(path) ?? '');
  const path = files.find((one) => basename(one) === file && isDeclared(one)) ?? files.find(isDeclared);
  const [, value = ''] =
    new RegExp(`^(?:export )?const ${name}\\b[^=\\n]*= ([^;]+);`, 'm').exec(texts.get(path ?? '') ?? '') ?? [];
  return parseNumber(value, basename(path ?? ''));
}

function lengthOf(name: string): number {
  for (const text of texts.values()) {
    const [, list] = new RegExp(`^(?:export )?const ${name} = \\[([^\\]]*)\\]`, 'm').exec(text) ?? [];
    if (list !== undefined) return list.split(',').length;
  }
  throw new Error(`There is no list ${name}`);
}

/** Reads a cell such as `64 MB`, `1,000` or `15 minutes` as a number in the same units. */
export function parseAmount(cell: string): number {
  const [, digits = '', unit] = /^([\d,.]+)(?: (\w+))?$/.exec(cell.trim()) ?? [];
  return Number(digits.replaceAll(',', '')) * (unit === undefined ? 1 : (UNITS[unit] ?? Number.NaN));
}
