// Holds the limits of one outgoing connection: to a machine, to a receiver of webhooks or ntfy messages, or to a broker.

export interface Limits {
  /** From the first packet until the machine has reported what it is. */
  connectMs: number;
  /** From a request until the end of its answer. */
  answerMs: number;
  /** Between two pings of a WebSocket. If the previous ping is still unanswered, the connection is dead. */
  pingMs: number;
  /** Between two pings of a machine's broker. The answers also serve as a clock for adapters that wait for a later message. */
  heartbeatMs: number;
  /** The most bytes of one answer or message. */
  maxBytes: number;
  /** The bytes that the other end may send in one burst. Each second, `steadyBytes` of them become free again. */
  floodBytes: number;
  steadyBytes: number;
}

export const LIMITS: Limits = {
  connectMs: 10_000,
  answerMs: 10_000,
  pingMs: 20_000,
  heartbeatMs: 10_000,
  // Apart from OctoPrint, the largest message of a real machine is Moonraker's report about updates, 270 KB. A page of Moonraker's history
  // has 150 KB, the whole state of a Bambu printer 40 KB, and of a GoPro 10 KB.
  maxBytes: 512 << 10,
  // Moonraker's history of 1,000 prints, each with 5 KB of metadata.
  floodBytes: 5 << 20,
  // A printing Bambu X1 sends 20 KB a second, Moonraker sends 2 KB, and all other machines send less.
  steadyBytes: 40_000,
};
