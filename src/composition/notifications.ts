// Makes the part that sends notifications: to webhooks, ntfy and MQTT brokers.

import { Unavailable } from '../errors';
import { Notifier } from '../notifications/deliveries/notifier';
import { NotifierStore } from '../notifications/deliveries/notifier.store';
import { AlertReporter } from '../notifications/events/alert-reporter';
import { PrintReporter } from '../notifications/events/print-reporter';
import { BrokerRegistry } from '../notifications/mqtt/broker-registry';
import { Sender } from '../notifications/sender';
import { TargetStore } from '../notifications/target.store';
import { AlertServices, createFarmStates } from '../services';
import { LeaseStore } from '../sharing/lease';
import { createNetwork, Reach } from '../wire/networks';
import type { Foundation } from './foundation';

/** Receivers of notifications may be anywhere on the internet. */
const EVERYWHERE = ['0.0.0.0/0', '::/0'];

export function createNotifications({ config, log, database, secrets, network }: Foundation) {
  const { publicUrl, hosts } = config.notifications;
  const internet = createNetwork({ allowed: EVERYWHERE, gatewayPort: config.port || null });
  const reach = new Reach(network, internet, hosts);
  const farmStates = createFarmStates(database);
  const brokers = new BrokerRegistry({
    store: new TargetStore(database),
    secrets,
    reach,
    publicUrl,
    readStates: (now) => farmStates.read(now),
  });
  const sender = new Sender({ reach, brokers, secrets, log });
  const alertServices = new AlertServices(config.recordingStates);
  const notifier = new Notifier({
    leases: new LeaseStore(database),
    brokers,
    store: new NotifierStore(database),
    sender,
    publicUrl,
    reporters: {
      prints: new PrintReporter({ database, alertServices, currency: config.currency }),
      alerts: new AlertReporter(database, alertServices),
    },
    logReportFailure(part, err) {
      if (!(err instanceof Unavailable))
        log.error({ err, part }, 'Events could not be turned into notifications. The gateway tries again.');
    },
    logFailure(err) {
      if (!(err instanceof Unavailable))
        log.error({ err }, 'Notifications could not be delivered. The gateway tries again in a second.');
    },
  });
  return { reach, sender, notifier };
}
