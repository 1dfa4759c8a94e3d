// The SQL of what a print job names: its printer and its spool, as they are and as they were last read.
import { sharedLoader } from '../database/batch';
import type { Queryable } from '../database/database';
import { listOf, type PrinterRow, printerRow, type RowShape, type SpoolRow, spoolRow } from '../database/rows';
import { Prisma } from '../generated/prisma/client';

/** The spool is null where its id is none. */
export interface Link {
  printerId: string;
  spoolId: string | null;
}

/** A row as it was read: it is still the same while its digest is. */
interface AsRead<Row> {
  row: Row;
  digest: string;
}

export interface Links {
  printer: AsRead<PrinterRow>;
  spool: AsRead<SpoolRow>;
}

/** Each null where there is none. */
export type Linked = { [Name in keyof Links]: Links[Name] | null };

type Cells = [row: unknown[], digest: string] | null;

const PRINTER = printerRow('p');
const SPOOL = spoolRow('s');

export class LinkStore {
  private readonly printers = new LastRead<PrinterRow>();
  private readonly spools = new LastRead<SpoolRow>();

  constructor(private readonly database: Queryable) {}

  async current(link: Link): Promise<Linked> {
    const linked = (await this.linked.load(link)) as Linked;
    this.printers.put(link.printerId, linked.printer);
    if (link.spoolId !== null) this.spools.put(link.spoolId, linked.spool);
    return linked;
  }

  /** They may have changed since, or be gone: only the database can say so. */
  lastRead({ printerId, spoolId }: Link): Linked {
    return { printer: this.printers.get(printerId), spool: spoolId === null ? null : this.spools.get(spoolId) };
  }

  /** Both in one statement: one for each would occupy two connections for every job that is written. */
  private readonly linked = sharedLoader<Link, Linked>(
    async (links) => {
      const each = (id: (link: Link) => string | null) => listOf(links.map(id), 'uuid');
      const found = await this.database.json<[printer: Cells, spool: Cells][]>(Prisma.sql`
      select json_agg(json_build_array(
        (select json_build_array(${PRINTER.json}, ${PRINTER.digest}::text) from printers p where p.id = k.printer_id),
        (select json_build_array(${SPOOL.json}, ${SPOOL.digest}::text) from spools s where s.id = k.spool_id)
      ) order by k.n) as value
      from ${
        links.length === 1
          ? Prisma.sql`(select ${links[0]?.printerId}::uuid, ${links[0]?.spoolId}::uuid, 1)`
          : Prisma.sql`unnest(${each((link) => link.printerId)}, ${each((link) => link.spoolId)}) with ordinality`
      } as k (printer_id, spool_id, n)`);
      return new Map(
        found.map(([printer, spool], index) => [
          linkKey(links[index] as Link),
          { printer: asRead(printer, PRINTER), spool: asRead(spool, SPOOL) },
        ]),
      );
    },
    linkKey,
    this.database.isApart,
    false,
  );
}

/** Beyond so many all are forgotten. */
const MOST_KEPT = 10_000;

/** Rows of one table by their ids. */
class LastRead<Row> {
  private readonly rows = new Map<string, AsRead<Row>>();

  get(id: string): AsRead<Row> | null {
    return this.rows.get(id) ?? null;
  }

  put(id: string, row: AsRead<Row> | null): void {
    this.rows.delete(id);
    if (row === null) return;
    if (this.rows.size >= MOST_KEPT) this.rows.clear();
    this.rows.set(id, row);
  }
}

function asRead<Row>(cells: Cells, { read }: RowShape<Row>): AsRead<Row> | null {
  return cells && { row: read(cells[0]), digest: cells[1] };
}

function linkKey({ printerId, spoolId }: Link): string {
  return `${printerId} ${spoolId}`;
}
