// The gateway recognises every way in which a database of either kind can refuse a row, by kind and name.
import { randomUUID } from 'node:crypto';
import { type Database, openDatabase } from '../../src/database/database';
import { violatedConstraint } from '../../src/database/failures';
import { DatabaseUnavailable } from '../../src/errors';
import { Prisma } from '../../src/generated/prisma/client';
import { createTimeBudget } from '../../src/values/time-budget';
import { describeOnDatabases, type FreshDatabase, freshDatabase } from '../support/databases';

const now = new Date('2026-11-20T12:00:00.123Z');
const times = { createdAt: now, updatedAt: now };

async function catchFailure(query: Promise<unknown>): Promise<unknown> {
  const answer = await query.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('value' in answer) throw new Error(`The query was not refused but answered ${JSON.stringify(answer.value)}`);
  return answer.error;
}

describeOnDatabases('a refused row', (kind) => {
  let fresh: FreshDatabase;
  let database: Database;
  const materialId = randomUUID();
  const camera = (cameraId: string, macAddress: string | null = null) =>
    database.prisma.camera.create({ data: { cameraId, friendlyName: 'x', macAddress, ...times } });
  const spool = (data: { spoolSerial?: string; materialId?: string; weightTotalGrams?: number }) =>
    database.prisma.spool.create({
      data: {
        id: randomUUID(),
        spoolSerial: randomUUID(),
        materialId,
        weightTotalGrams: 1000,
        filamentDiameterMm: 1.75,
        ...times,
        ...data,
      },
    });
  const raw = (statement: string) =>
    database.json('test', Prisma.sql`${Prisma.raw(statement)} returning '{}'::json as value`);

  beforeAll(async () => {
    fresh = await freshDatabase(kind);
    database = await openDatabase(fresh.target, undefined, { ...createTimeBudget(4500), transactionMs: 2000 });
    await camera('taken', 'aa:bb');
    await camera('second');
    await database.prisma.material.create({ data: { id: materialId, name: 'PLA', densityGPerCm3: 1.24 } });
    await spool({ spoolSerial: 'S-1' });
  });
  afterAll(async () => {
    await database?.close();
    await fresh?.drop();
  });

  const cases: [how: string, kind: string, constraint: string, query: () => Promise<unknown>][] = [
    ['model', 'unique', 'cameras_pkey', () => camera('taken')],
    ['model', 'unique', 'spools_spool_serial_key', () => spool({ spoolSerial: 'S-1' })],
    ['model', 'foreignKey', 'spools_material_id_fkey', () => spool({ materialId: randomUUID() })],
    ['model', 'check', 'spools_weight', () => spool({ weightTotalGrams: -1 })],
    [
      'model, update',
      'unique',
      'cameras_mac_address_key',
      () => database.prisma.camera.update({ where: { cameraId: 'second' }, data: { macAddress: 'aa:bb' } }),
    ],
    [
      'model, delete of what is referenced',
      'foreignKey',
      'spools_material_id_fkey',
      () => database.prisma.material.delete({ where: { id: materialId } }),
    ],
    [
      'model, inside a transaction',
      'unique',
      'cameras_pkey',
      () =>
        database.prisma.$transaction(async (tx) => {
          await tx.printer.create({ data: { id: randomUUID(), name: 'rolled back', ...times } });
          await tx.camera.create({ data: { cameraId: 'taken', friendlyName: 'x', ...times } });
        }),
    ],
    [
      'raw',
      'unique',
      'cameras_pkey',
      () => raw(`insert into cameras (camera_id, friendly_name) values ('taken', 'x')`),
    ],
    [
      'raw',
      'foreignKey',
      'camera_status_camera_id_fkey',
      () => raw(`insert into camera_status (camera_id, recorded_at) values ('absent', now())`),
    ],
    [
      'raw, delete of what is referenced',
      'foreignKey',
      'spools_material_id_fkey',
      () => raw(`delete from materials where id = '${materialId}'`),
    ],
    [
      'raw',
      'check',
      'camera_status_battery_pct',
      () => raw(`insert into camera_status (camera_id, recorded_at, battery_pct) values ('taken', now(), 101)`),
    ],
    ['raw', 'notNull', 'friendly_name', () => raw(`insert into cameras (camera_id) values ('nameless')`)],
  ];

  test.each(cases)('%s: %s %s', async (_how, kindOfViolation, constraint, query) => {
    const error = await catchFailure(query());
    expect({ found: violatedConstraint(error), error: String(error) }).toEqual({
      found: { kind: kindOfViolation, constraint },
      error: expect.any(String),
    });
    expect(await database.prisma.printer.count()).toBe(0);
  });

  test('other failures are not violations', async () => {
    const syntax = await catchFailure(database.json('test', Prisma.sql`selec 1`));
    const absent = await catchFailure(database.prisma.camera.update({ where: { cameraId: 'no' }, data: times }));
    expect([syntax, absent, new Error('x'), null, 'text'].map(violatedConstraint)).toEqual(Array(5).fill(undefined));
  });

  test('a transaction that takes too long is rolled back, so that nobody waits for it', async () => {
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const tooLong = database.transaction(async ({ prisma, json }) => {
      await prisma.camera.create({
        data: { cameraId: 'too long', friendlyName: 'x', macAddress: 'too long', ...times },
      });
      begun();
      await new Promise((resolve) => setTimeout(resolve, 3500));
      await json('test', Prisma.sql`select 1 as value`);
    });
    const [failed, other] = await Promise.all([
      catchFailure(tooLong),
      // The statement waits for the MAC address of the other one, or for its connection.
      Promise.race([hasBegun, tooLong]).then(() => camera('other', 'too long')),
    ]);
    expect(failed).toBeInstanceOf(DatabaseUnavailable);
    expect(String(failed)).toMatch(/not finished in time/);
    expect(other.cameraId).toBe('other');
    expect(await database.prisma.camera.count({ where: { macAddress: 'too long' } })).toBe(1);
  });
});

test.each([
  ['23514', 'neue Zeile für Relation »spools« verletzt Check-Constraint »spools_weight«', 'check', 'spools_weight'],
  ['23514', 'la relation « spools » viole la contrainte de vérification « spools_weight »', 'check', 'spools_weight'],
  ['23505', 'doppelter Schlüsselwert verletzt Unique-Constraint »cameras_pkey«', 'unique', 'cameras_pkey'],
  ['23502', 'NULL-Wert in Spalte »name« von Relation »printers« verletzt Not-Null-Constraint', 'notNull', 'name'],
])('with a server in another language, %s: %s', (originalCode, originalMessage, kind, constraint) => {
  expect(violatedConstraint({ cause: { originalCode, originalMessage } })).toEqual({ kind, constraint });
});
