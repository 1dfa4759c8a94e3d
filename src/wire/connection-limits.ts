// The bounds of one connection outward: to a machine, to a receiver of webhooks or ntfy, or to a broker.

export interface Limits {
  /** From the first packet until the machine has said what it is. */
  connectMs: number;
  /** From a request until the end of its answer. */
  answerMs: number;
  /** A WebSocket that has not answered the ping before is dead. */
  pingMs: number;
  /** How often the broker of a machine is pinged. Some of its messages mean something only after a time. */
  heartbeatMs: number;
  /** A broker that has taken the credentials may be that of another machine, until the right one is heard. */
  firstMessageMs: number;
  /** So long after its first message a machine may still say its model and version. */
  versionMs: number;
  /** A machine that pushes and says nothing for so long is asked for its whole state. */
  quietMs: number;
  /** It is not asked more often than once in this time. */
  askAgainMs: number;
  /** The most bytes of one answer or message. */
  maxBytes: number;
  /** The bytes that a connection may send at once; each second `steadyBytes` of them are free again. */
  floodBytes: number;
  steadyBytes: number;
  /** How often a polled machine is asked, while it prints and else. */
  pollPrintingMs: number;
  pollMs: number;
  /** How often a machine that pushes is asked whether it still takes the credentials. */
  checkMs: number;
}

export const LIMITS: Limits = {
  connectMs: 10_000,
  answerMs: 10_000,
  pingMs: 20_000,
  heartbeatMs: 10_000,
  firstMessageMs: 60_000,
  versionMs: 1_000,
  quietMs: 60_000,
  askAgainMs: 5 * 60_000,
  // The largest of honest machines but OctoPrint: the news of Moonraker's updates, 270 KB. A page of its history has 150 KB, a whole state of a Bambu printer 40 KB, of a GoPro 10 KB.
  maxBytes: 512 << 10,
  // A history of 1,000 prints, each with 5 KB of metadata.
  floodBytes: 5 << 20,
  // A Bambu X1 that prints sends 20 KB a second, a Moonraker 2 KB, all others less.
  steadyBytes: 40_000,
  pollPrintingMs: 5_000,
  pollMs: 15_000,
  checkMs: 60_000,
};
