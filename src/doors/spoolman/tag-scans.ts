// Holds the tag readers that scanned recently, and passes scans on to the WebSockets that listen to them.

/** A reader is listed for this time after its last scan. */
const LISTED_MS = 24 * 3_600_000;
/** A list with more readers would let one client fill the memory of the gateway with invented names. */
const MAX_READERS = 256;
/** A tag that stays on a reader is scanned many times. Listeners get it once in this time. */
const REPEATED_MS = 3000;

interface Reader {
  name: string | null;
  lastSeenMs: number;
}

export interface ScanListener {
  /** `null` for the scans of all readers. */
  readerId: string | null;
  send(text: string): void;
}

export class TagScans {
  /** The readers, the longest unseen first. */
  private readonly readers = new Map<string, Reader>();
  private readonly listeners = new Set<ScanListener>();
  /** When each tag was last passed on, by reader and UID. */
  private readonly passedAt = new Map<string, number>();

  /** @returns ends listening */
  listen(listener: ScanListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Notes that a reader scanned. A reader that sends no name keeps its last name. */
  note(readerId: string, name: string | null, nowMs: number): void {
    const before = this.readers.get(readerId);
    this.readers.delete(readerId);
    this.readers.set(readerId, { name: name ?? before?.name ?? null, lastSeenMs: nowMs });
    const [oldest] = this.readers.keys();
    if (this.readers.size > MAX_READERS && oldest !== undefined) this.readers.delete(oldest);
  }

  /** The readers of the last 24 hours, the latest first. */
  list(nowMs: number): { readerId: string; name: string | null; lastSeenMs: number }[] {
    return [...this.readers]
      .filter(([, { lastSeenMs }]) => lastSeenMs > nowMs - LISTED_MS)
      .map(([readerId, reader]) => ({ readerId, ...reader }))
      .reverse();
  }

  /** @param payload the JSON of the scan, without members that are null */
  pass(readerId: string, uid: string, payload: string, nowMs: number): void {
    if (this.isRepeated(`${readerId} ${uid}`, nowMs)) return;
    const date = `${new Date(nowMs).toISOString().slice(0, 19)}Z`;
    const text = `{"type":"scanned","resource":"tag_scan","date":"${date}","payload":${payload}}`;
    for (const listener of this.listeners)
      if (listener.readerId === null || listener.readerId === readerId) listener.send(text);
  }

  private isRepeated(key: string, nowMs: number): boolean {
    for (const [earlier, at] of this.passedAt) {
      // The clock may have been set back.
      if (at > nowMs - REPEATED_MS && at <= nowMs) break;
      this.passedAt.delete(earlier);
    }
    if (this.passedAt.has(key)) return true;
    this.passedAt.set(key, nowMs);
    return false;
  }
}
