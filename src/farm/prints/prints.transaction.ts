// Collects the stores and services that decisions about prints use in one transaction.
import type { Queryable } from '../../database/queryable';
import { isHolder, type Lease } from '../../sharing/lease';
import type { Instant } from '../../values/instant';
import { InventoryStore } from '../inventory/inventory.store';
import type { Printer, Spool } from '../inventory/inventory.types';
import { addSlots, PrinterSlotStore } from '../inventory/printer-slot.store';
import { PartsOfJobService } from '../print-jobs/parts-of-job.service';
import { PrintJobPages } from '../print-jobs/print-job.pages';
import { PrintJobService } from '../print-jobs/print-job.service';
import { PrintJobStore } from '../print-jobs/print-job.store';
import { PrintPlanStore } from '../print-plans/print-plan.store';
import type { PastLoad } from '../print-rules/loaded-spools';
import type { PlanKey, SlicedPlan } from '../print-rules/sliced-plan';
import { EarlierWeighingsStore } from '../stock/earlier-weighings.store';
import { DeviceHistoryStore } from './device-history.store';
import { PrintWritingStore } from './print-writing.store';
import { SightingStore } from './sighting.store';

export interface Prints {
  store: PrintWritingStore;
  deviceHistory: DeviceHistoryStore;
  sightings: SightingStore;
  jobs: PrintJobService;
  jobStore: PrintJobStore;
  /** Without the method for parts that a user enters, which reads the spools again and retries. */
  parts: Pick<PartsOfJobService, 'divide' | 'isEnteredByUser' | 'spoolIdsOf'>;
  /** The weighings that were made before a print got its job. */
  weighings: EarlierWeighingsStore;
  /** Whether this process holds the device, and will hold it until the transaction ends. */
  isHolder(lease: Lease): Promise<boolean>;
  /** The newest plan that a slicer sent under one of these names. */
  newestPlan(keys: readonly PlanKey[]): Promise<SlicedPlan | null>;
  printer(id: string): Promise<Printer | null>;
  /** Decisions do not change spools, so each spool is read once. */
  spool(id: string): Promise<Spool | null>;
  /** The spools that were in the slots of a printer between two instants, the oldest first. `until` is `null` for now. */
  loadsBetween(printerId: string, since: Instant, until: Instant | null): Promise<PastLoad[]>;
  /** Whether a spool was in any other slot of the printer than this one, at the instant or before. */
  hadSpoolBeside(printerId: string, slot: string, until: Instant): Promise<boolean>;
  /** Adds the slots that a print uses to its printer. */
  addSlots(printerId: string, slots: readonly string[]): Promise<void>;
}

/** Runs `work` in one transaction, which is rolled back if `work` fails. */
export type InTransaction = <T>(work: (prints: Prints) => Promise<T>) => Promise<T>;

/** Runs each decision about prints in a transaction. */
export const createPrintTransactions =
  (database: Queryable): InTransaction =>
  (work) =>
    database.transaction((transaction) => work(createPrintStores(transaction)));

/** Creates the stores on one transaction. It is called for each decision, so it creates only what decisions need. */
export function createPrintStores(database: Queryable): Prints {
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
  const slots = new PrinterSlotStore(database);
  return {
    store: new PrintWritingStore(database),
    deviceHistory: new DeviceHistoryStore(database),
    sightings: new SightingStore(database),
    jobs,
    jobStore,
    parts: new PartsOfJobService(jobStore, jobs, spool),
    weighings: new EarlierWeighingsStore(database),
    isHolder: (lease) => isHolder(database, lease),
    newestPlan: (keys) => plans.newestPlan(keys),
    printer: (id) => inventory.printer.load(id),
    spool,
    loadsBetween: (printerId, since, until) => slots.loadsBetween(printerId, since, until),
    hadSpoolBeside: (printerId, slot, until) => slots.hadSpoolBeside(printerId, slot, until),
    addSlots: (printerId, used) => addSlots(database, printerId, used),
  };
}
