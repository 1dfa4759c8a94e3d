// Limits the memory in which data of machines and receivers waits, for all connections of the process together.

/**
 * For incomplete messages, messages that wait for the rows of their device, and readings that wait for the database.
 * src/doors/http/limits/client-memory.ts adds the memory of clients.
 */
export const MAX_WAITING_BYTES = 32 << 20;

/** A user of this memory. */
export interface MemoryUser {
  /** Is called when all users together have too much memory and this user has the most. */
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

  /** Asks the users with the most memory to free some, each once, because a user may be unable to. */
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

/** The memory that all connections of the process share. */
export const WAITING_BYTES = new WaitingBytes();

/** The bytes of an object or list, of a member or element, and of a text, in V8 with 64 bits. */
const [OBJECT_BYTES, MEMBER_BYTES, TEXT_BYTES] = [32, 8, 16];

/** Estimates the memory of a JSON value. Stops counting at `most`. */
export function estimateBytes(value: unknown, most = Number.POSITIVE_INFINITY): number {
  let bytes = 0;
  // A list instead of recursion, because the sender decides how deep a value is nested.
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
