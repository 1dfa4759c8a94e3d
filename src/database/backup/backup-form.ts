// Defines the format of a backup: the text around the rows, which the command `backup` writes and the command `restore` recognises.
import type { RunSql } from '../driver/driver';
import { type Migration, RECORDS_TABLE } from '../migrations';

/**
 * The start of the first line, and the end of a backup. A file without the last line is incomplete. The hash covers all lines
 * before the last one; backups of older builds have no hash.
 */
export const OPENING = '-- Print Farm Gateway: a backup';
export const END = /\nCOMMIT;\n(-- The end of the backup: (\d+) rows(?:, SHA-256 ([0-9a-f]{64}))?\.\n)$/;

/**
 * The head of a backup, which makes the tables of the migrations, without partitions. A database that has only tables of
 * extensions counts as empty. A restore compares the head with this text, so a changed text would refuse older backups.
 */
export const writeHead = (migrations: readonly Migration[]) =>
  [
    '-- npm run restore -- FILE, or psql -v ON_ERROR_STOP=1 -f FILE',
    'BEGIN;',
    "SET LOCAL client_encoding = 'UTF8';",
    "SET LOCAL timezone = 'UTC';",
    "SET LOCAL datestyle = 'ISO';",
    'SET LOCAL client_min_messages = warning;',
    'SET LOCAL statement_timeout = 0;',
    `
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')) THEN
    RAISE EXCEPTION 'The database is not empty: a backup goes into a new one only.';
  END IF;
END
$$;
`,
    `${RECORDS_TABLE};`,
    ...migrations.map(({ name, sql }) => `\n-- Migration ${name}\n${sql.trimEnd()}\n`),
    NO_PARTITIONS,
  ].join('\n');

/** The end of the head. It drops the partitions that the migrations made for the current week, because a backup has its own. */
export const NO_PARTITIONS = `
DO $$
DECLARE
  "statement" TEXT;
BEGIN
  FOR "statement" IN SELECT format('DROP TABLE %I', c.relname) FROM pg_class c
    WHERE c.relkind = 'r' AND c.relispartition AND c.relnamespace = current_schema()::regnamespace
  LOOP
    EXECUTE "statement";
  END LOOP;
END
$$;
`;

/** The statements on all tables before and after the rows. Foreign keys are checked at the end, for all rows in one go. */
export async function statementsAroundRows(run: RunSql): Promise<{ before: string[]; after: string[] }> {
  const texts = async (statement: string) => (await run(statement)).map((row) => String(row['text']));
  const schema = 'current_schema()::regnamespace';
  const foreignKeys = `from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and k.conparentid = 0 and k.connamespace = ${schema} order by c.relname, k.conname`;
  const [tables] = await texts(`select string_agg(format('%I', relname), ', ' order by relname) as text from pg_class
    where relkind = 'r' and relnamespace = ${schema}`);
  return {
    before: [
      ...(await texts(
        `select format('ALTER TABLE %I DROP CONSTRAINT %I;', c.relname, k.conname) as text ${foreignKeys}`,
      )),
      // The migrations have also inserted rows.
      `TRUNCATE ${tables};`,
    ],
    after: [
      ...(await texts(`select format('ALTER TABLE %I ADD CONSTRAINT %I %s;', c.relname, k.conname,
        pg_get_constraintdef(k.oid)) as text ${foreignKeys}`)),
      `ANALYZE ${tables};`,
    ],
  };
}

/** The parts of a statement in a backup that a restore uses. */
export type Statement =
  | { partition: string; bounds: string }
  | { sequence: string; value: string; isCalled: boolean }
  | { copy: string; columns: string };

/** An identifier, as format('%I') of PostgreSQL writes it. */
const NAME = '[a-z_][a-z0-9_]*|"(?:[^"\\n]|"")+"';
const NAMES = `(?:${NAME})(?:, (?:${NAME}))*`;
const BOUND = "\\((?:MINVALUE|MAXVALUE|'[0-9:+. -]+')\\)";
const PARTITION = new RegExp(
  `^CREATE TABLE (${NAME}) PARTITION OF camera_status (FOR VALUES FROM ${BOUND} TO ${BOUND});$`,
);
const SEQUENCE = new RegExp(`^SELECT setval\\('(${NAME})', (\\d+), '([tf])'\\);$`);
const COPY = new RegExp(`^COPY (${NAME}) \\((${NAMES})\\) FROM stdin;$`);
/** Statements for psql. A restore runs statements of its own instead. */
const PSQL_ONLY = new RegExp(
  `^(?:|TRUNCATE ${NAMES};|ANALYZE ${NAMES};|ALTER TABLE (?:${NAME}) (?:(?:DISABLE|ENABLE) TRIGGER USER|DROP CONSTRAINT (?:${NAME})|ADD CONSTRAINT (?:${NAME}) FOREIGN KEY [^;]*);)$`,
);

/** The statement in a line; null if a restore does not need it, undefined if the command `backup` never writes it. */
export function parseStatement(line: string): Statement | null | undefined {
  const [, partition, bounds] = PARTITION.exec(line) ?? [];
  if (partition !== undefined && bounds !== undefined) return { partition, bounds };
  const [, sequence, value, isCalled] = SEQUENCE.exec(line) ?? [];
  if (sequence !== undefined && value !== undefined) return { sequence, value, isCalled: isCalled === 't' };
  const [, copy, columns] = COPY.exec(line) ?? [];
  if (copy !== undefined && columns !== undefined) return { copy, columns };
  return PSQL_ONLY.test(line) ? null : undefined;
}
