// Reads the members of an input by a table of readers, and reports the faults of all members together.
import { BadInput, type Issue } from '../errors';

/** Reads a value, or throws BadInput. The paths of its issues begin with `member`. */
export type Reader<Value> = (value: unknown, member: string) => Value;

/** An input before its members are read: on REST they can be anything. */
export type Unread<Input> = { [Member in keyof Input]: unknown };

type Path = Issue['path'];
type Readers = Record<string, Reader<unknown>>;
type Read<Table extends Readers> = { [Member in keyof Table]: ReturnType<Table[Member]> };

/** Reads an object by the readers of its members. @param place where the object is, from the argument on */
export function membersOf<Table extends Readers>(readers: Table) {
  const entries = Object.entries(readers);
  return (input: { [Member in keyof Table]?: unknown }, ...place: Path): Read<Table> => {
    const read: Record<string, unknown> = {};
    checkEach(entries, place, ([member, reader]) => {
      read[member] = reader(input[member], member);
    });
    return read as Read<Table>;
  };
}

/** Checks all items, and throws the faults of all of them together. */
export function checkEach<Item>(items: readonly Item[], place: Path, check: (item: Item, at: number) => void): void {
  const issues: Issue[] = [];
  items.forEach((item, at) => {
    try {
      check(item, at);
    } catch (error) {
      for (const { path, message } of issuesOf(error)) issues.push({ path: [...place, ...path], message });
    }
  });
  refuseAny(issues);
}

/** Does all readings of one input, and throws the faults of all of them together. */
export async function allRead<Readings extends readonly unknown[]>(
  ...readings: { [At in keyof Readings]: () => Readings[At] | Promise<Readings[At]> }
): Promise<Readings> {
  const settled = await Promise.allSettled(readings.map(async (read) => read()));
  refuseAny(settled.flatMap((one) => (one.status === 'rejected' ? issuesOf(one.reason) : [])));
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as unknown as Readings;
}

/** Leaves null and undefined as they are. */
export function nullable<Value>(reader: Reader<Value>): Reader<Value | null | undefined> {
  return (value, member) => (value == null ? (value as null | undefined) : reader(value, member));
}

/** Reads the empty text as null: clients send it for none. */
export function emptyAsNone<Value>(reader: Reader<Value>): Reader<Value | null | undefined> {
  const read = nullable(reader);
  return (value, member) => (value === '' ? null : read(value, member));
}

/** Reads null as undefined: a member that is not given. */
export function optional<Value>(reader: Reader<Value>): Reader<Value | undefined> {
  return (value, member) => (value == null ? undefined : reader(value, member));
}

export const readBoolean: Reader<boolean> = (value, member) => {
  if (typeof value !== 'boolean') throw new BadInput('must be true or false', member);
  return value;
};

/** The issues of bad input. Any other error is thrown again. */
function issuesOf(error: unknown): readonly Issue[] {
  if (error instanceof BadInput) return error.issues;
  throw error;
}

function refuseAny(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new BadInput(issues);
}
