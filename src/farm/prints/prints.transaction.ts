// What decisions about prints need, on one transaction: printsOn of services.ts makes it.

import type { Lease } from '../../sharing/lease';
import type { Instant } from '../../values/instant';
import type { Printer, Spool } from '../inventory/inventory.types';
import type { PrintJobService } from '../print-jobs/print-job.service';
import type { PrintJobStore } from '../print-jobs/print-job.store';
import type { PrintJobPartService } from '../print-jobs/print-job-part.service';
import type { SlotSpan } from '../print-rules/loaded-spools';
import type { PlanKey, SlicedPlan } from '../print-rules/sliced-plan';
import type { DevicePrintsStore } from './device-prints.store';
import type { PrintStore, SightingStore } from './print.store';

export interface Prints {
  rows: PrintStore;
  ofDevice: DevicePrintsStore;
  sightings: SightingStore;
  jobs: PrintJobService;
  jobRows: Pick<PrintJobStore, 'queuedBefore' | 'moveStart'>;
  parts: Pick<PrintJobPartService, 'divide' | 'isSaid' | 'spoolsOf'>;
  /** Whether the process holds the device, and holds it until the transaction ends. */
  isHolder(lease: Lease): Promise<boolean>;
  /** The newest plan that a slicer sent under one of these names. */
  newestPlan(keys: readonly PlanKey[]): Promise<SlicedPlan | null>;
  printer(id: string): Promise<Printer | null>;
  spool(id: string): Promise<Spool | null>;
  /** What was in the slots of a printer from one instant to the other, the oldest first. @param until null: to now */
  spans(printerId: string, since: Instant, until: Instant | null): Promise<SlotSpan[]>;
  /** The slots that a print uses are slots of its printer. */
  addSlots(printerId: string, slots: readonly string[]): Promise<void>;
}

/** Does all of `work`, or nothing when it fails. */
export type InTransaction = <T>(work: (prints: Prints) => Promise<T>) => Promise<T>;
