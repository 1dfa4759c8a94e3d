// Every way in which the database can refuse a row is recognised, by kind and name, on both databases.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '../../src/database/database';
import { violatedConstraint } from '../../src/database/failures';
import { DatabaseUnavailable } from '../../src/errors';
import { Prisma } from '../../src/generated/prisma/client';
import { timeBudget } from '../../src/values/time-budget';
import { describeOnDatabases, type FreshDatabase, freshDatabase } from '../support/databases';

const now = new Date('2026-11-20T12:00:00.123Z');
const times = { createdAt: now, updatedAt: now };

async function failureOf(query: Promise<unknown>): Promise<unknown> {
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
  const spoolId = randomUUID();
  const camera = (cameraId: string, macAddress: string | null = null) =>
    database.prisma.camera.create({ data: { cameraId, friendlyName: 'x', macAddress, ...times } });
  const spool = (data: { id?: string; spoolSerial?: string; materialId?: string; weightTotalGrams?: number }) =>
    database.prisma.spool.create({
      data: {
        ...{
          id: randomUUID(),
          spoolSerial: randomUUID(),
          materialId,
          weightTotalGrams: 1000,
          filamentDiameterMm: 1.75,
        },
        ...data,
        ...times,
      },
    });

  beforeAll(async () => {
    fresh = await freshDatabase(kind);
    database = await openDatabase(fresh.target);
    await camera('taken', 'aa:bb');
    await database.prisma.material.create({ data: { id: materialId, name: 'PLA', densityGPerCm3: 1.24 } });
    await spool({ id: spoolId, spoolSerial: 'S-1' });
  });
  afterAll(async () => {
    await database?.close();
    await fresh?.drop();
  });

  const cases: [string, string, string, () => Promise<unknown>][] = [
    ['model, primary key', 'unique', 'cameras_pkey', () => camera('taken')],
    ['model, unique index', 'unique', 'cameras_mac_address_key', () => camera('other', 'aa:bb')],
    ['model, unique index', 'unique', 'spools_spool_serial_key', () => spool({ spoolSerial: 'S-1' })],
    ['model, reference', 'foreignKey', 'spools_material_id_fkey', () => spool({ materialId: randomUUID() })],
    ['model, check', 'check', 'spools_weight', () => spool({ weightTotalGrams: -1 })],
    ['model, check', 'check', 'cameras_camera_id_not_empty', () => camera('')],
    [
      'model, update',
      'unique',
      'cameras_mac_address_key',
      async () => {
        await camera('second');
        return database.prisma.camera.update({ where: { cameraId: 'second' }, data: { macAddress: 'aa:bb' } });
      },
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
      'raw, primary key',
      'unique',
      'cameras_pkey',
      () =>
        database.json(
          'test',
          Prisma.sql`insert into cameras (camera_id, friendly_name) values (${'taken'}, 'x')
        returning '{}'::json as value`,
        ),
    ],
    [
      'raw, unique index',
      'unique',
      'cameras_mac_address_key',
      () => database.prisma.$executeRaw`insert into cameras (camera_id, friendly_name, mac_address)
        values ('raw', 'x', ${'aa:bb'})`,
    ],
    [
      'raw, reference',
      'foreignKey',
      'camera_status_camera_id_fkey',
      () =>
        database.json(
          'test',
          Prisma.sql`insert into camera_status (camera_id, recorded_at) values ('absent', now())
        returning '{}'::json as value`,
        ),
    ],
    [
      'raw, delete of what is referenced',
      'foreignKey',
      'spools_material_id_fkey',
      () => database.prisma.$executeRaw`delete from materials where id = ${materialId}::uuid`,
    ],
    [
      'raw, check',
      'check',
      'camera_status_battery_pct',
      () =>
        database.json(
          'test',
          Prisma.sql`insert into camera_status (camera_id, recorded_at, battery_pct)
        values ('taken', now(), ${101}) returning '{}'::json as value`,
        ),
    ],
    [
      'raw, not null',
      'notNull',
      'friendly_name',
      () =>
        database.json(
          'test',
          Prisma.sql`insert into cameras (camera_id) values ('nameless')
        returning '{}'::json as value`,
        ),
    ],
  ];

  test.each(cases)('%s: %s %s', async (_how, kindOfViolation, constraint, query) => {
    const error = await failureOf(query());
    expect({ found: violatedConstraint(error), error: String(error) }).toEqual({
      found: { kind: kindOfViolation, constraint },
      error: expect.any(String),
    });
  });

  test('what a transaction did before the refusal is undone', async () => {
    expect(await database.prisma.printer.count({ where: { name: 'rolled back' } })).toBe(0);
  });

  test('other failures are not violations', async () => {
    const syntax = await failureOf(database.json('test', Prisma.sql`selec 1`));
    const division = await failureOf(database.json('test', Prisma.sql`select 1 / 0 as value`));
    const absent = await failureOf(database.prisma.camera.update({ where: { cameraId: 'no' }, data: times }));
    expect([syntax, division, absent, new Error('x'), null, 'text'].map(violatedConstraint)).toEqual(
      Array(6).fill(undefined),
    );
  });
});

describe('a refused row in another language of the server', () => {
  const refused = (originalCode: string, originalMessage: string) => ({ cause: { originalCode, originalMessage } });

  test.each([
    ['23514', 'neue Zeile für Relation »spools« verletzt Check-Constraint »spools_weight«', 'check', 'spools_weight'],
    [
      '23514',
      'la nouvelle ligne de la relation « spools » viole la contrainte de vérification « spools_weight »',
      'check',
      'spools_weight',
    ],
    ['23505', 'doppelter Schlüsselwert verletzt Unique-Constraint »cameras_pkey«', 'unique', 'cameras_pkey'],
    ['23502', 'NULL-Wert in Spalte »name« von Relation »printers« verletzt Not-Null-Constraint', 'notNull', 'name'],
  ])('%s: %s', (code, message, kind, constraint) => {
    expect(violatedConstraint(refused(code, message))).toEqual({ kind, constraint });
  });
});

describeOnDatabases('a transaction that takes too long', (kind) => {
  test('is undone, so that nobody waits for it any longer, and is no outage of the database', async () => {
    const fresh = await freshDatabase(kind);
    const said: string[] = [];
    const database = await openDatabase(
      fresh.target,
      { say: (state, message) => said.push(`${state}: ${message}`) },
      { ...timeBudget(4500), transactionMs: 1000 },
    );
    const camera = (cameraId: string) => ({ data: { cameraId, friendlyName: 'x', macAddress: 'aa:bb', ...times } });
    try {
      // The first statement of a client takes longer than those behind it.
      await database.prisma.camera.count();
      let begun = () => {};
      const hasBegun = new Promise<void>((resolve) => (begun = resolve));
      const tooLong = database.transaction(async ({ prisma, json }) => {
        await prisma.camera.create(camera('too long'));
        begun();
        await sleep(2500);
        await json('test', Prisma.sql`select 1 as value`);
      });
      const [failed, other] = await Promise.all([
        failureOf(tooLong),
        // It waits for the other one's MAC address, or for its connection.
        Promise.race([hasBegun, tooLong]).then(() => database.prisma.camera.create(camera('other'))),
      ]);
      expect(failed).toBeInstanceOf(DatabaseUnavailable);
      expect(String(failed)).toMatch(/not finished in time/);
      expect(other.cameraId).toBe('other');
      expect(await database.prisma.camera.count()).toBe(1);
      expect(said).toEqual(['up: statements fail while others are answered']);
    } finally {
      await database.close();
      await fresh.drop();
    }
  });
});
