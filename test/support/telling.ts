// Notifiers as gateways make them, on a database of the test, whose steps the test takes.
import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/database/database';
import { Notifier, type NotifierParts } from '../../src/notifications/deliveries/notifier';
import { NotifierStore } from '../../src/notifications/deliveries/notifier.store';
import type { BrokerRegistry } from '../../src/notifications/mqtt/broker-registry';
import { Sender } from '../../src/notifications/sender';
import { generateSigningSecret } from '../../src/notifications/webhook';
import { LeaseStore } from '../../src/sharing/lease';
import { createNetwork, Reach } from '../../src/wire/networks';
import { Secrets } from '../../src/wire/secrets';

const SECRETS = new Secrets(Buffer.alloc(32, 7), { kind: 'memory' });
const LOOPBACK = createNetwork({ allowed: [], gatewayPort: null });

/** To receivers of this machine. A try that fails because of a mistake in the gateway fails the test. */
export const senderOn = (brokers: { send: BrokerRegistry['send'] }) =>
  new Sender({
    reach: new Reach(LOOPBACK, LOOPBACK, []),
    brokers,
    secrets: SECRETS,
    log: {
      error(fault: object) {
        throw new Error(JSON.stringify(fault));
      },
    },
  });

/** Nothing is reported, no broker is there, and an error fails the test. */
export const WITHOUT_EVENTS: Omit<NotifierParts, 'leases' | 'store' | 'sender'> = {
  reporters: { prints: { report: async () => 0 }, alerts: { report: async () => 0 } },
  brokers: { step: async () => undefined, stop: async () => undefined },
  publicUrl: null,
  logReportFailure(_, error) {
    throw error;
  },
  logFailure(error) {
    throw error;
  },
};

/** @param parts replace those of the gateway */
export const notifierOn = (database: Database, parts: Partial<NotifierParts> = {}): Notifier =>
  new Notifier({
    leases: new LeaseStore(database),
    store: new NotifierStore(database),
    ...WITHOUT_EVENTS,
    sender: senderOn({ send: async () => undefined }),
    ...parts,
  });

/** A webhook, with the secret that it signs with. */
export async function makeTarget(database: Database, url: string, members: object = {}) {
  const [id, secret] = [randomUUID(), generateSigningSecret()];
  const sealed = { id, kind: 'WEBHOOK', address: url, certificateFingerprint: null };
  await database.prisma.notificationTarget.create({
    data: {
      id,
      kind: 'WEBHOOK',
      name: 'Home',
      url,
      secret: SECRETS.encrypt(secret, sealed),
      events: ['PRINT_ENDED'],
      minimumSeverity: 'WARNING',
      createdAt: new Date(),
      updatedAt: new Date(),
      ...members,
    },
  });
  return { id, secret, sealed: (text: string) => SECRETS.encrypt(text, sealed) };
}
