// The composition root: the one place where the parts of the gateway are made and handed to each other.
// Decorators write to it while the classes below are loaded, so it comes before them.
import 'reflect-metadata';

import type { FastifyInstance } from 'fastify';
import { authentication } from './auth/authentication';
import type { Config } from './config';
import { type Database, openDatabase } from './database/database';
import { farmOn } from './farm';
import { buildGraph } from './graphql/schema';
import { createGraphServer } from './graphql/server';
import { createHttpServer } from './http/server';
import { IdempotencyService } from './idempotency/idempotency.service';
import { createLog, type Log } from './observability/log';
import { Metrics } from './observability/metrics';
import { Observer } from './observability/observer';
import { Tracing } from './observability/tracing';
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
  // A provider signs tokens for whatever else relies on it, with the same keys.
  if (config.auth.tokens?.audience === null) log.warn('tokens made for others are accepted too: set JWT_AUDIENCE');
  const metrics = new Metrics({
    farm: () => farm.figures(new Date().toISOString()),
    pool: () => database.pool(),
  });
  const tracing = config.tracesUrl === null ? undefined : await Tracing.open(config.tracesUrl);
  const observer = new Observer(log, metrics, tracing);
  const database = await openDatabase(config.database, observer, config.http.requestTimeoutMs);
  const farm = farmOn(database);
  try {
    const idempotency = new IdempotencyService(database);
    const graph = createGraphServer(buildGraph(), log, config.graph);
    await graph.start();
    const http = createHttpServer({
      config,
      log,
      observer,
      graph,
      routes: restRoutes(config.printJobCasing === 'camel' ? camel : pascal),
      farm,
      authenticate: authentication(config.auth),
      once: (write, now, work) => idempotency.once(write, now, (transaction) => work(farmOn(transaction))),
      ready: () => database.ping(),
      metrics: () => metrics.text(),
    });
    await http.ready();
    const maintenance = everyHour(async (isStart) => {
      await database.maintain(config.statusRetentionDays);
      // A new process takes 0.6 s for it, which its start need not wait for.
      if (!isStart) await database.vacuum();
    }, log);
    await maintenance.first;
    return {
      database,
      listen: () => http.listen({ host: config.host, port: config.port }),
      inject: http.inject.bind(http) as FastifyInstance['inject'],
      async close() {
        maintenance.stop();
        await http.close();
        await graph.stop();
        await database.close();
        await tracing?.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Tried again after a minute when it fails: somebody may hold a lock on the tables. */
function everyHour(work: (isStart: boolean) => Promise<void>, log: Log): { first: Promise<void>; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const next = (minutes: number) => {
    if (!stopped) timer = setTimeout(() => run(false), minutes * 60_000).unref();
  };
  const run = (isStart: boolean) =>
    work(isStart).then(
      () => next(60),
      (error) => {
        log.warn({ err: error }, 'the maintenance of the database failed and is tried again');
        next(1);
      },
    );
  return {
    first: run(true),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
