// The domains over one database: their stores, services and resolvers, made and handed to each other.

import type { Queryable } from './database/queryable';
import { EntityResolver } from './doors/federation/entity.resolver';
import { ALERT_LINKS, AlertResolver } from './farm/alerts/alert.resolver';
import { AlertService } from './farm/alerts/alert.service';
import { AlertStore } from './farm/alerts/alert.store';
import { SilenceStore } from './farm/alerts/silence.store';
import {
  CAMERA_LINKS,
  CameraResolver,
  CameraStatusResolver,
  PrinterCamerasResolver,
} from './farm/cameras/camera.resolver';
import { CameraService } from './farm/cameras/camera.service';
import { CameraStore } from './farm/cameras/camera.store';
import { CameraHealthResolver } from './farm/cameras/health.resolver';
import { HealthService } from './farm/cameras/health.service';
import { HealthStore } from './farm/cameras/health.store';
import { StatusLogStore } from './farm/cameras/status-log.store';
import {
  CHANGE_LINKS,
  ChangeResolver,
  JobChangedResolver,
  StatusRecordedResolver,
} from './farm/changes/change.resolver';
import { ChangeService } from './farm/changes/change.service';
import { ChangeStore } from './farm/changes/change.store';
import { DeviceDuplicateService, duplicateDevices } from './farm/devices/device.duplicate.service';
import {
  CameraDeviceResolver,
  DEVICE_LINKS,
  DeviceConnectionResolver,
  DeviceResolver,
  PrinterDeviceResolver,
} from './farm/devices/device.resolver';
import { DeviceService } from './farm/devices/device.service';
import { DeviceStore } from './farm/devices/device.store';
import { CameraWatchesResolver, FILMING_LINKS, JobFilmingResolver } from './farm/filming/filming.resolver';
import { FilmingService } from './farm/filming/filming.service';
import { FilmingStore } from './farm/filming/filming.store';
import type { Resolvers } from './farm/graph/context';
import { type NodeLookUps, NodeResolver } from './farm/graph/node';
import { ViewerResolver } from './farm/graph/viewer';
import { FilamentResolver, SpoolFilamentLink } from './farm/inventory/filament.resolver';
import { FilamentService } from './farm/inventory/filament.service';
import { FilamentStore } from './farm/inventory/filament.store';
import { InventoryResolver } from './farm/inventory/inventory.resolver';
import { InventoryService } from './farm/inventory/inventory.service';
import { InventoryStore } from './farm/inventory/inventory.store';
import { PrinterSlotsResolver, SLOT_LINKS, SpoolSlotResolver } from './farm/inventory/slot.resolver';
import { SlotService } from './farm/inventory/slot.service';
import { SlotStore } from './farm/inventory/slot.store';
import { addSlots, SlotChangeStore } from './farm/inventory/slot-change.store';
import { PrinterJobsResolver, PrintJobResolver, SpoolJobsResolver } from './farm/print-jobs/print-job.resolver';
import { PrintJobService } from './farm/print-jobs/print-job.service';
import { PrintJobStore } from './farm/print-jobs/print-job.store';
import { PrintJobPartsResolver } from './farm/print-jobs/print-job-part.resolver';
import { PrintJobPartService } from './farm/print-jobs/print-job-part.service';
import { PrintJobPartStore } from './farm/print-jobs/print-job-part.store';
import { PrintPlanResolver } from './farm/print-plans/print-plan.resolver';
import { PrintPlanService } from './farm/print-plans/print-plan.service';
import { PrintPlanStore } from './farm/print-plans/print-plan.store';
import { PrinterStateResolver, STATE_LINKS } from './farm/printer-states/printer-state.resolver';
import { PrinterStateService } from './farm/printer-states/printer-state.service';
import { PrinterStateStore } from './farm/printer-states/printer-state.store';
import { DevicePrintsStore } from './farm/prints/device-prints.store';
import {
  JobPrintResolver,
  ObservedPrintResolver,
  PartBasisResolver,
  PRINT_LINKS,
  PrintDecisionsResolver,
  PrinterPrintsResolver,
} from './farm/prints/observed-print.resolver';
import { ObservedPrintService } from './farm/prints/observed-print.service';
import { ObservedPrintStore } from './farm/prints/observed-print.store';
import { PrintStore } from './farm/prints/print.store';
import type { InTransaction, Prints } from './farm/prints/prints.context';
import { SightingStore } from './farm/prints/sighting.store';
import { bookAgain } from './farm/prints/spools-of-print.service';
import { usedSoFar } from './farm/prints/used-so-far.service';
import { USAGE_LINKS, UsageResolver } from './farm/reports/usage.resolver';
import { UsageService } from './farm/reports/usage.service';
import { UsageStore } from './farm/reports/usage.store';
import { AdjustmentResolver, AdjustmentSpoolLink } from './farm/stock/adjustment.resolver';
import { AdjustmentService, type Ledger } from './farm/stock/adjustment.service';
import { AdjustmentStore } from './farm/stock/adjustment.store';
import { FilamentStockResolver, SpoolStockResolver } from './farm/stock/stock.resolver';
import { StockStore } from './farm/stock/stock.store';
import { SettingsResolver } from './farm/summary/settings.resolver';
import { SummaryResolver } from './farm/summary/summary.resolver';
import { tryDevice } from './machines/trial';
import { DeliveryService } from './notifications/deliveries/delivery.service';
import { DeliveryStore } from './notifications/deliveries/delivery.store';
import { beginAlerts } from './notifications/events/alert-reporter';
import { FarmStatesStore } from './notifications/mqtt/mqtt.store';
import { FarmStatesService } from './notifications/mqtt/states';
import type { Senders } from './notifications/senders';
import { AlertTargetResolver, NotificationTargetResolver } from './notifications/target.resolver';
import { TargetService } from './notifications/target.service';
import { TargetStore } from './notifications/target.store';
import type { FarmFigures } from './observability/metrics';
import { isHolder, type Lease } from './sharing/lease';
import type { Network, Reach } from './wire/networks';
import type { Secrets } from './wire/secrets';

export interface Farm {
  /** The same farm over a transaction. */
  on(transaction: Queryable): Farm;
  readonly resolvers: Resolvers & { keys(): Iterable<abstract new (...parts: never[]) => object> };
  readonly cameras: CameraService;
  /** Makes one row of the counts of jobs with the same key. */
  foldCounts(): Promise<unknown>;
  /** Deletes the plans of slicers that no print would find any more. */
  forgetOldPlans(): Promise<void>;
  /** Deletes what was told long ago. */
  forgetOldNotifications(): Promise<void>;
  /** The figures of the farm, for its metrics. */
  figures(now: string): Promise<FarmFigures>;
}

interface FarmSettings {
  /** Of prices and costs; null for none. */
  currency: string | null;
  /** Where people reach the dashboard, without a slash at its end; null where it was not said. */
  publicUrl: string | null;
  /** What the reports of one request may cost; null for no limit. */
  maxReportPrice: number | null;
  /** The recording states in which a camera records, in lower case. */
  recordingStates: readonly string[];
  /** How many statements read the log for films at a time. */
  filmsAtATime: number;
  devices: { secrets: Secrets; network: Network };
  notifications: {
    reach: Reach;
    senders: Senders;
    /** Targets are others, or something waits for one. */
    changed(): void;
  };
}

const LINKS = [
  ...ALERT_LINKS,
  ...CAMERA_LINKS,
  ...CHANGE_LINKS,
  ...DEVICE_LINKS,
  ...FILMING_LINKS,
  ...PRINT_LINKS,
  ...SLOT_LINKS,
  AdjustmentSpoolLink,
  AdjustmentSpoolLink,
  SpoolFilamentLink,
  ...STATE_LINKS,
  ...USAGE_LINKS,
];

export function farmOn(database: Queryable, settings: FarmSettings): Farm {
  const inventory = new InventoryStore(database);
  const ofInventory = lookUpsIn(inventory);
  const filmingStore = new FilmingStore(database, settings.recordingStates, settings.filmsAtATime);
  const cameras = camerasOn(database, (...given) => filmingStore.fixOfCamera(...given));
  const filming = new FilmingService(filmingStore);
  const { jobStore, jobs, parts } = jobsOn(database, ofInventory);
  const slotStore = new SlotStore(database);
  const observed = observedOn(database, slotStore, parts, ofInventory);
  const slots = slotsOn(database, slotStore, ofInventory);
  const owners = { printer: ofInventory.printer, camera: (id: string) => cameras.byId(id) };
  const { secrets, network } = settings.devices;
  const deviceStore = new DeviceStore(database);
  const duplicates = new DeviceDuplicateService(deviceStore, duplicateDevices(network), owners);
  const devices = new DeviceService(deviceStore, secrets, network, owners, duplicates, tryDevice);
  const { reach, senders, changed } = settings.notifications;
  const targetStore = new TargetStore(database);
  const targets = new TargetService(targetStore, secrets, reach, ofInventory.printer, {
    changed,
    begin: (transaction, now) => beginAlerts(transaction, (one) => alertsOn(one, settings.recordingStates), now),
  });
  const deliveryStore = new DeliveryStore(database);
  const deliveries = new DeliveryService(deliveryStore, targetStore, secrets, senders, changed);
  const ofFarm = {
    device: (id: string) => devices.byId(id),
    printJob: (id: string) => jobs.byId(id),
    observedPrint: (id: string) => observed.byId(id),
    notificationTarget: (id: string) => targets.byId(id),
  };
  const nodes: NodeLookUps = {
    Camera: owners.camera,
    CameraStatus: (cameraId: string, recordedAt: string, id: string) => cameras.status(cameraId, recordedAt, id),
    Device: ofFarm.device,
    PrintJob: ofFarm.printJob,
    ObservedPrint: ofFarm.observedPrint,
    Printer: ofInventory.printer,
    Spool: ofInventory.spool,
    Filament: ofInventory.filament,
    Material: ofInventory.material,
    NotificationTarget: ofFarm.notificationTarget,
  };
  const plans = new PrintPlanStore(database);
  const ofThings = new InventoryService(inventory);
  const filaments = new FilamentStore(database);
  const stock = new StockStore(database);
  const usage = new UsageService(new UsageStore(database), settings.maxReportPrice);
  const resolvers = [
    new ChangeResolver(new ChangeService(new ChangeStore(database))),
    new StatusRecordedResolver(cameras),
    new JobChangedResolver(),
    ...LINKS.map((Link) => new Link(nodes)),
    new CameraResolver(cameras),
    new CameraStatusResolver(cameras),
    new CameraHealthResolver(new HealthService(new HealthStore(database))),
    new PrinterCamerasResolver(cameras),
    new CameraWatchesResolver(filming),
    new DeviceResolver(devices),
    new DeviceConnectionResolver(devices),
    new PrinterDeviceResolver(devices),
    new CameraDeviceResolver(devices),
    new PrintJobResolver(jobs),
    new PrintJobPartsResolver(parts),
    new JobFilmingResolver(filming),
    new PrinterJobsResolver(jobs),
    new SpoolJobsResolver(jobs),
    new UsageResolver(usage),
    new SpoolStockResolver(stock),
    new AdjustmentResolver(
      new AdjustmentService((work) => database.transaction((one) => work(ledgerOn(one))), ofInventory),
      new AdjustmentStore(database),
    ),
    new FilamentStockResolver(stock),
    new InventoryResolver(ofThings, inventory),
    new FilamentResolver(new FilamentService(filaments, ofInventory), ofThings, filaments, inventory),
    new PrinterSlotsResolver(slots, slotStore),
    new SpoolSlotResolver(slotStore),
    new ObservedPrintResolver(observed),
    new PrintDecisionsResolver(inPrints(database), observed),
    new PrintPlanResolver(new PrintPlanService(plans)),
    new PrinterPrintsResolver(observed),
    new JobPrintResolver(observed),
    new PartBasisResolver(observed),
    new PrinterStateResolver(new PrinterStateService(new PrinterStateStore(database), ofInventory)),
    new AlertResolver(alertsOver(database, observed, settings.recordingStates)),
    new NodeResolver(nodes),
    new EntityResolver(nodes),
    new NotificationTargetResolver(targets, deliveries),
    new AlertTargetResolver(targets),
    new ViewerResolver(),
    new SettingsResolver(settings.currency, settings.publicUrl),
    new SummaryResolver({
      camerasByLiveness: (now) => cameras.countByLiveness(now),
      inventory: () => inventory.counts(),
      jobsByStatus: () => jobs.countByStatus(),
      busyPrinters: () => jobStore.busyPrinters(),
    }),
  ];
  return {
    on: (transaction) => farmOn(transaction, settings),
    resolvers: new Map<unknown, unknown>(
      resolvers.map((one) => [one.constructor, one]),
    ) as unknown as Farm['resolvers'],
    cameras,
    foldCounts: () => jobStore.foldCounts(),
    forgetOldPlans: () => plans.forgetOld(),
    forgetOldNotifications: () => deliveryStore.forgetOld(),
    async figures(now) {
      const [states, statuses, outcomes, days, notifications] = await Promise.all([
        cameras.countByLiveness(now),
        jobs.countByStatus(),
        observed.countByOutcome(),
        usage.completedByDay(now),
        targetStore.figures(),
      ]);
      return { cameras: states, jobs: statuses, prints: outcomes, days, notifications };
    },
  };
}

type InventoryLookUps = ReturnType<typeof lookUpsIn>;

function jobsOn(database: Queryable, ofInventory: InventoryLookUps) {
  const jobStore = new PrintJobStore(database);
  const partStore = new PrintJobPartStore(database);
  const jobs = new PrintJobService(jobStore, partStore, ofInventory);
  return { jobStore, jobs, parts: new PrintJobPartService(partStore, jobs, ofInventory.spool) };
}

function observedOn(
  database: Queryable,
  slots: SlotStore,
  parts: PrintJobPartService,
  { spool }: Pick<InventoryLookUps, 'spool'>,
) {
  return new ObservedPrintService(new ObservedPrintStore(database), (id) => slots.standingOf.load(id), parts, {
    spans: (printerId, since, until) => slots.loadsBetween(printerId, since, until),
    spool,
  });
}

const alertsOver = (database: Queryable, prints: ObservedPrintService, recordingStates: readonly string[]) =>
  new AlertService(new AlertStore(database, recordingStates), new SilenceStore(database), async (printId) => {
    const print = await prints.byId(printId);
    return print && prints.reasonOf(print);
  });

const slotsOn = (database: Queryable, store: SlotStore, ofInventory: InventoryLookUps) =>
  new SlotService(store, new SlotChangeStore(database), ofInventory, (change, time) =>
    bookAgain(new PrintStore(database), inPrints(database), change, time),
  );

/** The ledger of spools, on a transaction. */
function ledgerOn(database: Queryable): Ledger {
  const inventory = new InventoryStore(database);
  const slots = slotsOn(database, new SlotStore(database), lookUpsIn(inventory));
  return {
    adjustments: new AdjustmentStore(database),
    usedSoFar: (printId, spoolId, time) => usedSoFar(printsOn(database), printId, spoolId, time),
    takeOut: (loadedIn, time) => slots.load({ ...loadedIn, spoolId: null, at: null }, time),
    archive: (spoolId, { now }) => inventory.archive('spool', spoolId, now, now),
  };
}

/** The alerts of the farm, for who tells of them. */
export function alertsOn(database: Queryable, recordingStates: readonly string[]): AlertService {
  const ofInventory = lookUpsIn(new InventoryStore(database));
  const { parts } = jobsOn(database, ofInventory);
  return alertsOver(database, observedOn(database, new SlotStore(database), parts, ofInventory), recordingStates);
}

/** What the farm does now, for who tells brokers. */
export function farmStatesOn(database: Queryable): FarmStatesService {
  const states = new PrinterStateService(new PrinterStateStore(database), lookUpsIn(new InventoryStore(database)));
  return new FarmStatesService(new FarmStatesStore(database), (id, now) => states.ofPrinter(id, now));
}

const lookUpsIn = (inventory: InventoryStore) => ({
  printer: (id: string) => inventory.printer.load(id),
  spool: (id: string) => inventory.spool.load(id),
  filament: (id: string) => inventory.filament.load(id),
  material: (id: string) => inventory.material.load(id),
  links: (printerId: string, spoolId: string | null) => inventory.links(printerId, spoolId),
});

/** What decisions about prints need, and no more: a transaction of a collector makes it. */
export function printsOn(database: Queryable): Prints {
  const { printer, spool, links } = lookUpsIn(new InventoryStore(database));
  const plans = new PrintPlanStore(database);
  const slots = new SlotStore(database);
  const partStore = new PrintJobPartStore(database);
  const jobs = new PrintJobService(new PrintJobStore(database), partStore, { links, spool });
  return {
    rows: new PrintStore(database),
    ofDevice: new DevicePrintsStore(database),
    sightings: new SightingStore(database),
    jobs,
    parts: new PrintJobPartService(partStore, jobs, spool),
    isHolder: (lease) => isHolder(database, lease),
    newestPlan: (keys) => plans.newestOf(keys),
    printer,
    spool,
    spans: (printerId, since, until) => slots.loadsBetween(printerId, since, until),
    addSlots: (printerId, used) => addSlots(database, printerId, used),
  };
}

/** Decisions about prints, each in a transaction of its own. */
export const inPrints =
  (database: Queryable): InTransaction =>
  (work) =>
    database.transaction((one) => work(printsOn(one)));

const camerasOn = (database: Queryable, leave?: ConstructorParameters<typeof CameraStore>[1]) =>
  new CameraService(new CameraStore(database, leave), new StatusLogStore(database));

/** What a record of a camera needs. */
export const recordsOn = (database: Queryable) => ({
  cameras: camerasOn(database),
  isHolder: (lease: Lease) => isHolder(database, lease),
});

/** For what needs the classes of the resolvers alone. */
export const NO_SETTINGS = {
  currency: null,
  publicUrl: null,
  maxReportPrice: null,
  recordingStates: ['recording'],
  filmsAtATime: 1,
  devices: {} as FarmSettings['devices'],
  notifications: {} as FarmSettings['notifications'],
};

/** The classes of the resolvers, for the schema. This farm has no database, because none is needed before a request. */
export const RESOLVERS = [...farmOn({} as Queryable, NO_SETTINGS).resolvers.keys()];
