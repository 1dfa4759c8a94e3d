// Builds the resolvers of both interfaces over one database, with the stores and services that they call.

import type { Queryable } from './database/queryable';
import { EntityResolver } from './doors/federation/entity.resolver';
import type { TransactionalResolvers } from './doors/idempotency/idempotency.service';
import { SpoolmanApi } from './doors/spoolman/api';
import { TagScans } from './doors/spoolman/tag-scans';
import { ALERT_LINKS, AlertResolver } from './farm/alerts/alert.resolver';
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
import { createDuplicates, DeviceDuplicateService } from './farm/devices/device.duplicate.service';
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
import { FilamentDetailsResolver, SpoolDetailsResolver } from './farm/inventory/details.resolver';
import { DetailStore } from './farm/inventory/details.store';
import { FilamentResolver, SpoolFilamentLink } from './farm/inventory/filament.resolver';
import { FilamentService } from './farm/inventory/filament.service';
import { FilamentStore } from './farm/inventory/filament.store';
import { InventoryResolver } from './farm/inventory/inventory.resolver';
import { InventoryService } from './farm/inventory/inventory.service';
import { InventoryStore } from './farm/inventory/inventory.store';
import { PrinterSlotStore } from './farm/inventory/printer-slot.store';
import { PrinterSlotsResolver, SLOT_LINKS, SpoolSlotResolver } from './farm/inventory/slot.resolver';
import { TagResolver } from './farm/inventory/tag.resolver';
import { TagService } from './farm/inventory/tag.service';
import { TagStore } from './farm/inventory/tag.store';
import { PrinterJobsResolver, PrintJobResolver, SpoolJobsResolver } from './farm/print-jobs/print-job.resolver';
import { PrintJobPartsResolver } from './farm/print-jobs/print-job-part.resolver';
import { PrintPlanResolver } from './farm/print-plans/print-plan.resolver';
import { PrintPlanService } from './farm/print-plans/print-plan.service';
import { PrintPlanStore } from './farm/print-plans/print-plan.store';
import { PrinterStateResolver, STATE_LINKS } from './farm/printer-states/printer-state.resolver';
import { PrinterStateService } from './farm/printer-states/printer-state.service';
import { PrinterStateStore } from './farm/printer-states/printer-state.store';
import { JobSpoolResolver } from './farm/prints/job-spool.resolver';
import {
  JobPrintResolver,
  ObservedPrintResolver,
  PartBasisResolver,
  PRINT_LINKS,
  PrinterPrintsResolver,
} from './farm/prints/observed-print.resolver';
import { PrintDecisionsResolver } from './farm/prints/print-decisions.resolver';
import { PrintListStore } from './farm/prints/print-lists.store';
import { createPrintTransactions } from './farm/prints/prints.transaction';
import { ThumbnailResolver } from './farm/prints/thumbnail.resolver';
import { ThumbnailStore } from './farm/prints/thumbnail.store';
import { OpenReports } from './farm/reported-uses/open-reports';
import { ReportedUseResolver } from './farm/reported-uses/reported-use.resolver';
import { ReportedUseService } from './farm/reported-uses/reported-use.service';
import { ReportedUseStore } from './farm/reported-uses/reported-use.store';
import { USAGE_LINKS, UsageResolver } from './farm/reports/usage.resolver';
import { UsageService } from './farm/reports/usage.service';
import { UsageStore } from './farm/reports/usage.store';
import { SpoolmanImportResolver } from './farm/spoolman-import/spoolman-import.resolver';
import { SpoolmanImportService } from './farm/spoolman-import/spoolman-import.service';
import { SpoolmanImportStore } from './farm/spoolman-import/spoolman-import.store';
import type { SpoolmanImporter } from './farm/spoolman-import/spoolman-importer';
import { AdjustmentResolver, AdjustmentSpoolLink } from './farm/stock/adjustment.resolver';
import { AdjustmentService } from './farm/stock/adjustment.service';
import { AdjustmentStore } from './farm/stock/adjustment.store';
import { FilamentStockResolver, SpoolStockResolver } from './farm/stock/stock.resolver';
import { StockStore } from './farm/stock/stock.store';
import { StockImportResolver } from './farm/stock/stock-import.resolver';
import { StockImportService } from './farm/stock/stock-import.service';
import { SettingsResolver } from './farm/summary/settings.resolver';
import { SummaryResolver } from './farm/summary/summary.resolver';
import { MachineTester } from './machines/trial';
import { DeliveryService } from './notifications/deliveries/delivery.service';
import { DeliveryStore } from './notifications/deliveries/delivery.store';
import { AlertBaseline } from './notifications/events/alert-baseline';
import type { NotifierWaker } from './notifications/notifier-waker';
import type { Sender } from './notifications/sender';
import { AlertTargetResolver, NotificationTargetResolver } from './notifications/target.resolver';
import { TargetService } from './notifications/target.service';
import { TargetStore } from './notifications/target.store';
import type { FarmFigures } from './observability/metrics';
import {
  AlertServices,
  createAlertService,
  createImport,
  createInventoryLookUps,
  createJobServices,
  createLedger,
  createObservedPrintService,
  createSpoolLoadingService,
  createSpoolmanParts,
} from './services';
import type { Network, Reach } from './wire/networks';
import type { Secrets } from './wire/secrets';

export interface Farm {
  readonly resolvers: Resolvers & { keys(): Iterable<abstract new (...parts: never[]) => object> };
  readonly cameras: CameraService;
  /** Merges the rows that count jobs with the same key into one row, so that counting stays fast. */
  foldCounts(): Promise<unknown>;
  /** Deletes slicer plans that are too old for any print to find. */
  forgetOldPlans(): Promise<void>;
  /** Deletes old notifications. */
  forgetOldNotifications(): Promise<void>;
  /** Deletes previews of imports that can no longer be written. */
  forgetOldImports(): Promise<void>;
  /** Deletes old reports of other programs that do not count. */
  forgetOldReports(): Promise<void>;
  /** Reads the figures of the farm for its metrics. */
  figures(now: string): Promise<FarmFigures>;
}

interface FarmSettings {
  /** The currency of prices and costs; null for none. */
  currency: string | null;
  /** The URL of the dashboard without a slash at the end (PUBLIC_URL); null if it is not set. */
  publicUrl: string | null;
  /** The highest price of the reports of one request; null for no limit. */
  maxReportPrice: number | null;
  /** The values of a camera's recording state that mean it is recording, in lower case. */
  recordingStates: readonly string[];
  /** How many statements may read the status log for films at the same time. */
  filmsAtATime: number;
  /** Whether the preview pictures of slicers are stored. */
  keepsThumbnails: boolean;
  /** The reports that this process is answering. */
  openReports: OpenReports;
  /** The scans of tags that this process received. */
  tagScans: TagScans;
  devices: { secrets: Secrets; network: Network };
  /** Works on imports from Spoolman in the background. */
  spoolmanImporter: SpoolmanImporter;
  notifications: {
    reach: Reach;
    sender: Sender;
    notifier: NotifierWaker;
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
  SpoolFilamentLink,
  ...STATE_LINKS,
  ...USAGE_LINKS,
];

export function createFarm(database: Queryable, settings: FarmSettings): Farm {
  const inventory = new InventoryStore(database);
  const inventoryLookUps = createInventoryLookUps(inventory);
  const filmingStore = new FilmingStore(database, settings.recordingStates, settings.filmsAtATime);
  const cameraStore = new CameraStore(database, filmingStore);
  const statusLog = new StatusLogStore(database);
  const cameras = new CameraService(cameraStore, statusLog);
  const filming = new FilmingService(filmingStore);
  const { jobPages, jobs, parts } = createJobServices(database, inventoryLookUps);
  const slotStore = new PrinterSlotStore(database);
  const printStore = new PrintListStore(database);
  const observed = createObservedPrintService(printStore, slotStore, parts, inventoryLookUps);
  const slots = createSpoolLoadingService(database, slotStore, inventoryLookUps);
  const owners = { printer: inventoryLookUps.printer, camera: (id: string) => cameras.byId(id) };
  const { secrets, network } = settings.devices;
  const deviceStore = new DeviceStore(database);
  const duplicates = new DeviceDuplicateService(deviceStore, createDuplicates(network), owners);
  const devices = new DeviceService(deviceStore, secrets, network, owners, duplicates, new MachineTester());
  const { reach, sender, notifier } = settings.notifications;
  const targetStore = new TargetStore(database);
  const alertBaseline = new AlertBaseline(new AlertServices(settings.recordingStates));
  const targets = new TargetService(targetStore, secrets, reach, inventoryLookUps.printer, notifier, alertBaseline);
  const deliveryStore = new DeliveryStore(database);
  const deliveries = new DeliveryService(deliveryStore, targetStore, sender, notifier);
  const farmLookUps = {
    device: (id: string) => devices.byId(id),
    printJob: (id: string) => jobs.byId(id),
    observedPrint: (id: string) => observed.byId(id),
    notificationTarget: (id: string) => targets.byId(id),
  };
  const nodes: NodeLookUps = {
    Camera: owners.camera,
    CameraStatus: (cameraId: string, recordedAt: string, id: string) =>
      statusLog.byKey.load({ cameraId, recordedAt, id }),
    Device: farmLookUps.device,
    PrintJob: farmLookUps.printJob,
    ObservedPrint: farmLookUps.observedPrint,
    Printer: inventoryLookUps.printer,
    Spool: inventoryLookUps.spool,
    Filament: inventoryLookUps.filament,
    Material: inventoryLookUps.material,
    NotificationTarget: farmLookUps.notificationTarget,
  };
  const plans = new PrintPlanStore(database);
  const inventoryService = new InventoryService(inventory);
  const filaments = new FilamentStore(database);
  const details = new DetailStore(database);
  const stock = new StockStore(database);
  const reportedUseStore = new ReportedUseStore(database, settings.openReports);
  const reportedUses = new ReportedUseService(reportedUseStore, settings.openReports);
  const usage = new UsageService(new UsageStore(database), settings.maxReportPrice);
  const resolvers = [
    new ChangeResolver(new ChangeService(new ChangeStore(database))),
    new StatusRecordedResolver(cameras),
    new JobChangedResolver(),
    ...LINKS.map((Link) => new Link(nodes)),
    new CameraResolver(cameras),
    new CameraStatusResolver(cameras),
    new CameraHealthResolver(new HealthService(new HealthStore(database))),
    new PrinterCamerasResolver(cameraStore),
    new CameraWatchesResolver(filming),
    new DeviceResolver(devices, deviceStore),
    new DeviceConnectionResolver(devices),
    new PrinterDeviceResolver(deviceStore),
    new CameraDeviceResolver(deviceStore),
    new PrintJobResolver(jobs),
    new PrintJobPartsResolver(parts),
    new JobFilmingResolver(filming),
    new PrinterJobsResolver(jobs),
    new SpoolJobsResolver(jobs),
    new UsageResolver(usage),
    new SpoolStockResolver(stock),
    new ReportedUseResolver(reportedUseStore),
    new AdjustmentResolver(
      new AdjustmentService((work) => database.transaction((one) => work(createLedger(one))), inventoryLookUps),
      new AdjustmentStore(database),
    ),
    new FilamentStockResolver(stock),
    new StockImportResolver(
      new StockImportService((work) => database.transaction((one) => work(createImport(one))), settings.currency),
    ),
    new SpoolmanImportResolver(
      new SpoolmanImportService(new SpoolmanImportStore(database), settings.spoolmanImporter, network),
    ),
    new InventoryResolver(inventoryService, inventory),
    new FilamentResolver(new FilamentService(filaments, inventoryLookUps), inventoryService, filaments, inventory),
    new SpoolDetailsResolver(details),
    new FilamentDetailsResolver(details),
    new TagResolver(new TagService(new TagStore(database), inventoryLookUps)),
    new PrinterSlotsResolver(slots, slotStore),
    new SpoolSlotResolver(slotStore),
    new ObservedPrintResolver(observed, printStore),
    new PrintDecisionsResolver(createPrintTransactions(database), observed),
    new JobSpoolResolver(createPrintTransactions(database)),
    new PrintPlanResolver(new PrintPlanService(plans, settings.keepsThumbnails)),
    new PrinterPrintsResolver(observed),
    new JobPrintResolver(observed, printStore),
    new PartBasisResolver(observed),
    new ThumbnailResolver(new ThumbnailStore(database)),
    new PrinterStateResolver(new PrinterStateService(new PrinterStateStore(database), inventoryLookUps)),
    new AlertResolver(createAlertService(database, observed, settings.recordingStates)),
    new NodeResolver(nodes),
    new EntityResolver(nodes),
    new NotificationTargetResolver(targets, deliveries),
    new AlertTargetResolver(targets),
    new ViewerResolver(),
    new SettingsResolver(settings.currency, settings.publicUrl),
    new SpoolmanApi(database, createSpoolmanParts, settings, reportedUses, settings.tagScans),
    new SummaryResolver({
      camerasByLiveness: (now) => cameras.countByLiveness(now),
      inventory: () => inventory.counts(),
      jobsByStatus: () => jobs.countByStatus(),
      busyPrinters: () => jobPages.busyPrinters(),
    }),
  ];
  return {
    resolvers: new Map<unknown, unknown>(
      resolvers.map((one) => [one.constructor, one]),
    ) as unknown as Farm['resolvers'],
    cameras,
    foldCounts: () => jobPages.foldCounts(),
    forgetOldPlans: () => plans.forgetOld(),
    forgetOldNotifications: () => deliveryStore.forgetOld(),
    forgetOldImports: () => settings.spoolmanImporter.forgetOld(),
    forgetOldReports: () => reportedUseStore.forgetOld(),
    async figures(now) {
      const [states, statuses, outcomes, days, notifications] = await Promise.all([
        cameras.countByLiveness(now),
        jobs.countByStatus(),
        printStore.countByOutcome(),
        usage.completedByDay(now),
        targetStore.readFigures(),
      ]);
      return { cameras: states, jobs: statuses, prints: outcomes, days, notifications };
    },
  };
}

/** The resolvers of the farm over the transaction of a write with an idempotency key. */
export class FarmInTransaction implements TransactionalResolvers {
  constructor(private readonly settings: FarmSettings) {}

  inTransaction(transaction: Queryable): Resolvers {
    return createFarm(transaction, this.settings).resolvers;
  }
}

/** Settings for code that needs only the classes of the resolvers, such as the schema. */
export const NO_SETTINGS = {
  currency: null,
  publicUrl: null,
  maxReportPrice: null,
  recordingStates: ['recording'],
  filmsAtATime: 1,
  keepsThumbnails: true,
  openReports: new OpenReports(async () => {}),
  tagScans: new TagScans(),
  devices: {} as FarmSettings['devices'],
  spoolmanImporter: {} as SpoolmanImporter,
  notifications: {} as FarmSettings['notifications'],
};

/** The classes of the resolvers, for the schema. This farm has no database, because the constructors do not use it. */
export const RESOLVERS = [...createFarm({} as Queryable, NO_SETTINGS).resolvers.keys()];
