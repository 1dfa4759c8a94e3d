// Reads and writes imports from Spoolman and their rows. The state is in the database, so that every gateway of a farm shows and settles it.
import { readPage } from '../../database/pages';
import type { Queryable } from '../../database/queryable';
import { rowShape } from '../../database/rows';
import { CLOCK, joinConditions, matchesOneOf, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { defineCursors, type Page, type PageRange } from '../../values/page';
import { parseText } from '../../values/text';
import type { ImportPlan, PreviewRow } from './import-plan';
import type { FieldDefinition } from './spoolman-fields';
import type { SpoolmanImport, SpoolmanImportRow } from './spoolman-import.types';

export type ImportState = SpoolmanImport['state'];

/** An import as the process that works on it needs it. */
export interface StoredImport extends SpoolmanImport {
  fromUrl: boolean;
  fields: FieldDefinition[] | null;
  by: string | null;
}

/** A process that works on an import says so every few seconds. */
const ALIVE = sql(`interval '20 seconds'`);
/** How long a preview can be written. */
const PREVIEW = sql(`interval '24 hours'`);
const ROWS_OF_STATEMENT = 1000;

const LOST = 'The gateway stopped while it worked on this import. Nothing was written. Read the Spoolman again.';
const CURSORS = defineCursors('rows of an import', parseText);

const IMPORT_ROW = rowShape<StoredImport>('i', {
  id: 'uuid',
  source: 'text',
  state: 'text',
  message: 'text',
  read: 'int',
  creates: 'int',
  updates: 'int',
  same: 'int',
  kept: 'int',
  refused: 'int',
  gone: 'int',
  withoutTare: 'int',
  confirm: 'text',
  fromUrl: 'boolean',
  fields: 'json',
  by: 'text',
});
const ROW = rowShape<SpoolmanImportRow>('r', {
  kind: 'text',
  spoolmanId: 'int',
  action: 'text',
  number: 'int',
  name: 'text',
  reason: 'text',
  changes: 'json',
  position: 'int',
});

export class SpoolmanImportStore {
  constructor(private readonly database: Queryable) {}

  /** @returns null if there is no such import, or if it is too old to be written */
  async find(id: string): Promise<StoredImport | null> {
    const [found = null] = await this.database.rows(
      'spoolmanImports.find',
      IMPORT_ROW,
      Prisma.sql`
      select ${IMPORT_ROW.json} as row from spoolman_imports i
      where i.id = ${id}::uuid and (i.state not in ('READY', 'FAILED') or i.settled_at > ${CLOCK} - ${PREVIEW})`,
    );
    return found;
  }

  /** Imports whose process has died become FAILED. A transaction that still writes one holds its row. */
  async failLost(): Promise<void> {
    await this.database.json(
      'spoolmanImports.failLost',
      Prisma.sql`
      with l as (
        select i.id from spoolman_imports i where i.active and i.alive_until < ${CLOCK} for update skip locked
      ), f as (
        update spoolman_imports i set state = 'FAILED', active = null, message = ${LOST}, confirm = null, settled_at = ${CLOCK}
        from l where i.id = l.id returning 1
      )
      select to_json(count(*)) as value from f`,
    );
  }

  /** No other process uses this database, so no process works on the imports of an earlier run. */
  async failAll(): Promise<void> {
    await this.database.json(
      'spoolmanImports.failAll',
      Prisma.sql`
      with f as (
        update spoolman_imports set state = 'FAILED', active = null, message = ${LOST}, confirm = null, settled_at = ${CLOCK}
        where active returning 1
      )
      select to_json(count(*)) as value from f`,
    );
  }

  /** A constraint refuses it while another import is READING or WRITING. */
  async begin(id: string, source: string, fromUrl: boolean, by: string | null): Promise<void> {
    await this.database.attempt('spoolmanImports.begin', ({ json }, name) =>
      json(
        name,
        Prisma.sql`
        with i as (
          insert into spoolman_imports (id, source, state, active, from_url, by, alive_until)
          values (${id}::uuid, ${source}, 'READING', true, ${fromUrl}, ${by}::text, ${CLOCK} + ${ALIVE}) returning 1
        )
        select to_json(count(*)) as value from i`,
      ),
    );
  }

  /**
   * Moves a READY import to READING or WRITING. A constraint refuses it while another import is.
   * @param confirm the value that the import must have; null for any
   * @returns false if the import is not READY, or has another value
   */
  activate(id: string, state: 'READING' | 'WRITING', confirm: string | null): Promise<boolean> {
    return this.database.attempt('spoolmanImports.activate', ({ json }, name) =>
      json(
        name,
        Prisma.sql`
        with i as (
          update spoolman_imports set state = ${state}, active = true, confirm = null, alive_until = ${CLOCK} + ${ALIVE}
          where id = ${id}::uuid and state = 'READY' and settled_at > ${CLOCK} - ${PREVIEW}
            and (${confirm}::text is null or confirm = ${confirm}::text) returning 1
        )
        select to_json(count(*) > 0) as value from i`,
      ),
    );
  }

  /** @returns false if the import is no longer in this state */
  keepAlive(id: string, state: ImportState, read: number | null): Promise<boolean> {
    return this.database.json(
      'spoolmanImports.keepAlive',
      Prisma.sql`
      with i as (
        update spoolman_imports set alive_until = ${CLOCK} + ${ALIVE}, read = coalesce(${read}::int, read)
        where id = ${id}::uuid and state = ${state} returning 1
      )
      select to_json(count(*) > 0) as value from i`,
    );
  }

  async fail(id: string, message: string): Promise<void> {
    await this.database.json(
      'spoolmanImports.fail',
      Prisma.sql`
      with i as (
        update spoolman_imports set state = 'FAILED', active = null, message = ${message}, confirm = null, settled_at = ${CLOCK}
        where id = ${id}::uuid and active returning 1
      )
      select to_json(count(*)) as value from i`,
    );
  }

  async forgetRows(id: string): Promise<void> {
    await this.database.json(
      'spoolmanImports.forgetRows',
      Prisma.sql`
      with r as (delete from spoolman_import_rows where import_id = ${id}::uuid returning 1) select to_json(count(*)) as value from r`,
    );
  }

  async addRows(id: string, rows: readonly PreviewRow[]): Promise<void> {
    for (let at = 0; at < rows.length; at += ROWS_OF_STATEMENT) {
      const part = rows.slice(at, at + ROWS_OF_STATEMENT).map((row, index) => ({ ...row, position: at + index }));
      await this.database.json(
        'spoolmanImports.addRows',
        Prisma.sql`
        with r as (
          insert into spoolman_import_rows
            (import_id, position, kind, spoolman_id, action, number, name, reason, changes, object, creates_id)
          select ${id}::uuid, g."position", g."kind", g."spoolmanId", g."action", g."number", g."name", g."reason", g."changes",
            g."object", g."createsId"
          from json_to_recordset(${JSON.stringify(part)}::json) as g ("position" int, "kind" text, "spoolmanId" int, "action" text,
            "number" int, "name" text, "reason" text, "changes" jsonb, "object" jsonb, "createsId" uuid) returning 1
        )
        select to_json(count(*)) as value from r`,
      );
    }
  }

  /** @returns false if the import is no longer READING */
  ready(
    id: string,
    rows: readonly PreviewRow[],
    plan: ImportPlan,
    { read, confirm, fields }: { read: number; confirm: string | null; fields: FieldDefinition[] | null },
  ): Promise<boolean> {
    const count = (action: PreviewRow['action']) => rows.filter((row) => row.action === action).length;
    return this.database.json(
      'spoolmanImports.ready',
      Prisma.sql`
      with i as (
        update spoolman_imports set state = 'READY', active = null, settled_at = ${CLOCK}, read = ${read}::int,
          creates = ${count('CREATE')}::int, updates = ${count('UPDATE')}::int, same = ${count('SAME')}::int, kept = ${count('KEPT')}::int,
          refused = ${count('REFUSED')}::int, gone = ${plan.gone}::int, without_tare = ${plan.withoutTare}::int,
          confirm = ${confirm}::text, fields = ${fields === null ? null : JSON.stringify(fields)}::jsonb
        where id = ${id}::uuid and state = 'READING' returning 1
      )
      select to_json(count(*) > 0) as value from i`,
    );
  }

  /** Gives each row as it was shown, with its object, to `take`. */
  async eachRow(id: string, take: (row: PreviewRow) => void): Promise<void> {
    for (let at = 0; ; at += ROWS_OF_STATEMENT) {
      const page = await this.database.json<PreviewRow[]>(
        'spoolmanImports.eachRow',
        Prisma.sql`
        select coalesce(json_agg(r.row), '[]') as value from (
          select json_build_object('kind', r.kind, 'spoolmanId', r.spoolman_id, 'action', r.action, 'number', r.number, 'name', r.name,
            'reason', r.reason, 'changes', r.changes, 'object', r.object, 'createsId', r.creates_id) as row
          from spoolman_import_rows r where r.import_id = ${id}::uuid and r.position >= ${at}::int
          order by r.position limit ${ROWS_OF_STATEMENT}::int
        ) r`,
      );
      for (const row of page) take(row);
      if (page.length < ROWS_OF_STATEMENT) return;
    }
  }

  /** Locks the import until the transaction ends, and lets the database give its numbers. @returns false if it is no longer WRITING */
  beginWriting(id: string): Promise<boolean> {
    return this.database.json(
      'spoolmanImports.beginWriting',
      Prisma.sql`
      with i as (
        update spoolman_imports set transaction = pg_current_xact_id()::text where id = ${id}::uuid and state = 'WRITING' returning 1
      )
      select to_json(count(*) > 0) as value from i`,
    );
  }

  async endWriting(id: string): Promise<void> {
    await this.database.json(
      'spoolmanImports.endWriting',
      Prisma.sql`
      with i as (
        update spoolman_imports set state = 'WRITTEN', active = null, transaction = null, settled_at = ${CLOCK}
        where id = ${id}::uuid returning 1
      )
      select to_json(count(*)) as value from i`,
    );
  }

  rows(
    id: string,
    { kind, actions }: { kind: string | null; actions: readonly string[] | null },
    range: PageRange,
  ): Promise<Page<SpoolmanImportRow>> {
    const conditions = [Prisma.sql`r.import_id = ${id}::uuid`];
    if (kind !== null) conditions.push(Prisma.sql`r.kind = ${kind}`);
    if (actions !== null) conditions.push(matchesOneOf('r.action', actions, 'text'));
    const after =
      range.after === null ? [] : [Prisma.sql`r.position > ${Number(CURSORS.keyOf(range.after)[0])}::bigint`];
    const page = {
      rows: Prisma.sql`
        select ${ROW.json} as row from spoolman_import_rows r where ${joinConditions([...conditions, ...after])}
        order by r.position limit ${(range.first ?? 0) + 1}::bigint`,
      total: Prisma.sql`select count(*) from spoolman_import_rows r where ${joinConditions(conditions)}`,
    };
    return readPage(this.database, 'spoolmanImports.rows', ROW, page, range, ({ position }) =>
      CURSORS.to(String(position)),
    );
  }

  /** Deletes previews that can no longer be written, and the objects of imports that were written. */
  async forgetOld(): Promise<void> {
    await this.failLost();
    await this.database.json(
      'spoolmanImports.forgetOld',
      Prisma.sql`
      with i as (
        delete from spoolman_imports where state in ('READY', 'FAILED') and settled_at < ${CLOCK} - ${PREVIEW} returning 1
      )
      select to_json(count(*)) as value from i`,
    );
    await this.database.json(
      'spoolmanImports.forgetObjects',
      Prisma.sql`
      with r as (
        update spoolman_import_rows r set object = '{}', creates_id = null from (
          select o.import_id, o.position from spoolman_imports i join spoolman_import_rows o on o.import_id = i.id
          where i.state = 'WRITTEN' and i.settled_at < ${CLOCK} - ${PREVIEW} and o.object <> '{}' limit 5000
        ) o where r.import_id = o.import_id and r.position = o.position returning 1
      )
      select to_json(count(*)) as value from r`,
    );
  }
}
