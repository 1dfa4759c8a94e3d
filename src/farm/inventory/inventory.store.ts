// Reads and writes printers, spools and materials. docs/explanation/data-access.md says which statements are SQL and which are Prisma's.

import { translateViolations, violatedConstraint } from '../../database/failures';
import { limitAndOffset, readById, readPage, readPagesByOwner } from '../../database/pages';
import type { Queryable } from '../../database/queryable';
import {
  assignments,
  columnNames,
  givenAssignments,
  memberNames,
  type RowShape,
  recordType,
} from '../../database/rows';
import { arrayParameter, CLOCK, containsText, joinConditions, sql } from '../../database/sql';
import { Conflict } from '../../errors';
import { Prisma, type Printer as Stored } from '../../generated/prisma/client';
import { batchedPages, batchedRead } from '../../sharing/batch';
import { parseGuid } from '../../values/guid';
import { defineCursors, type Page, type PageRange } from '../../values/page';
import { parseText } from '../../values/text';
import type { Filament } from './filament.types';
import {
  FILAMENT_ROW,
  isArchived,
  LINKS_ROW,
  MATERIAL_ROW,
  NEW_SPOOL_COLUMNS,
  type NewSpool,
  PRINTER_ROW,
  SPOOL_ROW,
  type SpoolRow,
  STORED_SPOOL_COLUMNS,
  type StoredSpool,
  selectUnarchived,
} from './inventory.rows';
import type { FoundLinks, Material, Printer } from './inventory.types';
import { matchSearch } from './stock-search.filter';

export type InventoryKind = 'printer' | 'spool' | 'filament' | 'material';
/** `true` for archived objects, `false` for objects that are not archived, `null` for all. */
export type Archived = boolean | null;

interface LinkIds {
  printerId: string;
  spoolId: string | null;
}

/** The filter of a list of spools. */
export interface SpoolFilter {
  archived: Archived;
  search: string | null;
  filamentId: string | null;
}

/** The rows that refer to an object and so prevent its removal, by the constraint that refuses the removal. */
const REFERRERS: Record<string, string> = {
  observed_prints_printer_id_fkey: 'Observed prints',
  filaments_material_id_fkey: 'Filaments',
  spools_filament_id_fkey: 'Spools',
  spools_material_id_fkey: 'Spools',
};

const PRINTER_CURSORS = defineCursors('printers', parseText, parseGuid);
const SPOOL_CURSORS = defineCursors('spools', parseText);
const createSpoolCursor = ({ spoolSerial }: SpoolRow) => SPOOL_CURSORS.to(spoolSerial);

export class InventoryStore {
  constructor(private readonly database: Queryable) {}

  readonly material = this.batchById('inventory.material', MATERIAL_ROW, 'materials m', 'm.id');
  readonly printer = batchedRead<string, Printer>(async (ids) => {
    const rows = await this.database.models('inventory.printer', (prisma) =>
      prisma.printer.findMany({ where: { id: { in: [...ids] } } }),
    );
    return new Map(rows.map((row) => [row.id, toPrinter(row)]));
  });
  readonly spool = this.batchById('inventory.spool', SPOOL_ROW, 'spools s', 's.id');
  readonly filament = this.batchById('inventory.filament', FILAMENT_ROW, 'filaments f', 'f.id');

  /**
   * Reads the printer and the spool of a job with one statement. With two statements, 16 clients create a fifteenth fewer jobs (W6 of
   * docs/explanation/speed.md).
   */
  async links(printerId: string, spoolId: string | null): Promise<FoundLinks> {
    return (await this.linksById.load({ printerId, spoolId })) as FoundLinks;
  }

  private readonly linksById = batchedRead<LinkIds, FoundLinks>(async (ids) => {
    const toParameter = (member: keyof LinkIds) =>
      arrayParameter(
        ids.map((link) => link[member]),
        'uuid',
      );
    const rows = await this.database.rows(
      'inventory.links',
      LINKS_ROW,
      Prisma.sql`
      select ${LINKS_ROW.json} as row
      from unnest(${toParameter('printerId')}, ${toParameter('spoolId')}) with ordinality as k (printer_id, spool_id, n) order by k.n`,
    );
    return new Map(ids.map((link, index) => [JSON.stringify(link), rows[index] as FoundLinks]));
  }, JSON.stringify);

  materials(archived: Archived): Promise<Material[]> {
    return this.database.rows(
      'inventory.materials',
      MATERIAL_ROW,
      Prisma.sql`
      select ${MATERIAL_ROW.json} as row from materials m where ${joinConditions(isArchived('m', archived))} order by m.name`,
    );
  }

  /** The number of objects of each kind. */
  counts(): Promise<{ printers: number; spools: number; filaments: number; materials: number }> {
    return this.database.models('inventory.counts', async ({ printer, spool, filament, material }) => {
      const [printers, spools, filaments, materials] = await Promise.all([
        printer.count(),
        spool.count(),
        filament.count(),
        material.count(),
      ]);
      return { printers, spools, filaments, materials };
    });
  }

  /** By name (code point order), then id. */
  async printers(archived: Archived, search: string | null, range: PageRange): Promise<Page<Printer>> {
    const conditions = isArchived('p', archived);
    if (search !== null) conditions.push(containsText(['p.name'], search));
    const [name, id] = range.after === null ? [] : PRINTER_CURSORS.keyOf(range.after);
    const after = name === undefined ? [] : [Prisma.sql`(p.name, p.id) > (${name}, ${id}::uuid)`];
    const page = {
      rows: Prisma.sql`
        select ${PRINTER_ROW.json} as row from printers p
        where ${joinConditions([...conditions, ...after])} order by p.name, p.id ${limitAndOffset(range)}`,
      total: Prisma.sql`select count(*) from printers p where ${joinConditions(conditions)}`,
    };
    return readPage(this.database, 'inventory.printers', PRINTER_ROW, page, range, ({ name, id }) =>
      PRINTER_CURSORS.to(name, id),
    );
  }

  /** By serial (code point order). */
  async spools({ archived, search, filamentId }: SpoolFilter, range: PageRange): Promise<Page<SpoolRow>> {
    const conditions = [...isArchived('s', archived), ...matchSearch('s', search)];
    if (filamentId !== null) conditions.push(Prisma.sql`s.filament_id = ${filamentId}::uuid`);
    // Only a search needs the names of materials and filaments.
    const names =
      search === null ? '' : 'join materials m on m.id = s.material_id left join filaments f on f.id = s.filament_id';
    const page = selectSpoolPage(conditions, range, sql(names));
    return readPage(this.database, 'inventory.spools', SPOOL_ROW, page, range, createSpoolCursor);
  }

  /** The spools of one filament, by their serials. */
  readonly spoolsOf = batchedPages<{ archived: Archived; range: PageRange }, SpoolRow>(({ archived, range }) => {
    const page = selectSpoolPage([sql('s.filament_id = k.id'), ...isArchived('s', archived)], range);
    return (filaments) =>
      readPagesByOwner(this.database, 'inventory.spoolsOf', SPOOL_ROW, filaments, page, range, createSpoolCursor);
  });

  async createMaterial(data: Prisma.MaterialUncheckedCreateInput): Promise<void> {
    await this.attemptWithConflicts('inventory.createMaterial', ({ prisma }) => prisma.material.create({ data }));
  }

  async createPrinter(data: Prisma.PrinterUncheckedCreateInput): Promise<void> {
    await this.attemptWithConflicts('inventory.createPrinter', ({ prisma }) => prisma.printer.create({ data }));
  }

  /**
   * Adds spools with their starting weights. A starting weight gets the earlier time of the two clocks, so that its time is not in the future.
   * @returns how many spools were added; a spool with an unknown or archived material is not added
   */
  async createSpools(spools: readonly NewSpool[], by: string | null): Promise<number> {
    return this.attemptWithConflicts('inventory.createSpools', ({ json }, name) =>
      json(
        name,
        Prisma.sql`
        with given as (
          select * from json_to_recordset(${JSON.stringify(spools)}::json) as given (${recordType(NEW_SPOOL_COLUMNS)})
        ), s as (
          insert into spools (${columnNames(STORED_SPOOL_COLUMNS)}) select ${memberNames(STORED_SPOOL_COLUMNS)}
          from given, lateral (${selectUnarchived('materials', sql('given."materialId"'))}) in_use
          returning id, created_at
        ), o as (
          insert into spool_adjustments (spool_id, kind, at, net_grams, by)
          select s.id, 'OPENING', least(s.created_at, ${CLOCK}), g."remainingGrams", ${by}::text
          from s join given g on g.id = s.id where g."remainingGrams" is not null
        )
        select to_json(count(*)) as value from s`,
      ),
    );
  }

  /** Runs the work while the filament is locked against changes. The work gets `null` if there is no such filament. */
  withFilament<T>(id: string, work: (store: InventoryStore, filament: Filament | null) => Promise<T>): Promise<T> {
    return this.database.transaction(async (transaction) => {
      const [filament = null] = await transaction.rows(
        'inventory.withFilament',
        FILAMENT_ROW,
        Prisma.sql`select ${FILAMENT_ROW.json} as row from filaments f where f.id = ${id}::uuid for share`,
      );
      return work(new InventoryStore(transaction), filament);
    });
  }

  /** Members that are undefined do not change, here and in the other updates. */
  async updateMaterial(id: string, data: Prisma.MaterialUncheckedUpdateManyInput): Promise<void> {
    await this.attemptWithConflicts('inventory.updateMaterial', ({ prisma }) =>
      prisma.material.updateMany({ where: { id }, data }),
    );
  }

  async updatePrinter(id: string, data: Prisma.PrinterUncheckedUpdateManyInput): Promise<void> {
    await this.attemptWithConflicts('inventory.updatePrinter', ({ prisma }) =>
      prisma.printer.updateMany({ where: { id }, data }),
    );
  }

  /** @returns false if there is no such spool, or if a new material or filament is unknown or archived */
  async updateSpool(id: string, changes: Partial<StoredSpool>): Promise<boolean> {
    const conditions = [Prisma.sql`s.id = ${id}::uuid`];
    for (const [table, column, link] of [
      ['materials', 'material_id', changes.materialId],
      ['filaments', 'filament_id', changes.filamentId],
    ] as const) {
      if (link == null) continue;
      conditions.push(
        Prisma.sql`(s.${sql(column)} = ${link}::uuid or exists (${selectUnarchived(table, Prisma.sql`${link}::uuid`)}))`,
      );
    }
    return this.attemptWithConflicts('inventory.updateSpool', ({ json }, name) =>
      json(
        name,
        Prisma.sql`
        with s as (
          update spools s set ${assignments(STORED_SPOOL_COLUMNS, changes)} where ${joinConditions(conditions)} returning 1
        )
        select to_json(count(*) > 0) as value from s`,
      ),
    );
  }

  /** Writes spools that this transaction has locked. The caller has checked their materials and filaments. */
  async rewriteSpools(spools: readonly StoredSpool[]): Promise<void> {
    await this.attemptWithConflicts('inventory.rewriteSpools', ({ json }, name) =>
      json(
        name,
        Prisma.sql`
        with s as (
          update spools s set ${givenAssignments(STORED_SPOOL_COLUMNS)}
          from json_to_recordset(${JSON.stringify(spools)}::json) as given (${recordType(STORED_SPOOL_COLUMNS)})
          where s.id = given.id returning 1
        )
        select to_json(count(*)) as value from s`,
      ),
    );
  }

  /** Archiving an archived object again keeps the first time. @param archivedAt null restores the object */
  async archive(kind: InventoryKind, id: string, archivedAt: string | null, now: string): Promise<void> {
    const where = { id, archivedAt: archivedAt === null ? { not: null } : null };
    await this.database.attempt('inventory.archive', ({ prisma }) => {
      if (kind === 'material') return prisma.material.updateMany({ where, data: { archivedAt } });
      const data = { archivedAt, updatedAt: now };
      const tables = { printer: prisma.printer, spool: prisma.spool, filament: prisma.filament };
      return (tables[kind] as typeof prisma.printer).updateMany({ where, data });
    });
  }

  /** @returns false if there is no such object */
  remove(kind: InventoryKind, id: string): Promise<boolean> {
    return this.removeUnused(kind, ({ prisma }) => {
      const tables = {
        printer: prisma.printer,
        spool: prisma.spool,
        filament: prisma.filament,
        material: prisma.material,
      };
      return (tables[kind] as typeof prisma.printer).deleteMany({ where: { id } });
    });
  }

  /**
   * Removes a printer that has no device. A request that adds a device at the same moment waits, and then finds no printer.
   * @returns false if there is no such printer, or if it has a device
   */
  removeWithoutDevice(id: string): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      await transaction.json(
        'inventory.lockPrinter',
        Prisma.sql`with l as (select from printers where id = ${id}::uuid for update) select to_json(count(*)) as value from l`,
      );
      return new InventoryStore(transaction).removeUnused('printer', ({ prisma }) =>
        prisma.printer.deleteMany({ where: { id, device: { is: null } } }),
      );
    });
  }

  private async removeUnused(
    kind: InventoryKind,
    remove: (database: Queryable) => Promise<{ count: number }>,
  ): Promise<boolean> {
    try {
      const { count } = await this.database.attempt('inventory.remove', remove);
      return count > 0;
    } catch (error) {
      const violated = violatedConstraint(error);
      if (violated?.kind !== 'foreignKey') throw error;
      throw new Conflict(
        `${REFERRERS[violated.constraint] ?? 'Print jobs'} refer to this ${kind}: archive it instead`,
        'id',
      );
    }
  }

  private attemptWithConflicts<T>(name: string, write: (database: Queryable, name: string) => Promise<T>): Promise<T> {
    return translateViolations(CONFLICTS, () => this.database.attempt(name, write));
  }

  private batchById<Row extends { id: string }>(name: string, shape: RowShape<Row>, table: string, id: string) {
    return batchedRead<string, Row>((ids) => readById(this.database, name, shape, sql(table), id, ids));
  }
}

/** The rows and the total of a list of spools `s`, ordered by serial. @param names the joins that a search needs */
function selectSpoolPage(conditions: Prisma.Sql[], range: PageRange, names = Prisma.empty) {
  const after = range.after === null ? [] : [Prisma.sql`s.spool_serial > ${SPOOL_CURSORS.keyOf(range.after)[0]}`];
  return {
    rows: Prisma.sql`
      select ${SPOOL_ROW.json} as row from spools s ${names}
      where ${joinConditions([...conditions, ...after])} order by s.spool_serial ${limitAndOffset(range)}`,
    total: Prisma.sql`select count(*) from spools s ${names} where ${joinConditions(conditions)}`,
  };
}

/** Prisma reads times as Date objects; the gateway uses texts. */
function toPrinter({ id, name, createdAt, updatedAt, archivedAt }: Stored): Printer {
  return {
    id,
    name,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    archivedAt: archivedAt?.toISOString() ?? null,
  };
}

const CONFLICTS = new Map<string, () => Error>([
  ['materials_name_key', () => new Conflict('is taken by another material', 'input', 'name')],
  ['spools_spool_serial_key', () => new Conflict('is taken by another spool', 'input', 'spoolSerial')],
]);
