// Builds the services of the farm over one database or one transaction: for the resolvers, the collector and the notifications.

import type { Queryable } from './database/queryable';
import { AlertService } from './farm/alerts/alert.service';
import { AlertStore } from './farm/alerts/alert.store';
import { SilenceStore } from './farm/alerts/silence.store';
import { CameraService } from './farm/cameras/camera.service';
import { CameraStore } from './farm/cameras/camera.store';
import { StatusLogStore } from './farm/cameras/status-log.store';
import { FilamentStore } from './farm/inventory/filament.store';
import { InventoryStore } from './farm/inventory/inventory.store';
import { SlotService } from './farm/inventory/slot.service';
import { SlotStore } from './farm/inventory/slot.store';
import { SlotChangeStore } from './farm/inventory/slot-change.store';
import { PrintJobPages } from './farm/print-jobs/print-job.pages';
import { PrintJobService } from './farm/print-jobs/print-job.service';
import { PrintJobStore } from './farm/print-jobs/print-job.store';
import { PrintJobPartService } from './farm/print-jobs/print-job-part.service';
import { PrinterStateService } from './farm/printer-states/printer-state.service';
import { PrinterStateStore } from './farm/printer-states/printer-state.store';
import { calculateUsedSoFar, ObservedPrintService } from './farm/prints/observed-print.service';
import { findWait } from './farm/prints/observed-print.status';
import { PrintListStore } from './farm/prints/print-lists.store';
import { PrintWritingStore } from './farm/prints/print-writing.store';
import { inPrints, printsOn } from './farm/prints/prints.transaction';
import { rebookAfterSlotChange } from './farm/prints/spools-of-print.service';
import type { Ledger } from './farm/stock/adjustment.service';
import { AdjustmentStore } from './farm/stock/adjustment.store';
import { StockStore } from './farm/stock/stock.store';
import type { Importing } from './farm/stock/stock-import.service';
import { StockImportStore } from './farm/stock/stock-import.store';
import { FarmStatesService, FarmStatesStore } from './notifications/mqtt/states.store';
import { isHolder, type Lease } from './sharing/lease';

export const inventoryLookUps = (inventory: InventoryStore) => ({
  printer: (id: string) => inventory.printer.load(id),
  spool: (id: string) => inventory.spool.load(id),
  filament: (id: string) => inventory.filament.load(id),
  material: (id: string) => inventory.material.load(id),
  links: (printerId: string, spoolId: string | null) => inventory.links(printerId, spoolId),
});

type InventoryLookUps = ReturnType<typeof inventoryLookUps>;

export function createJobServices(database: Queryable, ofInventory: Pick<InventoryLookUps, 'links' | 'spool'>) {
  const jobStore = new PrintJobStore(database);
  const jobPages = new PrintJobPages(database);
  const jobs = new PrintJobService(jobStore, jobPages, ofInventory);
  return { jobStore, jobPages, jobs, parts: new PrintJobPartService(jobStore, jobs, ofInventory.spool) };
}

export function createSlotService(database: Queryable, slots: SlotStore, ofInventory: InventoryLookUps) {
  return new SlotService(slots, new SlotChangeStore(database), ofInventory, (change, time) =>
    rebookAfterSlotChange(new PrintWritingStore(database), inPrints(database), change, time),
  );
}

/** The ledger of spools, on a transaction. */
export function createLedger(database: Queryable): Ledger {
  const inventory = new InventoryStore(database);
  const slots = createSlotService(database, new SlotStore(database), inventoryLookUps(inventory));
  return {
    adjustments: new AdjustmentStore(database),
    usedSoFar: (printId, spoolId, time) => calculateUsedSoFar(printsOn(database), printId, spoolId, time),
    takeOut: (loadedIn, time) => slots.load({ ...loadedIn, spoolId: null, at: null }, time),
    archive: (spoolId, { now }) => inventory.archive('spool', spoolId, now, now),
  };
}

/** Imports of the stock, on a transaction. */
export const createImport = (database: Queryable): Importing => ({
  rows: new StockImportStore(database),
  inventory: new InventoryStore(database),
  filaments: new FilamentStore(database),
  stock: new StockStore(database),
  ledger: createLedger(database),
});

export function createObservedPrintService(
  prints: PrintListStore,
  slots: SlotStore,
  parts: PrintJobPartService,
  { spool }: Pick<InventoryLookUps, 'spool'>,
) {
  return new ObservedPrintService(prints, (id) => slots.standingOf.load(id), parts, {
    loadsBetween: (printerId, since, until) => slots.loadsBetween(printerId, since, until),
    spool,
  });
}

export const createAlertServiceFor = (
  database: Queryable,
  prints: ObservedPrintService,
  recordingStates: readonly string[],
) =>
  new AlertService(new AlertStore(database, recordingStates), new SilenceStore(database), async (printId) => {
    const print = await prints.byId(printId);
    // The alert itself says that the outcome is missing.
    return print !== null && findWait(print) === 'SPOOL' ? prints.explainWait(print) : null;
  });

/** The alerts of the farm, for the process that reports them. */
export function createAlertService(database: Queryable, recordingStates: readonly string[]): AlertService {
  const ofInventory = inventoryLookUps(new InventoryStore(database));
  const { parts } = createJobServices(database, ofInventory);
  const prints = createObservedPrintService(new PrintListStore(database), new SlotStore(database), parts, ofInventory);
  return createAlertServiceFor(database, prints, recordingStates);
}

/** What the farm does now, for brokers. */
export function createFarmStates(database: Queryable): FarmStatesService {
  const states = new PrinterStateService(
    new PrinterStateStore(database),
    inventoryLookUps(new InventoryStore(database)),
  );
  return new FarmStatesService(new FarmStatesStore(database), (id, now) => states.ofPrinter(id, now));
}

/** What a record of a camera needs. */
export const createCameraRecords = (database: Queryable) => ({
  cameras: new CameraService(new CameraStore(database), new StatusLogStore(database)),
  isHolder: (lease: Lease) => isHolder(database, lease),
});
