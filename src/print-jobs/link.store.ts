// The SQL of what a print job names: its printer and its spool, as they are and as they were last read.
import { sharedLoader } from '../database/batch';
import type { Queryable } from '../database/database';
import {
  listOf,
  type PrinterRow,
  printerRow,
  printerVersion,
  type SpoolRow,
  spoolRow,
  spoolVersion,
} from '../database/rows';
import { Prisma } from '../generated/prisma/client';

/** The spool is null where its id is none. */
export interface Link {
  printerId: string;
  spoolId: string | null;
}

/** A row as it was read; while it has this version it is the same. */
interface AsRead<Row> {
  row: Row;
  version: string;
}

export interface Links {
  printer: AsRead<PrinterRow>;
  spool: AsRead<SpoolRow>;
}

/** Each null where there is none. */
export type Linked = { [Name in keyof Links]: Links[Name] | null };

const PRINTER = printerRow('p');
const SPOOL = spoolRow('s');

/** Of printers and of spools; beyond it all are forgotten. */
const MOST_KEPT = 10_000;

type Cells = [row: unknown[], version: string] | null;

export class LinkStore {
  private readonly printers = new Map<string, AsRead<PrinterRow>>();
  private readonly spools = new Map<string, AsRead<SpoolRow>>();

  constructor(private readonly database: Queryable) {}

  /** They may have changed since, or be gone: only the database can say so. */
  lastRead({ printerId, spoolId }: Link): Linked {
    return { printer: this.printers.get(printerId) ?? null, spool: this.spools.get(String(spoolId)) ?? null };
  }

  async current(link: Link): Promise<Linked> {
    return (await this.loader.load(link)) as Linked;
  }

  /** Both in one statement: one for each would occupy two connections for every job that is written. */
  private readonly loader = sharedLoader<Link, Linked>(
    async (links) => {
      const each = (id: (link: Link) => string | null) => listOf(links.map(id), 'uuid');
      const found = await this.database.json<[printer: Cells, spool: Cells][]>(Prisma.sql`
      select json_agg(json_build_array(
        (select json_build_array(${PRINTER.json}, ${printerVersion('p')}) from printers p where p.id = k.printer_id),
        (select json_build_array(${SPOOL.json}, ${spoolVersion('s')}) from spools s where s.id = k.spool_id)
      ) order by k.n) as value
      from ${
        links.length === 1
          ? Prisma.sql`(select ${links[0]?.printerId}::uuid, ${links[0]?.spoolId}::uuid, 1)`
          : Prisma.sql`unnest(${each((link) => link.printerId)}, ${each((link) => link.spoolId)}) with ordinality`
      } as k (printer_id, spool_id, n)`);
      return new Map(
        links.map((link, index) => {
          const [printer, spool] = found[index] as (typeof found)[number];
          return [
            linkKey(link),
            {
              printer: kept(this.printers, link.printerId, printer, PRINTER.read),
              spool: kept(this.spools, String(link.spoolId), spool, SPOOL.read),
            },
          ];
        }),
      );
    },
    linkKey,
    this.database.isApart,
    false,
  );
}

function kept<Row>(
  rows: Map<string, AsRead<Row>>,
  id: string,
  cells: Cells,
  read: (cells: unknown[]) => Row,
): AsRead<Row> | null {
  if (cells === null) {
    rows.delete(id);
    return null;
  }
  if (rows.size >= MOST_KEPT) rows.clear();
  const asRead = { row: read(cells[0]), version: cells[1] };
  rows.set(id, asRead);
  return asRead;
}

function linkKey({ printerId, spoolId }: Link): string {
  return `${printerId} ${spoolId}`;
}
