// Reads lists and single objects of the API. A list costs one statement for its ids, and then one or two for each part of it.
import type { Queryable } from '../../database/queryable';
import { arrayParameter, joinConditions, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { FILAMENT_ROW, FILAMENTS, writeFilament } from './filament.rows';
import { type Kind, SORTED_BY } from './members.filter';
import { SPOOL_ROW, SPOOLS, type SpoolRow, USE_TIMES, writeSpool } from './spool.rows';
import { VENDOR_ROW, writeVendor } from './vendor.rows';

const TABLES = { spool: SPOOLS, filament: FILAMENTS, vendor: sql('vendors v') };

/** Reads how many grams are on spools now, by their GUIDs. */
export interface LeftOnSpools {
  ofSpools(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

interface Range {
  conditions: Prisma.Sql[];
  order: Prisma.Sql;
  limit: number | null;
  offset: number;
}

export class ListStore {
  constructor(
    private readonly database: Queryable,
    private readonly left: LeftOnSpools,
  ) {}

  /** The ids of a list in its order, and the number of all objects that match. */
  ids(kind: Kind, { conditions, order, limit, offset }: Range): Promise<{ ids: number[]; total: number }> {
    const from = Prisma.sql`from ${TABLES[kind]} where ${joinConditions(conditions)}`;
    const id = sql(`${SORTED_BY[kind]['id']}`);
    const range = limit === null ? Prisma.empty : Prisma.sql`limit ${limit}::bigint offset ${offset}::bigint`;
    const total = limit === null ? sql('count(r.id)') : Prisma.sql`(select count(*) ${from})`;
    return this.database.json(
      `spoolman.ids.${kind}`,
      Prisma.sql`
      select json_build_object('ids', coalesce(json_agg(r.id order by r.n), '[]'), 'total', ${total}) as value from (
        select k.id, row_number() over () as n from (select ${id} as id ${from} order by ${order} ${range}) k
      ) r`,
    );
  }

  /** Writes the objects with these ids as JSON, in this order. Objects that were removed meanwhile are missing. */
  async write(kind: Kind, ids: readonly number[]): Promise<string[]> {
    const byId = await this.writeById(kind, ids);
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** The objects with these ids as JSON. Objects that do not exist are missing. */
  writeById(kind: Kind, ids: readonly number[]): Promise<Map<number, string>> {
    return this.writers[kind](ids);
  }

  async writeOne(kind: Kind, id: number): Promise<string | null> {
    return (await this.write(kind, [id]))[0] ?? null;
  }

  spools(ids: readonly number[]): Promise<SpoolRow[]> {
    return this.database.rows(
      'spoolman.spools',
      SPOOL_ROW,
      Prisma.sql`select ${SPOOL_ROW.json} as row from ${SPOOLS} cross join ${USE_TIMES} where ${isOneOf('s.number', ids)}`,
    );
  }

  private readonly writers: Record<Kind, (ids: readonly number[]) => Promise<Map<number, string>>> = {
    spool: async (ids) => {
      const spools = await this.spools(ids);
      const left = await this.left.ofSpools(spools.map(({ id }) => id));
      return new Map(spools.flatMap((spool) => toEntry(spool, left.get(spool.id))));
    },
    filament: async (ids) => {
      const filaments = await this.database.rows(
        'spoolman.filaments',
        FILAMENT_ROW,
        Prisma.sql`select ${FILAMENT_ROW.json} as row from ${FILAMENTS} where ${isOneOf('f.number', ids)}`,
      );
      return new Map(filaments.map((filament) => [filament.number, writeFilament(filament)]));
    },
    vendor: async (ids) => {
      const vendors = await this.database.rows(
        'spoolman.vendors',
        VENDOR_ROW,
        Prisma.sql`select ${VENDOR_ROW.json} as row from vendors v where ${isOneOf('v.id', ids)}`,
      );
      return new Map(vendors.map((vendor) => [vendor.id, writeVendor(vendor)]));
    },
  };

  /** The texts of filaments and spools in use, each once, in code point order. */
  texts(name: keyof typeof TEXTS): Promise<string[]> {
    return this.database.json(
      `spoolman.texts.${name}`,
      Prisma.sql`
      select coalesce(json_agg(t.text order by t.text collate "C"), '[]') as value
      from (select distinct x.text from (${TEXTS[name]}) x where x.text <> '') t`,
    );
  }
}

/** A spool that was removed between the two statements has nothing left, so it is left out. */
const toEntry = (spool: SpoolRow, left: string | undefined): [number, string][] =>
  left === undefined ? [] : [[spool.number, writeSpool(spool, left)]];

const isOneOf = (column: string, ids: readonly number[]) =>
  ids.length === 1
    ? Prisma.sql`${sql(column)} = ${ids[0]}::int`
    : Prisma.sql`${sql(column)} = any(${arrayParameter(ids, 'int')}::int[])`;

const MATERIALS = `${SORTED_BY.filament['material']}`;
const TEXTS = {
  material: sql(`select ${MATERIALS} as text from materials m where exists (
      select from filaments f where f.material_id = m.id and f.archived_at is null)
    or exists (select from spools s where s.material_id = m.id and s.archived_at is null)`),
  location: sql('select s.place as text from spools s where s.archived_at is null'),
  'lot-number': sql('select s.lot_number as text from spools s where s.archived_at is null'),
  'article-number': sql('select f.article_number as text from filaments f where f.archived_at is null'),
};
export type TextList = keyof typeof TEXTS;
