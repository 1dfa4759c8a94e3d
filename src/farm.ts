// The domains over one database: their stores, services and resolvers, made and handed to each other.
import { CameraResolver } from './cameras/camera.resolver';
import { CameraService } from './cameras/camera.service';
import { CameraStore } from './cameras/camera.store';
import type { Queryable } from './database/database';
import { InventoryResolver } from './inventory/inventory.resolver';
import { InventoryService } from './inventory/inventory.service';
import { InventoryStore } from './inventory/inventory.store';
import type { FarmFigures } from './observability/metrics';
import { LinkStore } from './print-jobs/link.store';
import { PrinterJobsResolver, PrintJobResolver, SpoolJobsResolver } from './print-jobs/print-job.resolver';
import { PrintJobService } from './print-jobs/print-job.service';
import { PrintJobStore } from './print-jobs/print-job.store';

/** Loaders by what they read. They are shared by all requests and remember nothing. */
export interface Loaders {
  camera: CameraStore['byId'];
  material: InventoryStore['material'];
  printer: InventoryStore['printer'];
  spool: InventoryStore['spool'];
  printJob: PrintJobStore['byId'];
}

export interface Farm {
  readonly cameras: CameraResolver;
  readonly printJobs: PrintJobResolver;
  /** Every resolver that has a service behind it, by its class. */
  readonly resolvers: ReadonlyMap<unknown, unknown>;
  readonly loaders: Loaders;
  /** What it is doing, for its metrics. */
  figures(now: string): Promise<FarmFigures>;
}

export function farmOn(database: Queryable): Farm {
  const cameraStore = new CameraStore(database);
  const inventoryStore = new InventoryStore(database);
  const jobStore = new PrintJobStore(database);
  const loaders: Loaders = {
    camera: cameraStore.byId,
    material: inventoryStore.material,
    printer: inventoryStore.printer,
    spool: inventoryStore.spool,
    printJob: jobStore.byId,
  };
  const jobService = new PrintJobService(jobStore, new LinkStore(database));
  const cameraService = new CameraService(cameraStore);
  const cameras = new CameraResolver(cameraService);
  const printJobs = new PrintJobResolver(jobService);
  const resolvers = new Map<unknown, unknown>([
    [CameraResolver, cameras],
    [PrintJobResolver, printJobs],
    [PrinterJobsResolver, new PrinterJobsResolver(jobService)],
    [SpoolJobsResolver, new SpoolJobsResolver(jobService)],
    [InventoryResolver, new InventoryResolver(new InventoryService(inventoryStore))],
  ]);
  const figures = async (now: string): Promise<FarmFigures> => {
    const [states, jobs, days] = await Promise.all([
      cameraService.countByState(),
      jobService.countByStatus(),
      jobService.completedByDay(now),
    ]);
    return { cameras: states, jobs, days };
  };
  return { cameras, printJobs, resolvers, loaders, figures };
}
