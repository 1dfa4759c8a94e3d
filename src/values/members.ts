// Reads the members of an input with one reader for each member, and reports the faults of all members together.
import { BadInput, type Issue } from '../errors';

/** Reads a value, or throws BadInput. The paths of its issues start with `member`. */
export type Reader<Value> = (value: unknown, member: string) => Value;

/** An input whose members have not been read yet. From REST they can be any JSON value. */
export type Unread<Input> = { [Member in keyof Input]: unknown };

type Path = Issue['path'];
type Readers = Record<string, Reader<unknown>>;
type Read<Table extends Readers> = { [Member in keyof Table]: ReturnType<Table[Member]> };

/** Makes a function that reads an object with a reader for each member. Its `basePath` is the path to the object, which starts with the argument. */
export function readMembers<Table extends Readers>(readers: Table) {
  const entries = Object.entries(readers);
  return (input: { [Member in keyof Table]?: unknown }, ...basePath: Path): Read<Table> => {
    const read: Record<string, unknown> = {};
    checkEach(entries, basePath, ([member, reader]) => {
      read[member] = reader(input[member], member);
    });
    return read as Read<Table>;
  };
}

/** Checks every item, and throws the faults of all items together. */
export function checkEach<Item>(
  items: readonly Item[],
  basePath: Path,
  check: (item: Item, index: number) => void,
): void {
  const issues: Issue[] = [];
  items.forEach((item, at) => {
    try {
      check(item, at);
    } catch (error) {
      for (const { path, message } of issuesOf(error)) issues.push({ path: [...basePath, ...path], message });
    }
  });
  refuseAny(issues);
}

/** Runs several readers of one input, and throws their faults together. */
export async function readAll<Readings extends readonly unknown[]>(
  ...readings: { [At in keyof Readings]: () => Readings[At] | Promise<Readings[At]> }
): Promise<Readings> {
  const settled = await Promise.allSettled(readings.map(async (read) => read()));
  refuseAny(settled.flatMap((result) => (result.status === 'rejected' ? issuesOf(result.reason) : [])));
  return settled.map((result) => (result as PromiseFulfilledResult<unknown>).value) as unknown as Readings;
}

/** Makes a reader that also accepts null and undefined, and returns them unchanged. */
export function nullable<Value>(reader: Reader<Value>): Reader<Value | null | undefined> {
  return (value, member) => (value == null ? (value as null | undefined) : reader(value, member));
}

/** Makes a reader that reads the empty text as `null`, because some clients send it for a missing value. */
export function emptyAsNull<Value>(reader: Reader<Value>): Reader<Value | null | undefined> {
  const read = nullable(reader);
  return (value, member) => (value === '' ? null : read(value, member));
}

/** Makes a reader that reads null as undefined, like a member that is not there. */
export function optional<Value>(reader: Reader<Value>): Reader<Value | undefined> {
  return (value, member) => (value == null ? undefined : reader(value, member));
}

export const readBoolean: Reader<boolean> = (value, member) => {
  if (typeof value !== 'boolean') throw new BadInput('must be true or false', member);
  return value;
};

/** The issues of a BadInput. Throws any other error again. */
function issuesOf(error: unknown): readonly Issue[] {
  if (error instanceof BadInput) return error.issues;
  throw error;
}

function refuseAny(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new BadInput(issues);
}
