// Preview pictures of prints, from simulated machines and from the slicer's plan, into a real database and out of GraphQL.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Database } from '../../../src/database/database';
import { FakeMoonraker } from '../../../src/demo/machines/moonraker';
import { FakeOctoPrint } from '../../../src/demo/machines/octoprint';
import { drawPicture } from '../../../src/demo/machines/preview-picture';
import { FakePrusaLink } from '../../../src/demo/machines/prusalink';
import type { FakeAnswer } from '../../../src/demo/machines/simulated-http';
import type { FakeMachine, FakeOptions } from '../../../src/demo/machines/simulated-machine';
import { KIND_CODE } from '../../../src/machines/kind-code';
import type { Connect } from '../../../src/machines/machine-connection';
import { connectPrusaLink } from '../../../src/machines/prusalink/connection';
import { createCollector } from '../../support/collectors';
import { provideDatabase } from '../../support/gateway';
import { closeServers, startHttpServer } from '../../support/hostile-machine';
import { has, is, until } from '../../support/waiting';

const times = { createdAt: new Date(), updatedAt: new Date() };
const SECRET = 'key';
const OPTIONS: FakeOptions = { secret: SECRET, script: { seconds: 100, mm: 1000 } };
/** PrusaLink is polled only every 15 s in production. */
const QUICK_POLLS = { pollMs: 50, pollPrintingMs: 50 };
const KINDS = {
  ...KIND_CODE,
  PRUSALINK: {
    ...KIND_CODE.PRUSALINK,
    connect: (...[target, listener, network]: Parameters<Connect>) =>
      connectPrusaLink(target, listener, network, QUICK_POLLS),
  },
};
/** The picture of the slicer's plan, which is stored after the machine's own picture was refused. */
const PLANNED = drawPicture('plan');

const opened = provideDatabase();
let database: Database;
const open: { close(): Promise<unknown> }[] = [];

beforeAll(() => {
  database = opened();
});
beforeEach(async () => {
  const plan = { name: 'cube', plate: 1, slots: [], recordedAt: new Date(), picture: new Uint8Array(PLANNED) };
  await database.prisma.printPlan.create({ data: plan });
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  await closeServers();
  await database.prisma.device.deleteMany();
  await database.prisma.observedPrint.deleteMany();
  await database.prisma.printPlan.deleteMany();
});

/** Connects the machine, and starts its print. */
async function print(kind: string, machine: FakeMachine, parts: Parameters<typeof createCollector>[1] = {}) {
  await machine.listen(0);
  open.push(machine);
  const [id, printerId] = [randomUUID(), randomUUID()];
  const { prisma } = database;
  await prisma.printer.create({ data: { id: printerId, name: 'Voron', ...times } });
  await prisma.device.create({
    data: { id, kind, printerId, address: machine.url, state: 'CONNECTING', ...times },
  });
  const collector = createCollector(database, { kinds: KINDS, readSecret: () => SECRET, ...parts });
  open.push(collector);
  collector.start();
  await until(
    'the device is connected',
    () => prisma.device.findUniqueOrThrow({ where: { id } }),
    has({ state: 'CONNECTED' }),
  );
  machine.print.start();
  machine.print.advance(1);
  const outcome = async () => (await prisma.observedPrint.findFirst({ where: { printerId } }))?.outcome;
  await until('the print is recorded', outcome, is('RUNNING'));
  return { printerId, outcome };
}

const readPictures = async () =>
  (await database.prisma.printThumbnail.findMany()).map(({ picture }) => Buffer.from(picture));

const isStored = (picture: Buffer) => (found: Buffer[]) => found.length === 1 && (found[0] as Buffer).equals(picture);

test.each<[string, string, FakeMachine]>([
  ['Moonraker with a key', 'MOONRAKER', new FakeMoonraker(OPTIONS)],
  ['PrusaLink with a key', 'PRUSALINK', new FakePrusaLink(OPTIONS)],
  ['PrusaLink of a Buddy board with a password', 'PRUSALINK', new FakePrusaLink({ ...OPTIONS, login: 'BUDDY' })],
  ['PrusaLink on a Raspberry Pi', 'PRUSALINK', new FakePrusaLink({ ...OPTIONS, login: 'RASPBERRY' })],
])('%s: the picture is kept with the print', async (_, kind, machine) => {
  await print(kind, machine);
  await until('the picture is stored', readPictures, isStored(machine.picture as Buffer));
});

test('a print of a machine without pictures gets the picture of the plan with its name', async () => {
  await print('OCTOPRINT', new FakeOctoPrint(OPTIONS));
  await until('the picture of the plan is stored', readPictures, isStored(PLANNED));
});

/** A Moonraker that answers the request for a picture in its own manner. */
class AnsweringMoonraker extends FakeMoonraker {
  requests = 0;

  constructor(private readonly answerForPicture: () => FakeAnswer) {
    super(OPTIONS);
  }

  protected override answer(request: IncomingMessage, path: string): FakeAnswer {
    if (path.startsWith('/server/files/')) this.requests += 1;
    return path.startsWith('/server/files/') ? this.answerForPicture() : super.answer(request, path);
  }
}

const large = Buffer.from(PLANNED);
large.writeUInt32BE(60_000, 16);
let elsewhere = '';
test.each<[string, () => FakeAnswer]>([
  ['HTML that is called a PNG', () => ({ headers: { 'content-type': 'image/png' }, body: Buffer.from('<html>') })],
  ['more bytes than the limit', () => ({ body: Buffer.concat([PLANNED, Buffer.alloc(100_000)]) })],
  ['megabytes', () => ({ body: Buffer.alloc(8 << 20, PLANNED) })],
  ['a picture of 60,000 pixels in width', () => ({ body: large })],
  ['nothing', () => ({ body: Buffer.alloc(0) })],
  ['an error', () => ({ status: 500, body: PLANNED })],
  ['a redirect to another host', () => ({ status: 302, headers: { location: `http://${elsewhere}/` }, body: PLANNED })],
])('a machine that answers with %s is asked once, and its print is recorded as before', async (_, reply) => {
  let redirected = 0;
  elsewhere = await startHttpServer((_request, response) => {
    redirected += 1;
    response.end(drawPicture('elsewhere'));
  });
  const machine = new AnsweringMoonraker(reply);
  const { outcome } = await print('MOONRAKER', machine);
  await until('the picture of the plan is stored', readPictures, isStored(PLANNED));
  machine.print.advance(20);
  machine.print.complete();
  await until('the print is completed', outcome, is('COMPLETED'));
  expect([machine.requests, redirected]).toEqual([1, 0]);
});

test('without pictures, as with PRINT_THUMBNAILS=false, the machine gets no request for one', async () => {
  const machine = new AnsweringMoonraker(() => ({ headers: {}, body: PLANNED }));
  const { outcome } = await print('MOONRAKER', machine, { thumbnails: null });
  machine.print.complete();
  await until('the print is completed', outcome, is('COMPLETED'));
  expect([machine.requests, await readPictures()]).toEqual([0, []]);
});
