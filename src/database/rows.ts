// Describes how the rows of a table are selected as JSON arrays and read into objects by a compiled function. One JSON value for
// each statement is several times faster than Prisma's mapping of cells (5 µs for each cell), as W1 to W4 measure.
import { Prisma } from '../generated/prisma/client';
import { snake } from '../values/spelling';
import { sql } from './sql';

type ColumnType =
  | 'bigint'
  | 'boolean'
  | 'float8'
  | 'int'
  | 'json'
  | 'numeric'
  | 'text'
  | 'text[]'
  | 'timestamptz'
  | 'uuid';

/** The types of a table's columns, by the members of its rows. The member `friendlyName` is the column friendly_name. */
export type Columns<Row> = Record<keyof Row & string, ColumnType>;

/** The SQL that selects one kind of row, and the function that reads the result. */
export interface RowShape<Row> {
  /** Selects a row as a JSON array with the values of its members. */
  json: Prisma.Sql;
  read(cells: unknown[]): Row;
  /**
   * Selects all rows as a JSON array of columns. PostgreSQL then looks up only once for each column how to write its type. In an
   * array of rows it does so for each cell, which takes a third longer for a day of records (W3).
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
 * @param alias the alias of the table in the statement
 * @param otherMembers members that are rows themselves, or have another name than their column
 */
export function rowShape<Row extends object, Other extends keyof Row & string = never>(
  alias: string,
  columns: Columns<Omit<Row, Other>>,
  otherMembers: Record<Other, Member> = {} as Record<Other, Member>,
): RowShape<Row> {
  const plain = Object.entries<ColumnType>(columns).map(([name, type]): [string, Member] => [
    name,
    columnMember(`${alias}.${snake(name)}`, type),
  ]);
  const members = [...Object.entries<Member>(otherMembers), ...plain];
  // The reader is a compiled object literal, because setting members one by one takes ten times as long: 3 ms for 1,000 cameras
  // (W1). All names in the compiled code come from this program, never from a client.
  const writeObjectLiteral = (cell: (index: number) => string) => {
    const pairs = members.map(([name, { read }], index) =>
      read ? `${name}: members[${index}][1].read(${cell(index)})` : `${name}: ${cell(index)}`,
    );
    return `({ ${pairs.join(', ')} })`;
  };
  const reader = (code: string) => new Function('members', `return ${code}`)(members);
  return {
    json: sql(`json_build_array(${members.map(([, member]) => member.sql).join(', ')})`),
    read: reader(`(cells) => ${writeObjectLiteral((index) => `cells[${index}]`)}`),
    columns: sql(`json_build_array(${members.map(([, member]) => `array_agg(${member.sql})`).join(', ')})`),
    readColumns: reader(
      `(columns) => (columns[0] ?? []).map((_, n) => ${writeObjectLiteral((index) => `columns[${index}][n]`)})`,
    ),
  };
}

/** The SQL and the reader of a column. Decimals and 64-bit integers are read as texts, so that they keep every digit. */
export function columnMember(column: string, type: ColumnType): Member {
  if (type === 'timestamptz') return { sql: column, read: readInstant };
  return { sql: type === 'numeric' || type === 'bigint' ? `${column}::text` : column };
}

/** A member that is another row, or null. @param select makes the SQL of the value from the SQL of the row */
export function nestedRow<Row>({ json, read }: RowShape<Row>, select: (json: string) => string): Member {
  return { sql: select(json.sql), read: (cells: unknown[] | null) => cells && read(cells) };
}

/**
 * Reads a time as PostgreSQL writes it into JSON in UTC, such as "2026-11-20T08:30:00.25+00:00". Formatting times in the database
 * with to_char would take four times as long (W1).
 */
function readInstant(text: string | null): string | null {
  if (text === null || !text.endsWith('+00:00')) return text && new Date(text).toISOString();
  const local = text.slice(0, -'+00:00'.length);
  return local.includes('.') ? `${local.padEnd('2026-11-20T08:30:00.250'.length, '0')}Z` : `${local}.000Z`;
}

/** The names of columns, for an INSERT. */
export const columnNames = (columns: Record<string, ColumnType>) => sql(Object.keys(columns).map(snake).join(', '));

/** The SET list of an UPDATE. Members that are undefined do not change. */
export const assignments = (columns: Record<string, ColumnType>, changes: object) =>
  Prisma.join(
    Object.entries(changes)
      .filter(([, value]) => value !== undefined)
      .map(([member, value]) => Prisma.sql`${sql(snake(member))} = ${value}::${sql(columns[member] as ColumnType)}`),
  );

/** The SET list of an UPDATE that takes all columns except the id from rows with the alias `given`. */
export const givenAssignments = (columns: Record<string, ColumnType>) =>
  sql(
    Object.keys(columns)
      .filter((name) => name !== 'id')
      .map((name) => `${snake(name)} = given."${name}"`)
      .join(', '),
  );

/** The members with their types, for json_to_recordset. */
export const recordType = (columns: Record<string, ColumnType>) =>
  sql(
    Object.entries(columns)
      .map(([name, type]) => `"${name}" ${type}`)
      .join(', '),
  );

/** The members of recordType as a SELECT list. */
export const memberNames = (columns: Record<string, ColumnType>) =>
  sql(
    Object.keys(columns)
      .map((name) => `"${name}"`)
      .join(', '),
  );
