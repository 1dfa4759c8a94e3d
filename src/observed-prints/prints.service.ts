// What decisions about prints need, on one transaction: the composition root makes it.
import type { Printer, Spool } from '../inventory/inventory.types';
import type { SlotChange } from '../inventory/slot.types';
import type { Lease } from '../leases/lease';
import type { PrintJobService } from '../print-jobs/print-job.service';
import type { PrintJobPartService } from '../print-jobs/print-job-part.service';
import type { PlanKey } from '../print-rules/plan-names';
import type { SlicedPlan } from '../print-rules/sliced-plan';
import type { Instant } from '../values/instant';
import type { DevicePrintsStore } from './device-prints.store';
import type { PrintStore } from './print.store';
import type { SightingStore } from './sighting.store';

export interface Prints {
  rows: PrintStore;
  ofDevice: DevicePrintsStore;
  sightings: SightingStore;
  jobs: PrintJobService;
  parts: Pick<PrintJobPartService, 'divide' | 'isSaid'>;
  /** Whether the process holds the device, and holds it until the transaction ends. */
  isHolder(lease: Lease): Promise<boolean>;
  /** The newest plan that a slicer sent under one of these names. */
  newestPlan(keys: readonly PlanKey[]): Promise<SlicedPlan | null>;
  printer(id: string): Promise<Printer | null>;
  spool(id: string): Promise<Spool | null>;
  /** The spools by the slots of a printer. @param until those loaded later are left out; null: all */
  loadedSpools(printerId: string, until: Instant | null): Promise<Map<string, string>>;
  /** The spools that were in the slots of a printer then. */
  slotsAt(printerId: string, at: Instant): Promise<Map<string, string>>;
  /** What was put into the slots, or taken out, after the first instant and not after the second one. */
  slotChanges(printerId: string, after: Instant, until: Instant): Promise<SlotChange[]>;
  /** The slots that a print uses are slots of its printer. @returns when a spool was last put into one of them */
  addSlots(printerId: string, slots: readonly string[]): Promise<Instant | null>;
}

/** Does all of `work`, or nothing when it fails. */
export type InTransaction = <T>(work: (prints: Prints) => Promise<T>) => Promise<T>;
