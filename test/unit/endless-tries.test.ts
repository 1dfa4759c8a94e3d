// An attempt at a receiver that accepts the connection and never answers ends, whatever is garbage-collected or forgotten.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Notifier } from '../../src/notifications/deliveries/notifier';
import type { DueDelivery, NotifierStore } from '../../src/notifications/deliveries/notifier.store';
import type { AttemptOutcome } from '../../src/notifications/deliveries/retries';
import { ATTEMPT_MS } from '../../src/notifications/deliveries/retries';
import { Sender } from '../../src/notifications/sender';
import { generateSigningSecret } from '../../src/notifications/webhook';
import { createTimeoutSignal } from '../../src/values/timers';
import { createNetwork, Reach } from '../../src/wire/networks';
import { Secrets } from '../../src/wire/secrets';
import { closeServers, startTcpServer } from '../support/hostile-machine';
import { WITHOUT_EVENTS } from '../support/notifiers';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

afterEach(closeServers);

test('a signal that only its listener refers to is aborted, whatever is garbage-collected', async () => {
  const outer = new AbortController();
  const aborted = new Promise((done) => createTimeoutSignal(100, outer.signal).addEventListener('abort', done));
  collectGarbage();
  await aborted;
  const early = createTimeoutSignal(1 << 30, outer.signal);
  outer.abort(new Error('over'));
  expect(early.reason).toEqual(new Error('over'));
  expect(createTimeoutSignal(1 << 30, outer.signal).reason).toEqual(new Error('over'));
});

const SECRETS = new Secrets(Buffer.alloc(32, 7), { kind: 'memory' });

/** The store of one delivery that is due until something is written of it. */
function createNotifierFor(url: string, sender: Pick<Sender, 'send'>) {
  const sealed = { id: 't', kind: 'WEBHOOK', address: url, certificateFingerprint: null };
  const secret = SECRETS.encrypt(generateSigningSecret(), sealed);
  const delivery = {
    id: 'd',
    event: 'PRINT_ENDED',
    at: '2026-11-26T12:00:00.000Z',
    severity: null,
    title: 'Print ended',
    text: 'Print cube ended',
    data: {},
    attempts: 0,
    target: { id: 't', kind: 'WEBHOOK', url, username: null, secret, formerSecret: null, certificateFingerprint: null },
  } as unknown as DueDelivery;
  const written: AttemptOutcome[] = [];
  const store = {
    takeLease: async () => ({ isWanted: true, number: 1 }),
    giveUpOld: async () => [],
    countOmitted: async () => [],
    listDue: async (onTheirWay: string[]) => (written.length === 0 && !onTheirWay.includes('t') ? [delivery] : []),
    writeOutcome: async (_one: DueDelivery, outcome: AttemptOutcome) => void written.push(outcome),
  };
  const notifier = new Notifier({
    leases: { release: async () => undefined },
    store: store as unknown as NotifierStore,
    sender,
    ...WITHOUT_EVENTS,
  });
  return { notifier, written };
}
const GIVEN_UP = expect.objectContaining({ delivery: 'WAITING', fault: 'TIMED_OUT' });
const LOOPBACK = createNetwork({ allowed: [], gatewayPort: null });
const SENDER = new Sender({
  reach: new Reach(LOOPBACK, LOOPBACK, []),
  brokers: { send: async () => undefined },
  secrets: SECRETS,
  log: { error: jest.fn() },
});

test('an attempt at a receiver that never answers is given up, whatever is garbage-collected meanwhile', async () => {
  const asked: (() => void)[] = [];
  const hears = new Promise<void>((done) => asked.push(done));
  const silent = await startTcpServer((socket) => socket.once('data', () => asked[0]?.()));
  jest.useFakeTimers({ now: Date.now(), doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const { notifier, written } = createNotifierFor(`http://${silent}/`, SENDER);
  await notifier.step();
  await hears;
  collectGarbage();
  jest.advanceTimersByTime(ATTEMPT_MS);
  jest.useRealTimers();
  await notifier.waitForDeliveries();
  expect(written).toEqual([GIVEN_UP]);
  await notifier.close();
});

test('an attempt that its own signal does not end is dropped by the next step', async () => {
  jest.useFakeTimers({ now: Date.now(), doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const deaf = { send: () => new Promise<never>(() => undefined) };
  const { notifier, written } = createNotifierFor('http://127.0.0.1:1/', deaf);
  await notifier.step();
  jest.advanceTimersByTime(ATTEMPT_MS - 1000);
  await notifier.step();
  expect(written).toEqual([]);
  jest.advanceTimersByTime(2001);
  await notifier.step();
  await notifier.waitForDeliveries();
  jest.useRealTimers();
  expect(written).toEqual([GIVEN_UP]);
  await notifier.close();
});
