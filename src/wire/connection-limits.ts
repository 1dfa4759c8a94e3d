// Holds the limits of one outgoing connection: to a machine, to a receiver of webhooks or ntfy messages, or to a broker.

export interface Limits {
  /** From the first packet until the machine has reported what it is. */
  connectMs: number;
  /** From a request until the end of its answer. */
  answerMs: number;
  /** Between two pings of a WebSocket. If the previous ping is still unanswered, the connection is dead. */
  pingMs: number;
  /** Between two pings of a machine's broker. The answers also serve as a clock: some messages mean something only after a wait. */
  heartbeatMs: number;
  /** How long the gateway waits for the first message after a broker accepted the credentials. The broker may belong to another machine. */
  firstMessageMs: number;
  /** How long after its first message a machine may still report its model and version. */
  versionMs: number;
  /** A machine that pushes its state is asked for its whole state after so long without a message. */
  quietMs: number;
  /** The shortest time between two such requests. */
  askAgainMs: number;
  /** The most bytes of one answer or message. */
  maxBytes: number;
  /** The bytes that the other end may send in one burst. Each second, `steadyBytes` of them become free again. */
  floodBytes: number;
  steadyBytes: number;
  /** Between two polls of a machine, while it prints and otherwise. The kinds set these in their connection.ts. */
  pollPrintingMs: number;
  pollMs: number;
  /** Between two checks whether a machine that pushes its state still accepts the credentials. */
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
  // Apart from OctoPrint, the largest message of a real machine is Moonraker's report about updates, 270 KB. A page of Moonraker's history
  // has 150 KB, the whole state of a Bambu printer 40 KB, and of a GoPro 10 KB.
  maxBytes: 512 << 10,
  // Moonraker's history of 1,000 prints, each with 5 KB of metadata.
  floodBytes: 5 << 20,
  // A Bambu X1 that prints sends 20 KB a second, a Moonraker 2 KB, all others less.
  steadyBytes: 40_000,
  pollPrintingMs: 5_000,
  pollMs: 15_000,
  checkMs: 60_000,
};
