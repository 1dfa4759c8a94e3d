// The memory in which something of machines or receivers waits, counted in bytes for all connections of the process together.

/** Unfinished messages, messages that wait for the rows of a device, and readings that wait for the database. Added to those of clients in src/doors/http/limits/client-memory.ts. */
export const MAX_WAITING_BYTES = 32 << 20;

/** A holder of memory, and what it does when all of them hold too much and it holds the most. */
export interface MemoryUser {
  onTooMuch(): void;
}

export class WaitingBytes {
  private total = 0;
  private readonly users = new Map<MemoryUser, number>();
  private isFreeing = false;

  constructor(private readonly maxBytes = MAX_WAITING_BYTES) {}

  set(user: MemoryUser, bytes: number): void {
    this.setBytes(user, bytes);
    if (this.total <= this.maxBytes || this.isFreeing) return;
    this.isFreeing = true;
    try {
      this.freeMemory();
    } finally {
      this.isFreeing = false;
    }
  }

  private setBytes(user: MemoryUser, bytes: number): void {
    this.total += bytes - (this.users.get(user) ?? 0);
    if (bytes === 0) this.users.delete(user);
    else this.users.set(user, bytes);
  }

  /** Each user is asked once to hold less, because it may not be able to. */
  private freeMemory(): void {
    const asked = new Set<MemoryUser>();
    while (this.total > this.maxBytes) {
      const others = [...this.users].filter(([user]) => !asked.has(user));
      if (others.length === 0) return;
      const [most] = others.reduce((one, other) => (other[1] > one[1] ? other : one));
      asked.add(most);
      this.setBytes(most, 0);
      most.onTooMuch();
    }
  }
}

/** The memory of the process: its connections share it. */
export const WAITING_BYTES = new WaitingBytes();

/** An object or a list, a member or an element, and a text, of V8 with 64 bits. */
const [OBJECT_BYTES, MEMBER_BYTES, TEXT_BYTES] = [32, 8, 16];

/** About the memory of a value of JSON; counts no further than to `most`. */
export function weightOf(value: unknown, most = Number.POSITIVE_INFINITY): number {
  let bytes = 0;
  // A list instead of recursion: the sender decides how deep a value is.
  const rest: unknown[] = [value];
  while (rest.length > 0 && bytes <= most) {
    const next = rest.pop();
    if (typeof next === 'string') bytes += TEXT_BYTES + 2 * next.length;
    if (typeof next !== 'object' || next === null) continue;
    const members = Object.values(next);
    bytes += OBJECT_BYTES + MEMBER_BYTES * members.length;
    for (const member of members) if (typeof member === 'string' || typeof member === 'object') rest.push(member);
  }
  return bytes;
}
