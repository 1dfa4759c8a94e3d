// What decisions about prints need, on one transaction.

import type { Queryable } from '../../database/queryable';
import { isHolder, type Lease } from '../../sharing/lease';
import type { Instant } from '../../values/instant';
import { InventoryStore } from '../inventory/inventory.store';
import type { Printer, Spool } from '../inventory/inventory.types';
import { SlotStore } from '../inventory/slot.store';
import { addSlots } from '../inventory/slot-change.store';
import { PrintJobService } from '../print-jobs/print-job.service';
import { PrintJobStore } from '../print-jobs/print-job.store';
import { PrintJobPartService } from '../print-jobs/print-job-part.service';
import { PrintJobPartStore } from '../print-jobs/print-job-part.store';
import { PrintPlanStore } from '../print-plans/print-plan.store';
import type { SlotSpan } from '../print-rules/loaded-spools';
import type { PlanKey, SlicedPlan } from '../print-rules/sliced-plan';
import { DevicePrintsStore } from './device-prints.store';
import { PrintStore, SightingStore } from './print.store';

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

/** Decisions about prints, each in a transaction of its own. */
export const inPrints =
  (database: Queryable): InTransaction =>
  (work) =>
    database.transaction((one) => work(printsOn(one)));

/** Each store on this transaction, and no more than decisions need: it is made for each of them. */
export function printsOn(database: Queryable): Prints {
  const inventory = new InventoryStore(database);
  const spool = (id: string) => inventory.spool.load(id);
  const partStore = new PrintJobPartStore(database);
  const jobRows = new PrintJobStore(database);
  const jobs = new PrintJobService(jobRows, partStore, {
    links: (printerId, spoolId) => inventory.links(printerId, spoolId),
    spool,
  });
  const plans = new PrintPlanStore(database);
  const slots = new SlotStore(database);
  return {
    rows: new PrintStore(database),
    ofDevice: new DevicePrintsStore(database),
    sightings: new SightingStore(database),
    jobs,
    jobRows,
    parts: new PrintJobPartService(partStore, jobs, spool),
    isHolder: (lease) => isHolder(database, lease),
    newestPlan: (keys) => plans.newestOf(keys),
    printer: (id) => inventory.printer.load(id),
    spool,
    spans: (printerId, since, until) => slots.loadsBetween(printerId, since, until),
    addSlots: (printerId, used) => addSlots(database, printerId, used),
  };
}
