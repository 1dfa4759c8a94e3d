// What a machine reports about the spools in its slots, and what the gateway stores of it.
import type { Instant } from '../../values/instant';

/** A spool as a machine names it: by its number in Moonraker, or by the UIDs of its tag. The first UID that a spool has decides. */
export type SpoolReference = { readonly number: number } | { readonly uids: readonly string[] };

export interface ReportedSlot {
  slot: string;
  /** `null` if the machine has no spool in the slot. */
  spool: SpoolReference | null;
  /** When the spool was chosen, if that was before the connection; `null` if that is unknown. */
  chosenAt: Instant | null;
  /** The start of a print that has used nothing yet, and for which the spool may have been chosen. */
  usesNothingSince?: Instant | null;
}

/** Why the gateway cannot follow a printer with Moonraker, whatever its Spoolman is. */
export type Obstacle = { cause: 'UNIT'; name: string } | { cause: 'NO_MACROS' };

/** What Moonraker reports about its Spoolman. */
export interface ReportedSpoolman {
  /** The farm that the Spoolman names; `null` if it is another program than this gateway. Missing while it is unknown. */
  farm?: string | null;
  activeNumber: number | null;
  /** The slot that has the active spool; `null` if the active spool moves nothing. */
  activeSlot: string | null;
  obstacle: Obstacle | null;
}

/** All that a machine reports about its spools at one time. */
export interface SpoolReport {
  at: Instant;
  slots: readonly ReportedSlot[];
  /** Whether the machine is printing, so that a cleared spool stays in its slot until the print ends. */
  isPrinting: boolean;
  /** `null` for Moonraker without Spoolman, and for machines that read tags. */
  spoolman: ReportedSpoolman | null;
}

/** What the machine reported last for a slot, as it is stored. */
export interface SeenSlot {
  spool: SpoolReference | null;
  /** Since when the machine reports this. */
  at: Instant;
  /** A change that waits: for the end of the print, or until the spool is known. */
  pending?: { since: Instant; onlyIfEmpty: boolean };
  /** What the gateway sent to the machine, until the machine reports another number. */
  sent?: SentSpool;
}

/** An active spool that the gateway sent to Moonraker. */
export interface SentSpool {
  number: number | null;
  /** When a user changed the slot. */
  changedAt: Instant;
  tries: number;
}

/** The slots by their names; `null` before the first report. */
export type SeenSlots = Readonly<Record<string, SeenSlot>>;

/** Why a slot does not have the spool that the machine names. */
export type SpoolProblem = { cause: 'UNKNOWN' | 'ARCHIVED'; number: number };

/** What the row of the device has about Moonraker's Spoolman. */
export interface StoredSpoolman {
  isThisGateway: boolean | null;
  activeNumber: number | null;
  obstacle: Obstacle | null;
  problem: SpoolProblem | null;
}
