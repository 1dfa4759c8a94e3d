// A Bambu printer over a real broker with TLS, through the connection, the adapter and the collector, into rows and jobs. The
// adapter and the rules have seen all recordings, cut behind every message (test/unit/recordings.test.ts).
import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../src/database/database';
import { FakeBambu } from '../../src/demo/machines/bambu';
import { createCollector } from '../support/collectors';
import { freshDatabase } from '../support/databases';
import { PATIENT } from '../support/gateway';
import { atLeast, until } from '../support/waiting';

const CODE = '73914206';

class Counting extends FakeBambu {
  /** The requests of each connection: for its version and for its full state. */
  asks = 0;

  protected override answerRequest(topic: string, payload: Buffer): void {
    super.answerRequest(topic, payload);
    this.asks += 1;
  }
}

test('if its broker is killed during a print, and is away at the end of another, the prints are the same, with one job each', async () => {
  const fresh = await freshDatabase('server');
  const database = await openDatabase(fresh.target, undefined, PATIENT.budget);
  const { prisma } = database;
  const [id, printerId, spoolId, materialId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const times = { createdAt: new Date(), updatedAt: new Date() };
  const bambu = new Counting({ secret: CODE, script: { seconds: 100 } });
  await bambu.listen(0);
  const { port, serial, certificateFingerprint } = bambu;
  await prisma.material.create({ data: { id: materialId, name: 'PLA', densityGPerCm3: '1.24' } });
  await prisma.printer.create({ data: { id: printerId, name: 'P1S', ...times } });
  await prisma.spool.create({
    data: {
      id: spoolId,
      spoolSerial: 'S',
      materialId,
      filamentDiameterMm: '1.75',
      weightTotalGrams: '1000',
      ...times,
    },
  });
  await prisma.slotLoad.create({ data: { printerId, slot: 'ams:0:0', spoolId, from: new Date() } });
  const device = { id, kind: 'BAMBU', printerId, serial, certificateFingerprint, state: 'CONNECTING', ...times };
  await prisma.device.create({ data: { ...device, address: `127.0.0.1:${port}` } });
  const collector = createCollector(database, { readSecret: () => CODE });
  collector.start();

  const jobs = async () =>
    (await prisma.printJob.findMany({ orderBy: { createdAt: 'asc' } })).map(
      ({ printName, status, dataSource }) => `${printName} ${status} ${dataSource}`,
    );
  const jobsAre = (...wanted: string[]) =>
    until(`the jobs are ${wanted.join(', ')}`, jobs, (found) => found.join() === wanted.join());
  try {
    await until('the printer was asked for its full state', () => bambu.asks, atLeast(2));
    bambu.print.start('cube.gcode');
    bambu.print.advance(10);
    await jobsAre('cube Printing Mqtt');
    bambu.drop();
    const { asks } = bambu;
    await until('the printer was asked for its full state again', () => bambu.asks, atLeast(asks + 2));
    bambu.print.advance(50);
    bambu.print.complete();
    await jobsAre('cube Completed Mqtt');

    bambu.print.start('gear.gcode');
    bambu.print.advance(10);
    await jobsAre('cube Completed Mqtt', 'gear Printing Mqtt');
    await bambu.close();
    bambu.print.cancel();
    await bambu.listen(port);
    await jobsAre('cube Completed Mqtt', 'gear Cancelled Mqtt');
    const prints = await prisma.observedPrint.findMany({ orderBy: { createdAt: 'asc' } });
    expect(prints.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['cube', 'COMPLETED'],
      ['gear', 'CANCELLED'],
    ]);
  } finally {
    await collector.close();
    await bambu.close();
    await database.close();
    await fresh.drop();
  }
});
