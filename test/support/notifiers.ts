// Creates notifiers as gateways do, on the database of a test, which runs their steps itself.
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

/** Sends to receivers on this machine. An attempt that fails because of a mistake in the gateway fails the test. */
export const createSender = (brokers: { send: BrokerRegistry['send'] }) =>
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

/** Reports nothing, has no broker, and fails the test on an error. */
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

/** @param parts replace the parts of the gateway */
export const createNotifier = (database: Database, parts: Partial<NotifierParts> = {}): Notifier =>
  new Notifier({
    leases: new LeaseStore(database),
    store: new NotifierStore(database),
    ...WITHOUT_EVENTS,
    sender: createSender({ send: async () => undefined }),
    ...parts,
  });

/** Adds a webhook, and answers the secret with which it signs. */
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
