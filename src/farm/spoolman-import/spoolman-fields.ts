// Decides the own fields of an import: those that a Spoolman defines, or from files the types that all values of a field have.
import { describeUnstorable } from '../../values/text';
import type { SpoolmanObject } from './spoolman-objects';

export type FieldOwner = 'vendor' | 'filament' | 'spool';

export interface FieldDefinition {
  entityType: FieldOwner;
  key: string;
  name: string;
  order: number;
  fieldType: string;
  unit: string | null;
  defaultValue: string | null;
  choices: string[] | null;
  multiChoice: boolean | null;
}

export const OWNERS = { VENDOR: 'vendor', FILAMENT: 'filament', SPOOL: 'spool' } as const;

const TYPES = ['text', 'integer', 'integer_range', 'float', 'float_range', 'datetime', 'boolean', 'choice'];
const KEY = /^[a-z0-9_]{1,64}$/;
const MAX_NAME = 128;
const MAX_FIELDS = 128;

/** The fields of one answer; null if it is no list of fields. A field that the gateway cannot have is left out. */
export function readFieldDefinitions(entityType: FieldOwner, list: unknown): FieldDefinition[] | null {
  if (!Array.isArray(list) || list.length > MAX_FIELDS) return null;
  return list.flatMap((raw: unknown) => {
    const { key, name, order, field_type, unit, default_value, choices, multi_choice } = (raw ?? {}) as Record<
      string,
      unknown
    >;
    if (typeof key !== 'string' || !KEY.test(key) || !TYPES.includes(String(field_type))) return [];
    const isList = Array.isArray(choices) && choices.every((one) => textOf(one, MAX_NAME) !== null);
    return [
      {
        entityType,
        key,
        name: textOf(name, MAX_NAME) ?? key,
        order: Number.isInteger(order) ? Math.min(Math.max(order as number, -1_000_000), 1_000_000) : 0,
        fieldType: String(field_type),
        unit: textOf(unit, MAX_NAME),
        defaultValue: textOf(default_value, 65_535),
        choices: isList ? (choices as string[]) : null,
        multiChoice: typeof multi_choice === 'boolean' ? multi_choice : null,
      },
    ];
  });
}

const textOf = (value: unknown, length: number) =>
  typeof value === 'string' && value !== '' && value.length <= length && describeUnstorable(value) === undefined
    ? value
    : null;

/** The types of the values in files: a field whose values have several types, or another type, gets none. */
export function deduceFields(objects: readonly SpoolmanObject[]): FieldDefinition[] {
  const types = new Map<string, Set<string>>();
  for (const { kind, extra } of objects) {
    for (const [key, json] of Object.entries(extra)) {
      if (!KEY.test(key)) continue;
      const field = `${OWNERS[kind]} ${key}`;
      types.set(field, (types.get(field) ?? new Set()).add(typeOfJson(json)));
    }
  }
  return [...types].flatMap(([field, found]) => {
    const [entityType, key] = field.split(' ') as [FieldOwner, string];
    const fieldType = joinTypes(found);
    if (fieldType === null) return [];
    return [
      {
        entityType,
        key,
        name: key,
        order: 0,
        fieldType,
        unit: null,
        defaultValue: null,
        choices: null,
        multiChoice: null,
      },
    ];
  });
}

function typeOfJson(json: string): string {
  const value: unknown = JSON.parse(json);
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return /^-?\d+$/.test(json.trim()) ? 'integer' : 'float';
  return 'other';
}

function joinTypes(found: ReadonlySet<string>): string | null {
  const [type = 'other', ...more] = [...found].sort();
  if (more.length === 0) return type === 'other' ? null : type;
  return type === 'float' && more.length === 1 && more[0] === 'integer' ? 'float' : null;
}

/** The types that a field here may have when files have values of a type: files do not show more. */
const SEEN_AS: Record<string, readonly string[]> = {
  text: ['text', 'choice', 'datetime'],
  integer: ['integer', 'float'],
  float: ['float'],
  boolean: ['boolean'],
};

export interface FieldsOfImport {
  /** The fields that the farm has or gets, as `spool lot`. */
  known: ReadonlySet<string>;
  added: FieldDefinition[];
  /** Why the import fails, as a sentence; null if it does not. */
  fault: string | null;
}

/** @param here the types of the farm's fields, as `spool lot` */
export function decideFields(
  wanted: readonly FieldDefinition[],
  here: ReadonlyMap<string, string>,
  isFromUrl: boolean,
): FieldsOfImport {
  const known = new Set(here.keys());
  const added: FieldDefinition[] = [];
  for (const field of wanted) {
    const id = `${field.entityType} ${field.key}`;
    const type = here.get(id);
    if (type === undefined) {
      added.push(field);
      known.add(id);
    } else if (isFromUrl ? type !== field.fieldType : !(SEEN_AS[field.fieldType] ?? []).includes(type)) {
      const fault = `The field ${field.key} of a ${field.entityType} has the type ${type} here and another one in Spoolman. Rename one of the two fields, and read again.`;
      return { known, added, fault };
    }
  }
  const counts = [...known].reduce(
    (sums, id) => sums.set(id.split(' ')[0], (sums.get(id.split(' ')[0]) ?? 0) + 1),
    new Map<string | undefined, number>(),
  );
  const isFull = [...counts.values()].some((count) => count > MAX_FIELDS);
  return {
    known,
    added,
    fault: isFull ? `Each kind of object can have at most ${MAX_FIELDS} fields. Remove some, and read again.` : null,
  };
}
