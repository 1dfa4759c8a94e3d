// What the comments of a G-code file say, by their names: `; filament used [mm] = 241.03`, `;TIME:865`.
import type { GcodeFigures } from './plan';

/** A family of slicers: by which line its files are known, and what their comments say. */
export interface Slicer {
  wrote: RegExp;
  read: (comments: Comments) => GcodeFigures;
}

/** A longer line is no figure of a slicer. */
const MAX_LINE = 2000;
const MAX_NAME = 80;

export class Comments {
  private readonly values = new Map<string, string[]>();

  static ofGcode(text: string): Comments {
    return new Comments(text, /^;+/, /[=:]/);
  }

  /** The metadata of bgcode: the same names and values, without the sign of a comment. */
  static ofMetadata(text: string): Comments {
    return new Comments(text, /^/, /=/);
  }

  /** @param sign between a name and its value. A line is cut at its first one: no line is tried in several ways. */
  private constructor(text: string, begin: RegExp, sign: RegExp) {
    for (const one of text.split(/\r?\n/)) {
      const line = one.length <= MAX_LINE ? one.trim() : '';
      if (!begin.test(line)) continue;
      const said = line.replace(begin, '');
      const at = said.search(sign);
      const name = said.slice(0, Math.max(at, 0)).trim().toLowerCase();
      const value = said.slice(at + 1).trim();
      if (name === '' || name.length > MAX_NAME || value === '') continue;
      const values = this.values.get(name);
      if (values) values.push(value);
      else this.values.set(name, [value]);
    }
  }

  /** The first value that can be read, for slicers that write at the beginning. A name that stands twice counts once. */
  first<T>(name: string, read: (value: string) => T | null): T | null {
    return firstRead(this.values.get(name) ?? [], read);
  }

  /** The last value that can be read, for slicers that write at the end: a start script may hold the same names. */
  last<T>(name: string, read: (value: string) => T | null): T | null {
    return firstRead(this.values.get(name)?.toReversed() ?? [], read);
  }

  /** All values, for slicers that write a line for each extruder under one name. */
  all(name: string): readonly string[] {
    return this.values.get(name) ?? [];
  }

  /** The values of names with a number, such as `ext #2`, by that number. */
  numbered<T>(name: RegExp, read: (value: string) => T | null): [number, T][] {
    return [...this.values].flatMap(([found, values]): [number, T][] => {
      const number = name.exec(found)?.[1];
      const value = number === undefined ? null : firstRead(values, read);
      return value === null ? [] : [[Number(number), value]];
    });
  }
}

function firstRead<T>(values: readonly string[], read: (value: string) => T | null): T | null {
  for (const value of values) {
    const found = read(value);
    if (found !== null) return found;
  }
  return null;
}
