// The SQL of printers, spools and materials.
import type { Queryable } from '../database/database';
import { violatedConstraint } from '../database/failures';
import { limitOf, readPage } from '../database/pages';
import type { RowShape } from '../database/rows';
import { isOneOf, sql } from '../database/sql';
import { Conflict, unknownLink } from '../errors';
import { Prisma } from '../generated/prisma/client';
import { batchedRead } from '../sharing/batch';
import { parseGuid } from '../values/guid';
import { cursorsOf, type Page, type PageRange } from '../values/page';
import { parseText } from '../values/text';
import { MATERIAL_ROW, PRINTER_ROW, SPOOL_ROW } from './inventory.rows';
import type { Material, Printer, Spool } from './inventory.types';

const PRINTER_CURSORS = cursorsOf('printers', parseText, parseGuid);
const SPOOL_CURSORS = cursorsOf('spools', parseText);

export class InventoryStore {
  constructor(private readonly database: Queryable) {}

  readonly material = this.byId('inventory.material', MATERIAL_ROW, 'materials m', 'm.id');
  readonly printer = this.byId('inventory.printer', PRINTER_ROW, 'printers p', 'p.id');
  readonly spool = this.byId('inventory.spool', SPOOL_ROW, 'spools s', 's.id');

  materials(): Promise<Material[]> {
    return this.database.rows(
      'inventory.materials',
      MATERIAL_ROW,
      Prisma.sql`select ${MATERIAL_ROW.json} as row from materials m order by m.name`,
    );
  }

  /** By name (code point order), then id. */
  async printers(range: PageRange): Promise<Page<Printer>> {
    const after = range.after === null ? null : PRINTER_CURSORS.placeOf(range.after);
    const page = {
      rows: Prisma.sql`
        select ${PRINTER_ROW.json} as row from printers p
        where ${after === null ? Prisma.sql`true` : Prisma.sql`(p.name, p.id) > (${after[0]}, ${after[1]}::uuid)`}
        order by p.name, p.id ${limitOf(range)}`,
      total: Prisma.sql`select count(*) from printers`,
    };
    return readPage(this.database, 'inventory.printers', PRINTER_ROW, page, range, (row) =>
      PRINTER_CURSORS.to(row.name, row.id),
    );
  }

  /** By serial (code point order). */
  async spools(range: PageRange): Promise<Page<Spool>> {
    const after = range.after === null ? null : SPOOL_CURSORS.placeOf(range.after);
    const page = {
      rows: Prisma.sql`
        select ${SPOOL_ROW.json} as row from spools s
        where ${after === null ? Prisma.sql`true` : Prisma.sql`s.spool_serial > ${after[0]}`}
        order by s.spool_serial ${limitOf(range)}`,
      total: Prisma.sql`select count(*) from spools`,
    };
    return readPage(this.database, 'inventory.spools', SPOOL_ROW, page, range, (row) =>
      SPOOL_CURSORS.to(row.spoolSerial),
    );
  }

  async createMaterial(data: Prisma.MaterialUncheckedCreateInput): Promise<void> {
    await this.refusing(({ prisma }) => prisma.material.create({ data }));
  }

  async createPrinter(data: Prisma.PrinterUncheckedCreateInput): Promise<void> {
    await this.refusing(({ prisma }) => prisma.printer.create({ data }));
  }

  async createSpool(data: Prisma.SpoolUncheckedCreateInput): Promise<void> {
    await this.refusing(({ prisma }) => prisma.spool.create({ data }));
  }

  /** The updates leave members that are undefined as they are. */
  async updateMaterial(id: string, data: Prisma.MaterialUncheckedUpdateManyInput): Promise<void> {
    await this.refusing(({ prisma }) => prisma.material.updateMany({ where: { id }, data }));
  }

  async updatePrinter(id: string, data: Prisma.PrinterUncheckedUpdateManyInput): Promise<void> {
    await this.refusing(({ prisma }) => prisma.printer.updateMany({ where: { id }, data }));
  }

  async updateSpool(id: string, data: Prisma.SpoolUncheckedUpdateManyInput): Promise<void> {
    await this.refusing(({ prisma }) => prisma.spool.updateMany({ where: { id }, data }));
  }

  private async refusing<T>(write: (database: Queryable) => Promise<T>): Promise<T> {
    try {
      return await this.database.attempt('inventory.write', write);
    } catch (error) {
      switch (violatedConstraint(error)?.constraint) {
        case 'materials_name_key':
          throw new Conflict('is taken by another material', 'input', 'name');
        case 'spools_spool_serial_key':
          throw new Conflict('is taken by another spool', 'input', 'spoolSerial');
        case 'spools_material_id_fkey':
          throw unknownLink('material');
        default:
          throw error;
      }
    }
  }

  private byId<Row extends { id: string }>(name: string, shape: RowShape<Row>, table: string, id: string) {
    return batchedRead<string, Row>(async (ids) => {
      const statement = Prisma.sql`select ${shape.json} as row from ${sql(table)} where ${isOneOf(id, ids, 'uuid')}`;
      return new Map((await this.database.rows(name, shape, statement)).map((row) => [row.id, row]));
    });
  }
}
