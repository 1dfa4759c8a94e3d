// Reads and writes the definitions of the farm's own fields, and removes the values of a field.
import type { Queryable } from '../../database/queryable';
import { rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';

export type ExtraFieldOwner = 'vendor' | 'filament' | 'spool';

export const FIELD_TYPES = [
  'text',
  'integer',
  'integer_range',
  'float',
  'float_range',
  'datetime',
  'boolean',
  'choice',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export interface ExtraField {
  entityType: ExtraFieldOwner;
  key: string;
  name: string;
  order: number;
  fieldType: FieldType;
  unit: string | null;
  defaultValue: string | null;
  choices: string[] | null;
  multiChoice: boolean | null;
}

const EXTRA_FIELD_ROW = rowShape<ExtraField, 'order'>(
  'e',
  {
    entityType: 'text',
    key: 'text',
    name: 'text',
    fieldType: 'text',
    unit: 'text',
    defaultValue: 'text',
    choices: 'json',
    multiChoice: 'boolean',
  },
  { order: { sql: 'e."order"' } },
);

const TABLES: Record<ExtraFieldOwner, Prisma.Sql> = {
  vendor: sql('vendors'),
  filament: sql('filaments'),
  spool: sql('spools'),
};

export class ExtraFieldStore {
  constructor(private readonly database: Queryable) {}

  /** By order, then key. @param owner null for the fields of all objects */
  list(owner: ExtraFieldOwner | null): Promise<ExtraField[]> {
    return this.database.rows(
      'extraFields.list',
      EXTRA_FIELD_ROW,
      Prisma.sql`select ${EXTRA_FIELD_ROW.json} as row from extra_fields e
        where coalesce(e.entity_type = ${owner}::text, true) order by e."order", e.key`,
    );
  }

  /** Writers of fields wait for each other, so that each finds the fields of those before it. */
  async lock(): Promise<void> {
    await this.database.json(
      'extraFields.lock',
      Prisma.sql`select to_json(true) as value from pg_advisory_xact_lock('extra_fields'::regclass::bigint)`,
    );
  }

  async write(field: ExtraField): Promise<void> {
    const { entityType, key, name, order, fieldType, unit, defaultValue, choices, multiChoice } = field;
    await this.database.json(
      'extraFields.write',
      Prisma.sql`
      insert into extra_fields (entity_type, key, name, "order", field_type, unit, default_value, choices, multi_choice)
      values (${entityType}::text, ${key}::text, ${name}::text, ${order}::int, ${fieldType}::text, ${unit}::text, ${defaultValue}::text,
        ${choices === null ? null : JSON.stringify(choices)}::jsonb, ${multiChoice}::boolean)
      on conflict (entity_type, key) do update set name = excluded.name, "order" = excluded."order", unit = excluded.unit,
        default_value = excluded.default_value, choices = excluded.choices, multi_choice = excluded.multi_choice
      returning to_json(true) as value`,
    );
  }

  /** @returns false if there is no such field */
  async remove(owner: ExtraFieldOwner, key: string): Promise<boolean> {
    const removed = await this.database.json<boolean>(
      'extraFields.remove',
      Prisma.sql`
      with e as (delete from extra_fields where entity_type = ${owner}::text and key = ${key}::text returning 1)
      select to_json(count(*) > 0) as value from e`,
    );
    if (removed)
      await this.database.json(
        'extraFields.removeValues',
        Prisma.sql`
        with o as (update ${TABLES[owner]} set extra = extra - ${key}::text where extra ? ${key}::text returning 1)
        select to_json(count(*)) as value from o`,
      );
    return removed;
  }

  /** The values of a field, each once, in code point order. */
  values(owner: ExtraFieldOwner, key: string): Promise<string[]> {
    return this.database.json(
      'extraFields.values',
      Prisma.sql`
      select coalesce(json_agg(x.value order by x.value collate "C"), '[]') as value from (
        select distinct case when o.extra->>${key}::text like '"%' then (o.extra->>${key}::text)::jsonb #>> '{}'
          else o.extra->>${key}::text end as value
        from ${TABLES[owner]} o where o.extra ? ${key}::text
      ) x`,
    );
  }
}
