/**
 * Recordings of Bambu printers over a real broker with TLS, through the connection, the adapter and the collector, into rows and
 * jobs. The broker is killed in between.
 *
 * @jest-environment node
 */
import { randomUUID } from 'node:crypto';
import { type Database, openDatabase } from '../../src/database/database';
import type { Message } from '../../src/devices/adapter';
import { connectBambu } from '../../src/devices/bambu/connection';
import { FakeBambu } from '../../src/devices/bambu/fake';
import type { Collector } from '../../src/devices/collector/collector';
import type { Connect } from '../../src/devices/connection';
import { KINDS } from '../../src/devices/kinds';
import { LIMITS } from '../../src/devices/limits';
import type { ObservedFilament } from '../../src/observed-prints/observed-print.model';
import { BAMBU } from '../recordings/bambu/recordings';
import { type ExpectedPrint, instant, type Recording, type Step, T0 } from '../recordings/recording';
import { collectorOn } from '../support/collecting';
import { type FreshDatabase, freshDatabase } from '../support/databases';
import { expectPrints } from '../support/expected-prints';
import { PATIENT } from '../support/gateway';
import { Replay } from '../support/replay';
import { until } from '../support/waiting';

/** The recordings last up to an hour: the session's clock is that of the recordings. */
const mockClock = { now: '' };
jest.mock('../../src/values/instant', () => ({
  ...jest.requireActual('../../src/values/instant'),
  instantNow: () => mockClock.now,
}));

/** The adapter and the rules have seen all of them (unit/recordings); these differ in what connections and rows come to. */
const RECORDINGS = [
  'a whole print with an id of the cloud beyond 32 bits',
  'a failure with its code',
  'the printer is switched off in mid-print',
  'a replay: the connection is opened three times beside a finished print',
  'several slots of an AMS and of an AMS-HT, told by mapping',
].map((name) => BAMBU.find((one) => one.name === `bambu: ${name}`) as Recording);
const MATERIAL = randomUUID();
const CODE = '73914206';
/** Prints of one slot get their job by themselves. */
const LOADED = ['ams:0:2', 'ext:0'];
const STATUS = {
  ...{ RUNNING: 'Printing', COMPLETED: 'Completed', CANCELLED: 'Cancelled', FAILED: 'Failed', UNRESOLVED: 'Printing' },
};

/** A printer that says what was recorded. */
class Playing extends FakeBambu {
  readonly printerId = randomUUID();
  /** Says by itself what the database must come to. */
  readonly rules: Replay;
  isUp = false;
  heard = 0;
  private step: Step;
  private expected = 0;

  constructor(
    readonly recording: Recording,
    index: number,
  ) {
    super({ secret: CODE, serial: `01P00A00000${1000 + index}` });
    this.rules = new Replay(recording);
    this.step = recording.steps[0] as Step;
    this.broker.server.prependListener('connection', (socket) => {
      if (!this.isUp) socket.destroy();
    });
  }

  protected override asked(topic: string, payload: Buffer): void {
    if (!payload.includes('pushall')) super.asked(topic, payload);
    else for (const { body } of this.step.greeting) this.report(body);
  }

  async play(step: Step): Promise<void> {
    this.step = step;
    if (step.link === 'down') {
      if (this.isUp) await this.lose();
    } else if (!this.isUp) await this.come();
    this.rules.hear(step);
    if (step.message !== null && this.isUp) await this.say(step.message);
  }

  /** Its broker is killed, and is there again at once. */
  async kill(): Promise<void> {
    if (!this.isUp) return;
    await this.lose();
    this.rules.open(this.step);
    await this.come();
  }

  private async lose(): Promise<void> {
    await until(
      async () => JSON.stringify(await printsOf(this)) === JSON.stringify(this.rules.prints()),
      () => this.recording.name,
    );
    this.isUp = false;
    this.drop();
  }

  /** Its version, and what it says to whoever asks for all, are heard of each connection. */
  private come(): Promise<void> {
    this.isUp = true;
    return this.hears(1 + this.step.greeting.length);
  }

  private say({ source, body }: Message): Promise<void> {
    if (source === 'pingresp') this.broker.sendAll(Buffer.from([0xd0, 0]));
    else this.report(body);
    return this.hears(1);
  }

  private async hears(messages: number): Promise<void> {
    this.expected += messages;
    await until(
      () => this.heard >= this.expected,
      () => `${this.recording.name}: ${this.heard} of ${this.expected}`,
    );
  }
}

let fresh: FreshDatabase;
let database: Database;
let collector: Collector | undefined;
const playing = RECORDINGS.map((recording, index) => new Playing(recording, index));

beforeAll(async () => {
  fresh = await freshDatabase('server');
  database = await openDatabase(fresh.target, {}, PATIENT.budget);
  await database.prisma.material.create({ data: { id: MATERIAL, name: 'PLA', densityGPerCm3: '1.24' } });
});
afterAll(async () => {
  await collector?.close();
  for (const one of playing) await one.close();
  await database.close();
  await fresh.drop();
});

/** Heartbeats are those of the recordings. */
const connect: Connect = (target, { connected, ended, ...listener }, network) => {
  const one = playing.find(({ serial }) => serial === target.serial) as Playing;
  const heard = (message: Message) => {
    listener.heard(message);
    one.heard += 1;
  };
  return connectBambu(target, { connected, ended, heard }, network, { ...LIMITS, heartbeatMs: 1_000_000 });
};

async function deviceFor({ printerId, serial, certificateFingerprint, port }: Playing): Promise<void> {
  const times = { createdAt: instant(0), updatedAt: instant(0) };
  const { prisma } = database;
  await prisma.printer.create({ data: { id: printerId, name: serial, ...times } });
  for (const slot of LOADED) {
    const spoolId = randomUUID();
    const weights = { filamentDiameterMm: '1.75', weightTotalGrams: '1000', purchasePrice: '20' };
    await prisma.spool.create({
      data: { id: spoolId, spoolSerial: spoolId, materialId: MATERIAL, ...weights, ...times },
    });
    await prisma.printerSlot.create({ data: { printerId, slot, spoolId, loadedAt: instant(0) } });
  }
  const address = `127.0.0.1:${port}`;
  await prisma.device.create({
    data: {
      ...{ id: randomUUID(), kind: 'BAMBU', printerId, address, serial, certificateFingerprint },
      ...{ state: 'CONNECTING', ...times },
    },
  });
}

async function printsOf({ printerId }: Playing): Promise<ExpectedPrint[]> {
  const rows = await database.prisma.observedPrint.findMany({ where: { printerId } });
  const seconds = (at: Date | null) => (at === null ? null : (at.getTime() - T0) / 1000);
  return rows
    .map(({ name, externalId, outcome, startedAt, endedAt, reason, filament }) => ({
      name,
      externalId,
      outcome: outcome as ExpectedPrint['outcome'],
      startedAt: seconds(startedAt),
      endedAt: seconds(endedAt),
      reason,
      filament: ((filament ?? []) as unknown as ObservedFilament[]).map(
        ({ slot, mm, grams, basis }) => `${slot} ${mm ?? '-'} ${grams ?? '-'} ${basis}`,
      ),
    }))
    .sort((one, other) => (one.startedAt ?? 0) - (other.startedAt ?? 0));
}

const jobsOf = async ({ printerId }: Playing) =>
  (await database.prisma.printJob.findMany({ where: { printerId } }))
    .map(({ printName, status, dataSource }) => `${printName} ${status} ${dataSource}`)
    .sort();

/** Of the recordings, in mid-print. Behind it all brokers are killed. */
const KILLED_AT = 62;

async function playAll(): Promise<void> {
  const times = [...new Set([KILLED_AT, ...RECORDINGS.flatMap(({ steps }) => steps.map(({ at }) => at))])];
  for (const time of times.sort((a, b) => a - b)) {
    mockClock.now = instant(time);
    await Promise.all(
      playing.map(async (one) => {
        for (const step of one.recording.steps) if (step.at === time) await one.play(step);
        if (time === KILLED_AT) await one.kill();
      }),
    );
  }
}

test('the broker of each printer is killed in mid-print: the same prints, and one job for each', async () => {
  mockClock.now = instant(0);
  for (const one of playing) {
    await one.listen(0);
    await deviceFor(one);
  }
  collector = collectorOn(database, { kinds: { BAMBU: { ...KINDS.BAMBU, connect } }, secretOf: () => CODE });
  collector.start();
  await playAll();
  for (const one of playing) {
    const { name, expected, cannotTell, steps } = one.recording;
    const cut = steps.findLast(({ at }) => at <= KILLED_AT)?.at as number;
    const wanted = cannotTell.find(({ from, to }) => cut >= from && cut <= to)?.expected ?? expected;
    const found = await until(
      async () => {
        const prints = await printsOf(one);
        return prints.map(({ outcome }) => outcome).join() === wanted.map(({ outcome }) => outcome).join() && prints;
      },
      () => `${name}: ${JSON.stringify(wanted)}`,
    );
    expectPrints(found, wanted, 60);
    const ofOneSlot = wanted.filter(({ filament }) => filament.length === 1 && LOADED.includes(slotOf(filament[0])));
    const jobs = ofOneSlot.map((print) => `${print.name} ${STATUS[print.outcome]} Mqtt`);
    expect({ name, jobs: await jobsOf(one) }).toEqual({ name, jobs: jobs.sort() });
  }
}, 300_000);

const slotOf = (filament = '') => filament.split(' ')[0] as string;
