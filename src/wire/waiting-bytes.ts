// Limits the memory in which data of machines and receivers waits, for all connections of the process together.

/**
 * The limit for incomplete messages, messages that wait for the rows of their device, and readings that wait for the database.
 * src/doors/http/limits/client-memory.ts adds the memory of clients.
 */
export const MAX_WAITING_BYTES = 32 << 20;

/** A user of this memory. */
export interface MemoryUser {
  /** Is called when all users together hold too much memory and this user holds the most. */
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

  /** Asks the users with the most memory to free some. Each user is asked only once, because it may be unable to free any. */
  private freeMemory(): void {
    const asked = new Set<MemoryUser>();
    while (this.total > this.maxBytes) {
      const candidates = [...this.users].filter(([user]) => !asked.has(user));
      if (candidates.length === 0) return;
      const [largest] = candidates.reduce((a, b) => (b[1] > a[1] ? b : a));
      asked.add(largest);
      this.setBytes(largest, 0);
      largest.onTooMuch();
    }
  }
}

/** The memory that all connections of the process share. */
export const WAITING_BYTES = new WaitingBytes();

/** The bytes of an object or list, of a member or element, and of a text, in V8 with 64 bits. */
const [OBJECT_BYTES, MEMBER_BYTES, TEXT_BYTES] = [32, 8, 16];

/** Estimates the memory of a JSON value. Stops counting at the limit. */
export function estimateBytes(value: unknown, limit = Number.POSITIVE_INFINITY): number {
  let bytes = 0;
  // A list instead of recursion, because the sender decides how deep a value is nested.
  const pending: unknown[] = [value];
  while (pending.length > 0 && bytes <= limit) {
    const next = pending.pop();
    if (typeof next === 'string') bytes += TEXT_BYTES + 2 * next.length;
    if (typeof next !== 'object' || next === null) continue;
    const members = Object.values(next);
    bytes += OBJECT_BYTES + MEMBER_BYTES * members.length;
    for (const member of members) if (typeof member === 'string' || typeof member === 'object') pending.push(member);
  }
  return bytes;
}
