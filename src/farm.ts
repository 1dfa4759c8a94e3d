// The domains over one database: their stores, services and resolvers, made and handed to each other.
import { AlertResolver } from './alerts/alert.resolver';
import { AlertService } from './alerts/alert.service';
import { AlertStore } from './alerts/alert.store';
import { CameraResolver, CameraStatusResolver } from './cameras/camera.resolver';
import { CameraService } from './cameras/camera.service';
import { CameraStore } from './cameras/camera.store';
import { CameraHealthResolver } from './cameras/health.resolver';
import { HealthService } from './cameras/health.service';
import { HealthStore } from './cameras/health.store';
import { StatusLogStore } from './cameras/status-log.store';
import {
  ChangeResolver,
  JobChangedResolver,
  OBJECT_RESOLVERS,
  StatusRecordedResolver,
} from './changes/change.resolver';
import { ChangeService } from './changes/change.service';
import { ChangeStore } from './changes/change.store';
import type { Queryable } from './database/database';
import type { Resolvers } from './graph/context';
import { InventoryResolver } from './inventory/inventory.resolver';
import { InventoryService } from './inventory/inventory.service';
import { InventoryStore } from './inventory/inventory.store';
import type { FarmFigures } from './observability/metrics';
import { PrinterJobsResolver, PrintJobResolver, SpoolJobsResolver } from './print-jobs/print-job.resolver';
import { PrintJobService } from './print-jobs/print-job.service';
import { PrintJobStore } from './print-jobs/print-job.store';

export interface Farm {
  readonly resolvers: Resolvers;
  /** The figures of the farm, for its metrics. */
  figures(now: string): Promise<FarmFigures>;
}

export function farmOn(database: Queryable): Farm {
  const inventory = new InventoryStore(database);
  const cameras = new CameraService(new CameraStore(database), new StatusLogStore(database));
  const jobs = new PrintJobService(new PrintJobStore(database), {
    printer: (id) => inventory.printer.load(id),
    spool: (id) => inventory.spool.load(id),
  });
  const lookUps = {
    camera: (id: string) => cameras.byId(id),
    existingCamera: (id: string) => cameras.existing(id),
    printJob: (id: string) => jobs.byId(id),
    printer: (id: string) => inventory.printer.load(id),
    spool: (id: string) => inventory.spool.load(id),
    material: (id: string) => inventory.material.load(id),
  };
  const resolvers = [
    new ChangeResolver(new ChangeService(new ChangeStore(database))),
    new StatusRecordedResolver(lookUps),
    new JobChangedResolver(),
    ...OBJECT_RESOLVERS.map((type) => new type(lookUps)),
    new CameraResolver(cameras),
    new CameraStatusResolver(cameras),
    new CameraHealthResolver(new HealthService(new HealthStore(database))),
    new PrintJobResolver(jobs),
    new PrinterJobsResolver(jobs),
    new SpoolJobsResolver(jobs),
    new InventoryResolver(new InventoryService(inventory)),
    new AlertResolver(new AlertService(new AlertStore(database)), lookUps),
  ];
  return {
    resolvers: new Map<unknown, unknown>(resolvers.map((one) => [one.constructor, one])) as Resolvers,
    async figures(now) {
      const [states, statuses, days] = await Promise.all([
        cameras.countByLiveness(now),
        jobs.countByStatus(),
        jobs.completedByDay(now),
      ]);
      return { cameras: states, jobs: statuses, days };
    },
  };
}
