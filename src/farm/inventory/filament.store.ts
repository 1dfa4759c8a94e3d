// Reads and writes filaments, their corrections in spools, and the numbers that filaments share with spools.
import { translateViolations } from '../../database/failures';
import { limitAndOffset, readPage } from '../../database/pages';
import type { Queryable } from '../../database/queryable';
import { assignments, columnNames, givenAssignments, memberNames, recordType } from '../../database/rows';
import { joinConditions, sql } from '../../database/sql';
import { Conflict } from '../../errors';
import { Prisma } from '../../generated/prisma/client';
import { defineCursors, type Page, type PageRange } from '../../values/page';
import { parseText } from '../../values/text';
import { createArrangementFault } from './filament.colors';
import type { Filament } from './filament.types';
import {
  FILAMENT_ROW,
  isArchived,
  STORED_FILAMENT_COLUMNS,
  type StoredFilament,
  selectUnarchived,
} from './inventory.rows';
import type { SpoolmanLabel } from './spoolman-label';
import { matchSearch, selectNumberOfLabel } from './stock-search.filter';

/** The most places that a form suggests. */
export const MAX_PLACES = 1000;

const CURSORS = defineCursors('filaments', parseText, parseText);

/** The members that a correction of a filament also writes into its spools, with their columns. */
const CORRECTED_IN_SPOOLS = {
  materialId: 'material_id',
  filamentDiameterMm: 'filament_diameter_mm',
  colorHex: 'color_hex',
  vendor: 'vendor',
} satisfies Partial<Record<keyof StoredFilament, string>>;

export class FilamentStore {
  constructor(private readonly database: Queryable) {}

  /** A page of filaments, ordered by name (code point order), then by number. */
  async filaments(archived: boolean | null, search: string | null, range: PageRange): Promise<Page<Filament>> {
    const conditions = [...isArchived('f', archived), ...matchSearch('f', search)];
    const from = sql('filaments f join materials m on m.id = f.material_id');
    const [name, number] = range.after === null ? [] : CURSORS.keyOf(range.after);
    const after = name === undefined ? [] : [Prisma.sql`(f.name, f.number) > (${name}, ${Number(number)}::bigint)`];
    const page = {
      rows: Prisma.sql`
        select ${FILAMENT_ROW.json} as row from ${from} where ${joinConditions([...conditions, ...after])}
        order by f.name, f.number ${limitAndOffset(range)}`,
      total: Prisma.sql`select count(*) from ${from} where ${joinConditions(conditions)}`,
    };
    return readPage(this.database, 'filaments.filaments', FILAMENT_ROW, page, range, (row) =>
      CURSORS.to(row.name, String(row.number)),
    );
  }

  /** @returns null if neither a filament nor a spool has the number */
  findByNumber(number: number): Promise<[type: 'Filament' | 'Spool', id: string] | null> {
    return this.database.json(
      'filaments.ofNumber',
      Prisma.sql`
      select json_build_array('Filament', f.id) as value from filaments f where f.number = ${number}::int
      union all select json_build_array('Spool', s.id) from spools s where s.number = ${number}::int`,
    );
  }

  /** The number of the object that a label of Spoolman means. There may be no object with this number. */
  findByLabel(label: SpoolmanLabel): Promise<number> {
    return this.database.json('filaments.ofLabel', Prisma.sql`select to_json(${selectNumberOfLabel(label)}) as value`);
  }

  /** The places of spools in use, each once, in code point order. */
  places(): Promise<string[]> {
    return this.database.json(
      'filaments.places',
      Prisma.sql`
      select coalesce(json_agg(p.place), '[]') as value from (
        select distinct s.place from spools s where s.place is not null and s.archived_at is null
        order by s.place limit ${MAX_PLACES}::bigint
      ) p`,
    );
  }

  /** @returns how many filaments were added; a filament with an unknown or archived material is not added */
  create(filaments: readonly StoredFilament[]): Promise<number> {
    return this.attempt('filaments.create', ({ json }, name) =>
      json(
        name,
        Prisma.sql`
        with f as (
          insert into filaments (${columnNames(STORED_FILAMENT_COLUMNS)}) select ${memberNames(STORED_FILAMENT_COLUMNS)}
          from json_to_recordset(${JSON.stringify(filaments)}::json) as given (${recordType(STORED_FILAMENT_COLUMNS)}),
            lateral (${selectUnarchived('materials', sql('given."materialId"'))}) in_use
          returning 1
        )
        select to_json(count(*)) as value from f`,
      ),
    );
  }

  /** Writes filaments that this transaction has locked. The caller has checked their materials. */
  async rewrite(filaments: readonly StoredFilament[]): Promise<void> {
    await this.attempt('filaments.rewrite', ({ json }, name) =>
      json(
        name,
        Prisma.sql`
        with f as (
          update filaments f set ${givenAssignments(STORED_FILAMENT_COLUMNS)}
          from json_to_recordset(${JSON.stringify(filaments)}::json) as given (${recordType(STORED_FILAMENT_COLUMNS)})
          where f.id = given.id returning 1
        )
        select to_json(count(*)) as value from f`,
      ),
    );
  }

  /**
   * @param ofSpools whether spools that are not archived get the changes too, where their value equals the old value of the filament
   * @returns false if there is no such filament, or if a new material is unknown or archived
   */
  update(id: string, changes: Partial<StoredFilament>, ofSpools: boolean): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const store = new FilamentStore(transaction);
      const before = await store.lockFilament(id);
      if (before === null || !(await store.write(id, changes))) return false;
      if (ofSpools) await store.correctSpools(id, before, changes);
      return true;
    });
  }

  /** Locks the filament: until the transaction ends, nobody changes the filament or adds a spool of it. */
  private lockFilament(id: string): Promise<Record<keyof typeof CORRECTED_IN_SPOOLS, string | null> | null> {
    return this.database.json(
      'filaments.locked',
      Prisma.sql`
      select json_build_object('materialId', f.material_id, 'filamentDiameterMm', f.filament_diameter_mm::text,
        'colorHex', f.color_hex, 'vendor', f.vendor) as value
      from filaments f where f.id = ${id}::uuid for update`,
    );
  }

  private write(id: string, changes: Partial<StoredFilament>): Promise<boolean> {
    const { materialId } = changes;
    const conditions = [Prisma.sql`f.id = ${id}::uuid`];
    if (materialId !== undefined) {
      conditions.push(Prisma.sql`(f.material_id = ${materialId}::uuid
        or exists (${selectUnarchived('materials', Prisma.sql`${materialId}::uuid`)}))`);
    }
    return this.attempt('filaments.update', ({ json }, name) =>
      json(
        name,
        Prisma.sql`
        with f as (
          update filaments f set ${assignments(STORED_FILAMENT_COLUMNS, changes)} where ${joinConditions(conditions)} returning 1
        )
        select to_json(count(*) > 0) as value from f`,
      ),
    );
  }

  /** A spool keeps a value that differs from the old value of the filament, because a user had entered it for the spool. */
  private async correctSpools(
    id: string,
    before: Record<keyof typeof CORRECTED_IN_SPOOLS, string | null>,
    { updatedAt, ...changes }: Partial<StoredFilament>,
  ): Promise<void> {
    const corrected = Object.entries(CORRECTED_IN_SPOOLS).flatMap(([member, column]) => {
      const name = member as keyof typeof CORRECTED_IN_SPOOLS;
      const value = changes[name];
      if (value === undefined) return [];
      const type = sql(STORED_FILAMENT_COLUMNS[name]);
      const wasEqual = Prisma.sql`${sql(`s.${column}`)} is not distinct from ${before[name]}::${type}`;
      const differs = Prisma.sql`${before[name]}::${type} is distinct from ${value}::${type}`;
      return [
        {
          column: sql(column),
          value: Prisma.sql`${value}::${type}`,
          isCorrected: Prisma.sql`(${wasEqual} and ${differs})`,
        },
      ];
    });
    if (corrected.length === 0) return;
    await this.database.json(
      'filaments.correctSpools',
      Prisma.sql`
      with s as (
        update spools s set updated_at = ${updatedAt}::timestamptz, ${Prisma.join(
          corrected.map(
            ({ column, value, isCorrected: takes }) =>
              Prisma.sql`${column} = case when ${takes} then ${value} else s.${column} end`,
          ),
        )}
        where s.filament_id = ${id}::uuid and s.archived_at is null and (${Prisma.join(
          corrected.map(({ isCorrected: takes }) => takes),
          ' or ',
        )})
        returning 1
      )
      select to_json(count(*)) as value from s`,
    );
  }

  private attempt<T>(name: string, write: (database: Queryable, name: string) => Promise<T>): Promise<T> {
    return translateViolations(REFUSALS, () => this.database.attempt(name, write));
  }
}

const createNameConflict = () => new Conflict('is taken by another filament of this vendor', 'input', 'name');
const REFUSALS = new Map<string, () => Error>([
  ['filaments_vendor_name_key', createNameConflict],
  ['filaments_name_key', createNameConflict],
  ['filaments_color_arrangement', createArrangementFault],
]);
