// Creates the parts of the gateway in order, starts them, and closes them. reflect-metadata is imported first, because the
// decorators of the GraphQL classes use it.
import 'reflect-metadata';

import type { FastifyInstance } from 'fastify';
import { createClientDoors } from './composition/clients';
import { createCollector } from './composition/collector';
import { createFoundation, TIMES } from './composition/foundation';
import { createNotifications } from './composition/notifications';
import { type Config, ConfigError } from './config';
import { type Database, openDatabase } from './database/database';
import type { ReportStep } from './database/driver/driver';
import { findUnfitOperations, listOperationNames } from './doors/graphql/persisted-operations';
import { listenFailure, listenOptions } from './doors/http/http-server';
import { IdempotencyService } from './doors/idempotency/idempotency.service';
import { TagScans } from './doors/spoolman/tag-scans';
import { maintainEveryHour } from './farm/maintenance';
import { MAX_EMBEDDED_REPORT_PRICE } from './farm/reports/usage.service';
import { SpoolmanImporter } from './farm/spoolman-import/spoolman-importer';
import { HeldDeviceStore } from './machines/collector/held-device.store';
import { createLog } from './observability/log';
import { Metrics } from './observability/metrics';
import { Observer } from './observability/observer';
import { Tracing } from './observability/tracing';
import { createFarm, FarmInTransaction } from './resolvers';
import { buildGraph } from './schema';
import { createOpenReports } from './services';

export interface App {
  readonly database: Database;
  /** Returns the URL of the gateway. */
  listen(): Promise<string>;
  /** Collects from machines without serving clients. Returns the URL of the probes, or null when no port is set for them. */
  collect(): Promise<string | null>;
  /** Sends a request without a socket, for tests. */
  inject: FastifyInstance['inject'];
  /** Finishes the running requests, then closes the database. */
  close(): Promise<void>;
}

/**
 * @param doors whether the gateway serves clients, or only the health probes, as the command `collect` does
 * @param reportStep is called before each step of the start that takes long
 */
export async function createApp(
  config: Config,
  doors: 'CLIENTS' | 'PROBES' = 'CLIENTS',
  times = TIMES,
  reportStep: ReportStep = () => {},
): Promise<App> {
  const log = createLog(config.logLevel);
  // An identity provider signs the tokens for all its services with the same keys.
  if (config.auth.tokens?.audience === null)
    log.warn(
      'The gateway also accepts tokens that the identity provider issued for other services. Set JWT_AUDIENCE to accept only its own.',
    );
  const schema = buildGraph();
  const unfit = findUnfitOperations(schema, config.graph.operations);
  if (unfit.length > 0) throw new ConfigError(unfit);
  const metrics = new Metrics(listOperationNames(config.graph.operations));
  const tracing = config.tracesUrl === null ? undefined : await Tracing.open(config.tracesUrl);
  const observer = new Observer(log, metrics, tracing);
  const database = await openDatabase(config.database, observer, config.budget, reportStep);
  try {
    const foundation = createFoundation({ config, times, log, observer, metrics, database });
    const { changes, secrets, network } = foundation;
    // No other process can use the embedded database, so leases that remain are those of an earlier run.
    if (config.database.kind !== 'server') await new HeldDeviceStore(database).releaseAll();
    const { reach, sender, notifier } = createNotifications(foundation);
    const collector = createCollector(foundation);
    const spoolmanImporter = new SpoolmanImporter(database, network, log);
    if (config.database.kind !== 'server') await spoolmanImporter.failAbandoned();
    const openReports = createOpenReports(database);
    const tagScans = new TagScans();
    const settings = {
      openReports,
      tagScans,
      notifications: { reach, sender, notifier },
      devices: { secrets, network },
      spoolmanImporter,
      currency: config.currency,
      publicUrl: config.notifications.publicUrl,
      recordingStates: config.recordingStates,
      maxReportPrice: config.database.kind === 'server' ? null : MAX_EMBEDDED_REPORT_PRICE,
      keepsThumbnails: config.devices.thumbnails,
      filmsAtATime: config.database.kind === 'server' ? Number.POSITIVE_INFINITY : 1,
    };
    const farm = createFarm(database, settings);
    await changes.align();
    const idempotency = new IdempotencyService(database, new FarmInTransaction(settings));
    const clientDoors = { doors, schema, farm, idempotency, collector, notifier, tagScans };
    const { http, close } = await createClientDoors(foundation, clientDoors);
    const maintenance = maintainEveryHour({ idempotency, farm, changes, database, log }, config);
    await maintenance.first;
    const listen = (port: number) =>
      http.listen(listenOptions(config.http.host, port)).catch((error) => {
        throw listenFailure(error, config.http.host, port);
      });
    return {
      database,
      async listen() {
        const url = await listen(config.port);
        if (config.devices.collect) collector.start();
        if (config.notifications.send) notifier.start();
        return url;
      },
      async collect() {
        const url = config.probePort === null ? null : await listen(config.probePort);
        collector.start();
        if (config.notifications.send) notifier.start();
        return url;
      },
      inject: http.inject.bind(http) as FastifyInstance['inject'],
      async close() {
        maintenance.stop();
        await Promise.all([collector.close(), notifier.close(), spoolmanImporter.close()]);
        await close();
        await openReports.close();
        await database.close();
        await tracing?.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
