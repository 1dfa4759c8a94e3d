// Holds what all parts of the gateway share: settings, log, metrics, database, feed, secrets and networks.

import type { Config } from '../config';
import type { Database } from '../database/database';
import { ChangeStore } from '../farm/changes/change.store';
import { PrinterStateStore } from '../farm/printer-states/printer-state.store';
import type { Log } from '../observability/log';
import type { Metrics } from '../observability/metrics';
import type { Observer } from '../observability/observer';
import { Feed } from '../sharing/feed';
import { createNetwork, type Network } from '../wire/networks';
import { Secrets } from '../wire/secrets';

/** Waiting times that tests make shorter. */
export const TIMES = {
  /** While clients watch the states of printers, the gateway reads all states once in this time. */
  statesMs: 1000,
  /** A request, with its body, must arrive within this time: a body of a megabyte over a line of 280 kbit/s. */
  arrivalMs: 30_000,
};

export interface Foundation {
  config: Config;
  times: typeof TIMES;
  log: Log;
  observer: Observer;
  metrics: Metrics;
  database: Database;
  changes: ChangeStore;
  feed: Feed;
  states: PrinterStateStore;
  secrets: Secrets;
  /** The networks in which machines may be. */
  network: Network;
}

type Opened = Pick<Foundation, 'config' | 'times' | 'log' | 'observer' | 'metrics' | 'database'>;

export function createFoundation(opened: Opened): Foundation {
  const { config, database } = opened;
  const changes = new ChangeStore(database);
  return {
    ...opened,
    changes,
    feed: new Feed(changes),
    states: new PrinterStateStore(database),
    secrets: new Secrets(config.devices.key, config.database),
    network: createNetwork({ allowed: config.devices.networks, gatewayPort: config.port || null }),
  };
}
