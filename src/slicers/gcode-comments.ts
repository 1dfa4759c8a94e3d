// Reads the comments of a G-code file into values by name, such as `; filament used [mm] = 241.03` and `;TIME:865`.
import type { GcodeFigures } from './plan';

/** A family of slicers. */
export interface Slicer {
  /** Matches the line that shows that one of these slicers wrote the file. */
  signature: RegExp;
  read: (comments: Comments) => GcodeFigures;
}

/** A longer line is not a figure of a slicer. */
const MAX_LINE = 2000;
const MAX_NAME = 80;

export class Comments {
  private readonly values = new Map<string, string[]>();

  static fromGcode(text: string): Comments {
    return new Comments(text, /^;+/, /[=:]/);
  }

  /** The metadata of bgcode has the same names and values as comments, without the sign of a comment. */
  static fromMetadata(text: string): Comments {
    return new Comments(text, /^/, /=/);
  }

  /**
   * @param start the sign at the start of a comment
   * @param sign the sign between a name and its value; only the first sign in a line counts
   */
  private constructor(text: string, start: RegExp, sign: RegExp) {
    for (const wholeLine of text.split(/\r?\n/)) {
      const line = wholeLine.length <= MAX_LINE ? wholeLine.trim() : '';
      if (!start.test(line)) continue;
      const comment = line.replace(start, '');
      const at = comment.search(sign);
      const name = comment.slice(0, Math.max(at, 0)).trim().toLowerCase();
      const value = comment.slice(at + 1).trim();
      if (name === '' || name.length > MAX_NAME || value === '') continue;
      const values = this.values.get(name);
      if (values) values.push(value);
      else this.values.set(name, [value]);
    }
  }

  /** The first readable value of a name, for slicers that write at the start of a file. */
  first<T>(name: string, read: (value: string) => T | null): T | null {
    return findFirstReadable(this.values.get(name) ?? [], read);
  }

  /** The last readable value of a name, for slicers that write at the end of a file: a start script may contain the same names. */
  last<T>(name: string, read: (value: string) => T | null): T | null {
    return findFirstReadable(this.values.get(name)?.toReversed() ?? [], read);
  }

  /** All values of a name, for slicers that write one line for each extruder. */
  all(name: string): readonly string[] {
    return this.values.get(name) ?? [];
  }

  /** The values of names that contain a number, such as `ext #2`, with that number. */
  numbered<T>(name: RegExp, read: (value: string) => T | null): [number, T][] {
    return [...this.values].flatMap(([found, values]): [number, T][] => {
      const number = name.exec(found)?.[1];
      const value = number === undefined ? null : findFirstReadable(values, read);
      return value === null ? [] : [[Number(number), value]];
    });
  }
}

function findFirstReadable<T>(values: readonly string[], read: (value: string) => T | null): T | null {
  for (const value of values) {
    const found = read(value);
    if (found !== null) return found;
  }
  return null;
}
