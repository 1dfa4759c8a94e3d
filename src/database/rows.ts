// PostgreSQL returns rows as JSON arrays, and a compiled function reads them into objects. One JSON value per statement
// is several times faster than Prisma's mapping of cells (5 µs per cell): the floors of W1 to W4.
import { Prisma } from '../generated/prisma/client';
import { snake } from '../values/spelling';
import { sql } from './sql';

type ColumnType = 'bigint' | 'boolean' | 'float8' | 'int' | 'json' | 'numeric' | 'text' | 'timestamptz' | 'uuid';

/** The columns of a table by the members of its rows: `friendlyName` is the column friendly_name. */
export type Columns<Row> = Record<keyof Row & string, ColumnType>;

/** The SQL and the reader of one kind of row. */
export interface RowShape<Row> {
  /** A row as a JSON array of its members' values. */
  json: Prisma.Sql;
  read(cells: unknown[]): Row;
  /**
   * All rows as a JSON array of columns. PostgreSQL looks up how a type is written once for a column; in arrays of rows,
   * once for each cell. That takes a third longer for a day of records (W3).
   */
  columns: Prisma.Sql;
  readColumns(columns: (unknown[] | null)[]): Row[];
}

/** The SQL of one member, and a reader for types that JSON does not have. */
interface Member {
  sql: string;
  read?: (cell: never) => unknown;
}

/**
 * @param alias of the table in the statement
 * @param others members that are rows, or have another name than their column
 */
export function rowShape<Row extends object, Other extends keyof Row & string = never>(
  alias: string,
  columns: Columns<Omit<Row, Other>>,
  others: Record<Other, Member> = {} as Record<Other, Member>,
): RowShape<Row> {
  const plain = Object.entries<ColumnType>(columns).map(([name, type]): [string, Member] => [
    name,
    memberOf(`${alias}.${snake(name)}`, type),
  ]);
  const members = [...Object.entries<Member>(others), ...plain];
  // A compiled object literal: setting members one by one takes ten times as long, 3 ms for 1,000 cameras (W1). All
  // names in the code are names of this program.
  const objectOf = (cell: (index: number) => string) => {
    const pairs = members.map(([name, { read }], index) =>
      read ? `${name}: members[${index}][1].read(${cell(index)})` : `${name}: ${cell(index)}`,
    );
    return `({ ${pairs.join(', ')} })`;
  };
  const reader = (code: string) => new Function('members', `return ${code}`)(members);
  return {
    json: sql(`json_build_array(${members.map(([, member]) => member.sql).join(', ')})`),
    read: reader(`(cells) => ${objectOf((index) => `cells[${index}]`)}`),
    columns: sql(`json_build_array(${members.map(([, member]) => `array_agg(${member.sql})`).join(', ')})`),
    readColumns: reader(
      `(columns) => (columns[0] ?? []).map((_, n) => ${objectOf((index) => `columns[${index}][n]`)})`,
    ),
  };
}

/** Decimals and 64-bit integers are read as texts, to keep every digit. */
export function memberOf(column: string, type: ColumnType): Member {
  if (type === 'timestamptz') return { sql: column, read: instantOf };
  return { sql: type === 'numeric' || type === 'bigint' ? `${column}::text` : column };
}

/** A row inside a row, or null. `select` makes a value from the row's JSON. */
export function nested<Row>({ json, read }: RowShape<Row>, select: (json: string) => string): Member {
  return { sql: select(json.sql), read: (cells: unknown[] | null) => cells && read(cells) };
}

/** In UTC, JSON has times such as "2026-11-20T08:30:00.25+00:00"; to_char would take four times as long (W1). */
function instantOf(text: string | null): string | null {
  if (text === null || !text.endsWith('+00:00')) return text && new Date(text).toISOString();
  const local = text.slice(0, -'+00:00'.length);
  return local.includes('.') ? `${local.padEnd('2026-11-20T08:30:00.250'.length, '0')}Z` : `${local}.000Z`;
}

/** The names of columns, for an INSERT. */
export const columnNames = (columns: Record<string, ColumnType>) => sql(Object.keys(columns).map(snake).join(', '));

/** The SET list of an UPDATE; members that are undefined stay as they are. */
export const assignments = (columns: Record<string, ColumnType>, changes: object) =>
  Prisma.join(
    Object.entries(changes)
      .filter(([, value]) => value !== undefined)
      .map(([member, value]) => Prisma.sql`${sql(snake(member))} = ${value}::${sql(columns[member] as ColumnType)}`),
  );

/** The SET list of an UPDATE from rows `given`, of all columns but the id. */
export const givenAssignments = (columns: Record<string, ColumnType>) =>
  sql(
    Object.keys(columns)
      .filter((name) => name !== 'id')
      .map((name) => `${snake(name)} = given."${name}"`)
      .join(', '),
  );

/** The members with their types, for `json_to_recordset`. */
export const recordType = (columns: Record<string, ColumnType>) =>
  sql(
    Object.entries(columns)
      .map(([name, type]) => `"${name}" ${type}`)
      .join(', '),
  );

/** The members of recordType, as a SELECT list. */
export const memberNames = (columns: Record<string, ColumnType>) =>
  sql(
    Object.keys(columns)
      .map((name) => `"${name}"`)
      .join(', '),
  );
