// The SQL of printers, spools and materials.
import { sharedLoader } from '../database/batch';
import type { Queryable } from '../database/database';
import { violatedConstraint } from '../database/failures';
import { cursorsOf, type Page, type PageRange, readPage } from '../database/paging';
import {
  isOneOf,
  type MaterialRow,
  materialRow,
  type PrinterRow,
  printerRow,
  type RowShape,
  type SpoolRow,
  spoolRow,
} from '../database/rows';
import { BadInput, Conflict } from '../errors';
import { Prisma } from '../generated/prisma/client';
import { parseGuid } from '../values/guid';
import { parseText } from '../values/text';

const MATERIAL = materialRow('m');
const PRINTER = printerRow('p');
const SPOOL = spoolRow('s');

const PRINTER_CURSORS = cursorsOf('printers', parseText, parseGuid);
const SPOOL_CURSORS = cursorsOf('spools', parseText);

export class InventoryStore {
  constructor(private readonly database: Queryable) {}

  readonly material = sharedLoader<string, MaterialRow>((ids) =>
    this.byId(
      MATERIAL,
      Prisma.sql`select ${MATERIAL.json} as row from materials m where ${isOneOf('m.id', ids, 'uuid')}`,
    ),
  );

  readonly printer = sharedLoader<string, PrinterRow>((ids) =>
    this.byId(PRINTER, Prisma.sql`select ${PRINTER.json} as row from printers p where ${isOneOf('p.id', ids, 'uuid')}`),
  );

  readonly spool = sharedLoader<string, SpoolRow>((ids) =>
    this.byId(SPOOL, Prisma.sql`select ${SPOOL.json} as row from spools s where ${isOneOf('s.id', ids, 'uuid')}`),
  );

  materials(): Promise<MaterialRow[]> {
    return this.database.rows(MATERIAL, Prisma.sql`select ${MATERIAL.json} as row from materials m order by m.name`);
  }

  /** By name (code point order), then id. */
  async printers(range: PageRange): Promise<Page<PrinterRow>> {
    const after = range.after === null ? null : PRINTER_CURSORS.placeOf(range.after);
    const page = {
      rows: Prisma.sql`
        select ${PRINTER.json} as row from printers p
        where ${after === null ? Prisma.sql`true` : Prisma.sql`(p.name, p.id) > (${after[0]}, ${after[1]}::uuid)`}
        order by p.name, p.id ${limitOf(range)}`,
      total: Prisma.sql`select count(*) from printers`,
    };
    return readPage(this.database, PRINTER, page, range, (row) => PRINTER_CURSORS.to(row.name, row.id));
  }

  /** By serial (code point order). */
  async spools(range: PageRange): Promise<Page<SpoolRow>> {
    const after = range.after === null ? null : SPOOL_CURSORS.placeOf(range.after);
    const page = {
      rows: Prisma.sql`
        select ${SPOOL.json} as row from spools s
        where ${after === null ? Prisma.sql`true` : Prisma.sql`s.spool_serial > ${after[0]}`}
        order by s.spool_serial ${limitOf(range)}`,
      total: Prisma.sql`select count(*) from spools`,
    };
    return readPage(this.database, SPOOL, page, range, (row) => SPOOL_CURSORS.to(row.spoolSerial));
  }

  async createMaterial(data: Prisma.MaterialUncheckedCreateInput): Promise<void> {
    await this.refusing(() => this.database.prisma.material.create({ data }));
  }

  async createPrinter(data: Prisma.PrinterUncheckedCreateInput): Promise<void> {
    await this.refusing(() => this.database.prisma.printer.create({ data }));
  }

  async createSpool(data: Prisma.SpoolUncheckedCreateInput): Promise<void> {
    await this.refusing(() => this.database.prisma.spool.create({ data }));
  }

  /** The updates leave members that are undefined as they are. */
  async updateMaterial(id: string, data: Prisma.MaterialUncheckedUpdateManyInput): Promise<void> {
    await this.refusing(() => this.database.prisma.material.updateMany({ where: { id }, data }));
  }

  async updatePrinter(id: string, data: Prisma.PrinterUncheckedUpdateManyInput): Promise<void> {
    await this.refusing(() => this.database.prisma.printer.updateMany({ where: { id }, data }));
  }

  async updateSpool(id: string, data: Prisma.SpoolUncheckedUpdateManyInput): Promise<void> {
    await this.refusing(() => this.database.prisma.spool.updateMany({ where: { id }, data }));
  }

  private async refusing<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await this.database.attempt(write);
    } catch (error) {
      switch (violatedConstraint(error)?.constraint) {
        case 'materials_name_key':
          throw new Conflict('is taken by another material', 'name');
        case 'spools_spool_serial_key':
          throw new Conflict('is taken by another spool', 'spoolSerial');
        case 'spools_material_id_fkey':
          throw new BadInput('must be the id of a material', 'materialId');
        default:
          throw error;
      }
    }
  }

  private async byId<Row extends { id: string }>(shape: RowShape<Row>, select: Prisma.Sql): Promise<Map<string, Row>> {
    return new Map((await this.database.rows(shape, select)).map((row) => [row.id, row]));
  }
}

function limitOf({ first, offset }: PageRange): Prisma.Sql {
  return Prisma.sql`limit ${(first ?? 0) + 1}::bigint offset ${offset}::bigint`;
}
