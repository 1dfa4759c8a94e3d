// The composition root: the one place where the parts of the gateway are made and handed to each other.
// Decorators write to it while the classes below are loaded, so it comes before them.
import 'reflect-metadata';

import type { FastifyInstance } from 'fastify';
import { CameraResolver } from './cameras/camera.resolver';
import { CameraService } from './cameras/camera.service';
import { CameraStore } from './cameras/camera.store';
import type { Config } from './config';
import { type Database, openDatabase } from './database/database';
import type { Loaders } from './graphql/context';
import { buildGraph } from './graphql/schema';
import { createGraphServer } from './graphql/server';
import { createHttpServer } from './http/server';
import { InventoryResolver } from './inventory/inventory.resolver';
import { InventoryService } from './inventory/inventory.service';
import { InventoryStore } from './inventory/inventory.store';
import { createLog } from './observability/log';
import { PrinterJobsResolver, PrintJobResolver, SpoolJobsResolver } from './print-jobs/print-job.resolver';
import { PrintJobService } from './print-jobs/print-job.service';
import { PrintJobStore } from './print-jobs/print-job.store';
import { restRoutes } from './rest/routes';
import { camel, pascal } from './rest/shapes';

export interface App {
  /** The same database that requests use. */
  readonly database: Database;
  /** Answers the URL that it listens at. */
  listen(): Promise<string>;
  /** A request without a socket. */
  inject: FastifyInstance['inject'];
  /** Finishes what is in flight, then closes the database. */
  close(): Promise<void>;
}

export async function createApp(config: Config): Promise<App> {
  const log = createLog(config.logLevel);
  const database = await openDatabase(config.database);
  try {
    const cameras = new CameraStore(database);
    const inventory = new InventoryStore(database);
    const jobs = new PrintJobStore(database);
    const loaders: Loaders = {
      camera: cameras.byId,
      material: inventory.material,
      printer: inventory.printer,
      spool: inventory.spool,
      printJob: jobs.byId,
    };
    const jobService = new PrintJobService(jobs, {
      printer: (id) => loaders.printer.load(id),
      spool: (id) => loaders.spool.load(id),
    });
    const cameraResolver = new CameraResolver(new CameraService(cameras));
    const jobResolver = new PrintJobResolver(jobService);
    const schema = buildGraph(
      new Map<unknown, unknown>([
        [CameraResolver, cameraResolver],
        [PrintJobResolver, jobResolver],
        [PrinterJobsResolver, new PrinterJobsResolver(jobService)],
        [SpoolJobsResolver, new SpoolJobsResolver(jobService)],
        [InventoryResolver, new InventoryResolver(new InventoryService(inventory))],
      ]),
    );
    const graph = createGraphServer(schema, log);
    await graph.start();
    const http = createHttpServer({
      config,
      log,
      graph,
      routes: restRoutes(cameraResolver, jobResolver, config.printJobCasing === 'camel' ? camel : pascal),
      loaders,
      ready: () => database.ping(),
    });
    await http.ready();
    return {
      database,
      listen: () => http.listen({ host: config.host, port: config.port }),
      inject: http.inject.bind(http) as FastifyInstance['inject'],
      async close() {
        await http.close();
        await graph.stop();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
