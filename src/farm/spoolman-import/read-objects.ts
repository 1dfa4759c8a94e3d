// Collects the objects that an import reads: those of the lists, and the vendors and filaments inside filaments and spools.
import {
  isRaw,
  type Raw,
  readFilament,
  readSpool,
  readVendor,
  type SpoolmanKind,
  type SpoolmanObject,
} from './spoolman-objects';
import { readId } from './spoolman-values';

const KINDS = ['VENDOR', 'FILAMENT', 'SPOOL'] as const;
const READERS = { VENDOR: readVendor, FILAMENT: readFilament, SPOOL: readSpool };

/** A bound of the import is exceeded. */
export class TooMuch extends Error {}

export const MAX_OBJECTS = {
  VENDOR: 5_000,
  FILAMENT: 20_000,
  SPOOL: 100_000,
};
const PLURALS = { VENDOR: 'vendors', FILAMENT: 'filaments', SPOOL: 'spools' };
const MAX_TEXT = 65_535;

export class ReadObjects {
  private readonly listed: Record<SpoolmanKind, SpoolmanObject[]> = { VENDOR: [], FILAMENT: [], SPOOL: [] };
  private readonly byId: Record<SpoolmanKind, Map<number, SpoolmanObject>> = {
    VENDOR: new Map(),
    FILAMENT: new Map(),
    SPOOL: new Map(),
  };
  private readonly nested: Record<'VENDOR' | 'FILAMENT', Map<number, SpoolmanObject>> = {
    VENDOR: new Map(),
    FILAMENT: new Map(),
  };

  /** How many objects of all kinds were read. */
  get count(): number {
    return KINDS.reduce((sum, kind) => sum + this.listed[kind].length, 0);
  }

  /** Adds an object of a list. */
  add(kind: SpoolmanKind, raw: Raw): void {
    if (this.listed[kind].length >= MAX_OBJECTS[kind])
      throw new TooMuch(`It has more than ${MAX_OBJECTS[kind].toLocaleString('en')} ${PLURALS[kind]}`);
    refuseLongTexts(raw);
    this.list(READERS[kind](raw));
    if (kind === 'SPOOL' && isRaw(raw['filament'])) this.addNested('FILAMENT', raw['filament']);
    const owner = kind === 'SPOOL' ? raw['filament'] : raw;
    if (kind !== 'VENDOR' && isRaw(owner) && isRaw(owner['vendor'])) this.addNested('VENDOR', owner['vendor']);
  }

  /** Adds an object that was read before, to which files are added: one of them may list an object that was inside another one. */
  addRead(object: SpoolmanObject): void {
    const { kind, id, isInside } = object;
    if (kind !== 'SPOOL' && id !== null && isInside) this.nested[kind].set(id, object);
    else this.list(object);
  }

  private list(object: SpoolmanObject): void {
    const { kind, id } = object;
    const twin = id === null ? undefined : this.byId[kind].get(id);
    if (twin !== undefined) {
      for (const one of [twin, object]) one.fault = 'The id appears twice.';
    } else if (id !== null) this.byId[kind].set(id, object);
    this.listed[kind].push(object);
  }

  /** Forgets a list that is read again. */
  restart(kind: SpoolmanKind): void {
    this.listed[kind] = [];
    this.byId[kind].clear();
  }

  private addNested(kind: 'VENDOR' | 'FILAMENT', raw: Raw): void {
    const id = readId(raw['id']);
    if (id === null || this.nested[kind].has(id)) return;
    if (this.nested[kind].size >= MAX_OBJECTS[kind])
      throw new TooMuch(`It has more than ${MAX_OBJECTS[kind].toLocaleString('en')} ${PLURALS[kind]}`);
    this.nested[kind].set(id, READERS[kind](raw));
  }

  /** All objects in the order of the preview. An object inside another one counts only if no list has it. */
  finish(): SpoolmanObject[] {
    for (const kind of ['VENDOR', 'FILAMENT'] as const) {
      for (const [id, object] of this.nested[kind]) {
        if (!this.byId[kind].has(id)) this.list({ ...object, isInside: true });
      }
      this.nested[kind].clear();
    }
    return KINDS.flatMap((kind) => this.listed[kind].sort((a, b) => (a.id ?? 0) - (b.id ?? 0)));
  }
}

/** The list and its nested objects have few levels. */
const MAX_LEVELS = 6;

function refuseLongTexts(value: unknown, level = 0): void {
  if (typeof value === 'string') {
    if (value.length > MAX_TEXT) throw new TooMuch(`A text has more than ${MAX_TEXT.toLocaleString('en')} characters`);
  } else if (typeof value === 'object' && value !== null && level < MAX_LEVELS) {
    for (const key of Object.keys(value)) refuseLongTexts((value as Raw)[key], level + 1);
  }
}
