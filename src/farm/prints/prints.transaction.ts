// What decisions about prints use, on one transaction: which store or service each member is.

import type { Queryable } from '../../database/queryable';
import { isHolder, type Lease } from '../../sharing/lease';
import type { Instant } from '../../values/instant';
import { InventoryStore } from '../inventory/inventory.store';
import type { Printer, Spool } from '../inventory/inventory.types';
import { addSlots, SlotStore } from '../inventory/slot.store';
import { PrintJobPages } from '../print-jobs/print-job.pages';
import { PrintJobService } from '../print-jobs/print-job.service';
import { PrintJobStore } from '../print-jobs/print-job.store';
import { PrintJobPartService } from '../print-jobs/print-job-part.service';
import { PrintPlanStore } from '../print-plans/print-plan.store';
import type { PastLoad } from '../print-rules/loaded-spools';
import type { PlanKey, SlicedPlan } from '../print-rules/sliced-plan';
import { DeviceHistoryStore } from './device-history.store';
import { PrintWritingStore, SightingStore } from './print-writing.store';

export interface Prints {
  store: PrintWritingStore;
  deviceHistory: DeviceHistoryStore;
  sightings: SightingStore;
  jobs: PrintJobService;
  jobStore: PrintJobStore;
  /** Not what a person says of parts: that is tried again with spools that are read anew. */
  parts: Pick<PrintJobPartService, 'divide' | 'isSaid' | 'spoolIdsOf'>;
  /** Whether the process holds the device, and holds it until the transaction ends. */
  isHolder(lease: Lease): Promise<boolean>;
  /** The newest plan that a slicer sent under one of these names. */
  newestPlan(keys: readonly PlanKey[]): Promise<SlicedPlan | null>;
  printer(id: string): Promise<Printer | null>;
  /** Decisions change no spool, so each one is read once. */
  spool(id: string): Promise<Spool | null>;
  /** What was in the slots of a printer from one instant to the other, the oldest first. @param until null: to now */
  loadsBetween(printerId: string, since: Instant, until: Instant | null): Promise<PastLoad[]>;
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
  const spools = new Map<string, Promise<Spool | null>>();
  const spool = (id: string) => {
    const read = spools.get(id) ?? inventory.spool.load(id);
    spools.set(id, read);
    return read;
  };
  const jobStore = new PrintJobStore(database);
  const links = (printerId: string, spoolId: string | null) => inventory.links(printerId, spoolId);
  const jobs = new PrintJobService(jobStore, new PrintJobPages(database), { links, spool });
  const plans = new PrintPlanStore(database);
  const slots = new SlotStore(database);
  return {
    store: new PrintWritingStore(database),
    deviceHistory: new DeviceHistoryStore(database),
    sightings: new SightingStore(database),
    jobs,
    jobStore,
    parts: new PrintJobPartService(jobStore, jobs, spool),
    isHolder: (lease) => isHolder(database, lease),
    newestPlan: (keys) => plans.newestPlan(keys),
    printer: (id) => inventory.printer.load(id),
    spool,
    loadsBetween: (printerId, since, until) => slots.loadsBetween(printerId, since, until),
    addSlots: (printerId, used) => addSlots(database, printerId, used),
  };
}
