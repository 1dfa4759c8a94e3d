// How long the collector waits for what comes again. Tests give it shorter times.

export interface Pace {
  /** Between two renewals of the leases. */
  tickMs: number;
  /** Between two tries of a statement while the database does not answer. */
  outageMs: number;
  /** Before the second try to connect; each further wait is twice as long. */
  reconnectMs: number;
  /** Between two looks at a device that has too many new prints. */
  fullMs: number;
}

export const PACE: Readonly<Pace> = { tickMs: 1000, outageMs: 1000, reconnectMs: 1000, fullMs: 5000 };
