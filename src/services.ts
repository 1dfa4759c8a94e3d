// Builds the services of the farm on a database or a transaction, for the resolvers, the collector and the notifications.

import { randomUUID } from 'node:crypto';
import type { Queryable } from './database/queryable';
import type { ApiParts } from './doors/spoolman/api';
import { ApiStore } from './doors/spoolman/api.store';
import { type AnsweredObjects, ChangeEvents } from './doors/spoolman/change-events';
import { type LeftOnSpools, ListStore } from './doors/spoolman/list.store';
import { AlertService, type WaitingReasons } from './farm/alerts/alert.service';
import { AlertStore } from './farm/alerts/alert.store';
import { SilenceStore } from './farm/alerts/silence.store';
import { CameraService } from './farm/cameras/camera.service';
import { CameraStore } from './farm/cameras/camera.store';
import { StatusLogStore } from './farm/cameras/status-log.store';
import { StockChangesStore } from './farm/changes/stock-changes.store';
import type { FollowedSpoolsParts } from './farm/followed-spools/followed-spools.service';
import { FollowedSpoolsStore } from './farm/followed-spools/followed-spools.store';
import { ExtraFieldService } from './farm/inventory/extra-field.service';
import { ExtraFieldStore } from './farm/inventory/extra-field.store';
import { FilamentService } from './farm/inventory/filament.service';
import { FilamentStore } from './farm/inventory/filament.store';
import { InventoryService } from './farm/inventory/inventory.service';
import { InventoryStore } from './farm/inventory/inventory.store';
import { addSlots, PrinterSlotStore } from './farm/inventory/printer-slot.store';
import { SpoolLoadingService } from './farm/inventory/spool-loading.service';
import { SpoolLoadingStore } from './farm/inventory/spool-loading.store';
import { TagService } from './farm/inventory/tag.service';
import { TagStore } from './farm/inventory/tag.store';
import { VendorStore } from './farm/inventory/vendor.store';
import { PartsOfJobService } from './farm/print-jobs/parts-of-job.service';
import { PrintJobPages } from './farm/print-jobs/print-job.pages';
import { PrintJobService } from './farm/print-jobs/print-job.service';
import { PrintJobStore } from './farm/print-jobs/print-job.store';
import { PrinterStateService } from './farm/printer-states/printer-state.service';
import { PrinterStateStore } from './farm/printer-states/printer-state.store';
import { LeftOnSpools as LeftOnSpoolsReader } from './farm/prints/left-on-spools.service';
import { ObservedPrintService } from './farm/prints/observed-print.service';
import { findWait } from './farm/prints/observed-print.status';
import { PrintListStore } from './farm/prints/print-lists.store';
import { RebookingOfPrints } from './farm/prints/rebooking-of-prints';
import { UsageOfRunningPrints } from './farm/prints/usage-of-running-prints';
import { OpenReports } from './farm/reported-uses/open-reports';
import { ReportedUseStore } from './farm/reported-uses/reported-use.store';
import { AdjustmentService, type Ledger } from './farm/stock/adjustment.service';
import { AdjustmentStore } from './farm/stock/adjustment.store';
import { StockStore } from './farm/stock/stock.store';
import type { ImportTransaction } from './farm/stock/stock-import.service';
import { StockImportStore } from './farm/stock/stock-import.store';
import type { AlertServiceFactory } from './notifications/events/alert-service-factory';
import { FarmStatesService, FarmStatesStore } from './notifications/mqtt/states.store';
import type { Feed } from './sharing/feed';
import { isHolder, type Lease } from './sharing/lease';
import { instantNow } from './values/instant';

export const createInventoryLookUps = (inventory: InventoryStore) => ({
  printer: (id: string) => inventory.printer.load(id),
  spool: (id: string) => inventory.spool.load(id),
  filament: (id: string) => inventory.filament.load(id),
  material: (id: string) => inventory.material.load(id),
  links: (printerId: string, spoolId: string | null) => inventory.links(printerId, spoolId),
});

type InventoryLookUps = ReturnType<typeof createInventoryLookUps>;

export function createJobServices(database: Queryable, lookUps: Pick<InventoryLookUps, 'links' | 'spool'>) {
  const jobStore = new PrintJobStore(database);
  const jobPages = new PrintJobPages(database);
  const jobs = new PrintJobService(jobStore, jobPages, lookUps);
  return { jobStore, jobPages, jobs, parts: new PartsOfJobService(jobStore, jobs, lookUps.spool) };
}

export function createSpoolLoadingService(database: Queryable, slots: PrinterSlotStore, lookUps: InventoryLookUps) {
  return new SpoolLoadingService(slots, new SpoolLoadingStore(database), lookUps, new RebookingOfPrints(database));
}

/** Builds what a report about the spools in a machine needs on a transaction. */
export function createFollowedSpools(database: Queryable): FollowedSpoolsParts {
  const lookUps = createInventoryLookUps(new InventoryStore(database));
  const slots = createSpoolLoadingService(database, new PrinterSlotStore(database), lookUps);
  return {
    store: new FollowedSpoolsStore(database),
    load: (request, time) => slots.load(request, time),
    addSlots: (printerId, names) => addSlots(database, printerId, names),
  };
}

/** Builds the ledger of spools on a transaction. */
export function createLedger(database: Queryable): Ledger {
  const inventory = new InventoryStore(database);
  const slots = createSpoolLoadingService(database, new PrinterSlotStore(database), createInventoryLookUps(inventory));
  return {
    adjustments: new AdjustmentStore(database),
    prints: new UsageOfRunningPrints(database),
    takeOut: (loadedIn, time) => slots.load({ ...loadedIn, spoolId: null, at: null }, time),
    archive: (spoolId, { now }) => inventory.archive('spool', spoolId, now, now),
  };
}

/** Builds the list of reports that this process is answering. Its answers are noted on the database. */
export function createOpenReports(database: Queryable): OpenReports {
  const openReports: OpenReports = new OpenReports((ids) =>
    new ReportedUseStore(database, openReports).noteAnswered(ids),
  );
  return openReports;
}

/** Reads what is left of spools now, without a time limit of a request. */
class LeftOnSpoolsNow implements LeftOnSpools {
  private readonly reader: LeftOnSpoolsReader;

  constructor(database: Queryable) {
    this.reader = new LeftOnSpoolsReader(database);
  }

  ofSpools(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.reader.left(ids, { now: instantNow(), deadline: Number.POSITIVE_INFINITY, newId: randomUUID });
  }
}

/** Builds the parts of the API for clients of Spoolman. */
export function createSpoolmanParts(database: Queryable): ApiParts {
  const inventory = new InventoryStore(database);
  const lookUps = createInventoryLookUps(inventory);
  const left = new LeftOnSpoolsNow(database);
  return {
    left,
    lists: new ListStore(database, left),
    store: new ApiStore(database),
    fields: new ExtraFieldService(new ExtraFieldStore(database)),
    vendors: new VendorStore(database),
    inventory: new InventoryService(inventory),
    filaments: new FilamentService(new FilamentStore(database), lookUps),
    tags: new TagService(new TagStore(database), lookUps),
    adjustments: new AdjustmentService((work) => database.transaction((one) => work(createLedger(one))), lookUps),
  };
}

/** Builds the reader of changes for the WebSockets of Spoolman's API. */
export function createChangeEvents(database: Queryable, feed: Feed, report: (error: Error) => void): ChangeEvents {
  const changes = new StockChangesStore(database);
  const lists = new ListStore(database, new LeftOnSpoolsNow(database));
  const objects: AnsweredObjects = {
    async read(resource, ids) {
      const numbers =
        resource === 'vendor' ? ids.map((id) => [id, Number(id)] as const) : await changes.numbersOf(resource, ids);
      const byNumber = await lists.writeById(
        resource,
        numbers.map(([, number]) => number),
      );
      return new Map(
        numbers.flatMap(([id, number]) => {
          const json = byNumber.get(number);
          return json === undefined ? [] : [[id, { id: number, json }] as const];
        }),
      );
    },
  };
  return new ChangeEvents(feed, changes, objects, report);
}

/** Builds what an import of stock needs on a transaction. */
export const createImport = (database: Queryable): ImportTransaction => ({
  rows: new StockImportStore(database),
  inventory: new InventoryStore(database),
  filaments: new FilamentStore(database),
  stock: new StockStore(database),
  ledger: createLedger(database),
});

export function createObservedPrintService(
  prints: PrintListStore,
  slots: PrinterSlotStore,
  parts: PartsOfJobService,
  { spool }: Pick<InventoryLookUps, 'spool'>,
) {
  return new ObservedPrintService(prints, (id) => slots.stateOfPrinter.load(id), parts, {
    loadsBetween: (printerId, since, until) => slots.loadsBetween(printerId, since, until),
    spool,
  });
}

/** Reads for the messages of alerts why a print waits. */
class PrintWaitingReasons implements WaitingReasons {
  constructor(private readonly prints: ObservedPrintService) {}

  async findReason(printId: string): Promise<string | null> {
    const print = await this.prints.byId(printId);
    // The alert itself says that the outcome is missing.
    return print !== null && findWait(print) === 'SPOOL' ? this.prints.explainWait(print) : null;
  }
}

export const createAlertService = (
  database: Queryable,
  prints: ObservedPrintService,
  recordingStates: readonly string[],
) =>
  new AlertService(
    new AlertStore(database, recordingStates),
    new SilenceStore(database),
    new PrintWaitingReasons(prints),
  );

/** Makes the alert services of the process that reports alerts, each on the database or on a transaction. */
export class AlertServices implements AlertServiceFactory {
  constructor(private readonly recordingStates: readonly string[]) {}

  createOn(database: Queryable): AlertService {
    const lookUps = createInventoryLookUps(new InventoryStore(database));
    const { parts } = createJobServices(database, lookUps);
    const prints = createObservedPrintService(
      new PrintListStore(database),
      new PrinterSlotStore(database),
      parts,
      lookUps,
    );
    return createAlertService(database, prints, this.recordingStates);
  }
}

/** Builds the service that reads the current states of the farm, which are published to MQTT brokers. */
export function createFarmStates(database: Queryable): FarmStatesService {
  const states = new PrinterStateService(
    new PrinterStateStore(database),
    createInventoryLookUps(new InventoryStore(database)),
  );
  return new FarmStatesService(new FarmStatesStore(database), (id, now) => states.ofPrinter(id, now));
}

/** Builds what the collector needs to store a status record of a camera. */
export const createCameraRecords = (database: Queryable) => ({
  cameras: new CameraService(new CameraStore(database), new StatusLogStore(database)),
  isHolder: (lease: Lease) => isHolder(database, lease),
});
