// Decides which own fields a farm may define, and which values a field may have.
import { BadInput, NotFound } from '../../errors';
import type { ExtraField, ExtraFieldOwner, ExtraFieldStore, FieldType } from './extra-field.store';

const MAX_FIELDS = 128;
/** The most characters of a value. */
export const MAX_VALUE_LENGTH = 65_535;

export class ExtraFieldService {
  constructor(private readonly store: ExtraFieldStore) {}

  list(owner: ExtraFieldOwner | null): Promise<ExtraField[]> {
    return this.store.list(owner);
  }

  /** Creates a field or changes it. Must be called in a transaction. */
  async define(field: ExtraField): Promise<ExtraField[]> {
    await this.store.lock();
    const fields = await this.store.list(field.entityType);
    const existing = fields.find(({ key }) => key === field.key);
    if (existing !== undefined && existing.fieldType !== field.fieldType)
      throw new BadInput(
        `A field cannot change its type, and ${field.key} has the type ${existing.fieldType}. Delete the field first, or choose another key`,
        'field_type',
      );
    if (existing === undefined && fields.length >= MAX_FIELDS)
      throw new BadInput(`A ${field.entityType} can have at most ${MAX_FIELDS} fields. Delete a field first`, 'key');
    if ((field.fieldType === 'choice') !== (field.choices !== null && field.choices.length > 0))
      throw new BadInput('are needed for a field of the type choice, and for no other field', 'choices');
    if (field.defaultValue !== null) checkValue(field, field.defaultValue, 'default_value');
    await this.store.write(field);
    return this.store.list(field.entityType);
  }

  /** Must be called in a transaction. */
  async remove(owner: ExtraFieldOwner, key: string): Promise<ExtraField[]> {
    await this.store.lock();
    if (!(await this.store.remove(owner, key))) throw new NotFound(`field of a ${owner}`, [key]);
    return this.store.list(owner);
  }

  async values(owner: ExtraFieldOwner, key: string): Promise<string[]> {
    await this.requireDefined([{ owner, key }], (name) => new NotFound(`field of a ${owner}`, [name]));
    return this.store.values(owner, key);
  }

  /** Throws if a field is not defined. */
  async requireDefined(
    fields: readonly { owner: ExtraFieldOwner; key: string }[],
    createError = (key: string): Error => new BadInput(`The field ${key} is not defined. Define it first`),
  ): Promise<void> {
    if (fields.length === 0) return;
    const defined = new Set((await this.store.list(null)).map(({ entityType, key }) => `${entityType} ${key}`));
    for (const { owner, key } of fields) if (!defined.has(`${owner} ${key}`)) throw createError(key);
  }

  /** Checks values of an object: each is JSON of the type of its field. null removes a value. */
  async check(owner: ExtraFieldOwner, values: Readonly<Record<string, string | null>>): Promise<void> {
    if (Object.keys(values).length === 0) return;
    const fields = new Map((await this.store.list(owner)).map((field) => [field.key, field]));
    for (const [key, value] of Object.entries(values)) {
      const field = fields.get(key);
      if (field === undefined) throw new BadInput(`The field ${key} is not defined. Define it first`, 'extra');
      if (value !== null) checkValue(field, value, 'extra');
    }
  }
}

const isNumber = (value: unknown): boolean => typeof value === 'number';
const isInteger = (value: unknown): boolean => Number.isInteger(value);
const isRange = (isEnd: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.length === 2 && value.every((end) => end === null || isEnd(end));

const CHECKS: Record<FieldType, (value: unknown, field: ExtraField) => boolean> = {
  text: (value) => typeof value === 'string',
  integer: isInteger,
  integer_range: isRange(isInteger),
  float: isNumber,
  float_range: isRange(isNumber),
  datetime: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  boolean: (value) => typeof value === 'boolean',
  choice: (value, { choices, multiChoice }) => {
    const isChoice = (one: unknown) => typeof one === 'string' && (choices ?? []).includes(one);
    return multiChoice ? Array.isArray(value) && value.every(isChoice) : isChoice(value);
  },
};

function checkValue(field: ExtraField, text: string, member: string): void {
  if (text.length > MAX_VALUE_LENGTH)
    throw new BadInput(`must have at most ${MAX_VALUE_LENGTH} characters for ${field.key}`, member);
  const value = parseJson(text);
  // PostgreSQL cannot store an escaped NUL as JSON.
  const isStorable = value !== undefined && !JSON.stringify(value).includes('\\u0000');
  if (!isStorable || !CHECKS[field.fieldType](value, field))
    throw new BadInput(`must have JSON of the type ${field.fieldType} for ${field.key}`, member);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
