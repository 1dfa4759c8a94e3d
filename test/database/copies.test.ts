// Copies of a farm, restored from its backup: none has a secret in clear text or reads it without its key, and none sends notifications.
import fs from 'node:fs';
import { join } from 'node:path';
import { backUp } from '../../src/database/backup/backup';
import { restore } from '../../src/database/backup/restore';
import type { DatabaseTarget } from '../../src/database/driver/driver';
import { Secrets } from '../../src/wire/secrets';
import { emptyDatabase, type FreshDatabase, freshDatabase } from '../support/databases';
import { makeDevice, makeFarm } from '../support/farm';
import { type Gateway, type Parsed, startGateway } from '../support/gateway';
import { addTarget, readTarget, storeDelivery, updateTarget } from '../support/notification-targets';
import { temporaryFolder } from '../support/temporary-folder';

const CLEAR = 'only-for-the-machine';
const folder = temporaryFolder('backup');
const file = join(folder, 'farm.sql');
let fresh: FreshDatabase;
let path: string;
/** As it is stored. */
let device: Parsed;
let on: Parsed;
let off: Parsed;
let signingSecret: string;
/** Of one test. */
let empty: FreshDatabase;
let copy: Gateway;

beforeAll(async () => {
  fresh = await freshDatabase('embedded');
  path = (fresh.target as DatabaseTarget & { kind: 'directory' }).path;
  const gateway = await startGateway('embedded', { database: fresh.target });
  await makeDevice(gateway, (await makeFarm(gateway)).printerId, { secret: CLEAR });
  [device] = await gateway.sql('select * from devices');
  ({ target: on, secret: signingSecret } = await addTarget(gateway, { url: 'http://10.0.0.9/' }));
  off = (await addTarget(gateway, { kind: 'NTFY', url: 'http://10.0.0.9/t', enabled: false })).target;
  await storeDelivery(gateway, on.id);
  await gateway.sql(`insert into leases (name, holder, until) values ('notifications', 'h', now())`);
  await gateway.sql(`insert into unreported_changes (type, entity) values ('JOB', gen_random_uuid())`);
  await backUp(path, file);
  await gateway.close();
});
afterAll(async () => {
  fs.rmSync(`${path}.device-key`, { force: true });
  fs.rmSync(folder, { recursive: true });
  await fresh.drop();
});
afterEach(async () => {
  await copy?.close();
  await empty?.drop();
});

test('the backup has no secret in clear text', () => {
  const dump = fs.readFileSync(file, 'utf8');
  expect(dump).toContain(device.secret);
  expect(dump).not.toContain(CLEAR);
  expect(dump).not.toContain(signingSecret.slice(6));
});

test.each(['embedded', 'server'] as const)(
  '(%s) a secret of a device can be read again with its key; all targets are disabled, give up what waits, and say so',
  async (kind) => {
    empty = await emptyDatabase(kind);
    await restore(empty.target, file);
    if (empty.target.kind === 'directory') {
      const row = { ...device, certificateFingerprint: null };
      const key = `${empty.target.path}.device-key`;
      expect(new Secrets(null, empty.target).decrypt(row)).toBe('SECRET_NOT_READABLE');
      fs.copyFileSync(`${path}.device-key`, key);
      expect(new Secrets(null, empty.target).decrypt(row)).toBe(CLEAR);
      fs.rmSync(key);
    }
    copy = await startGateway(kind, { database: empty.target });
    expect(await copy.sql('select secret from devices')).toEqual([{ secret: device.secret }]);
    const { message, ...row } = await readTarget(copy, on.id);
    expect(message).toMatch(
      /^The database was restored from a backup, and a copy of a farm must not send notifications/,
    );
    expect(row).toMatchObject({
      enabled: false,
      state: 'DISABLED',
      hasSecret: true,
      waiting: 0,
      deliveries: { nodes: [{ state: 'GIVEN_UP', message }] },
    });
    expect((await readTarget(copy, off.id)).message).toBe(off.message);
    expect(await copy.sql('select * from leases')).toEqual([]);
    expect(await copy.sql('select * from unreported_changes')).toEqual([]);
    expect((await updateTarget(copy, on.id, { enabled: true })).target).toMatchObject({ state: 'OK', message: null });
  },
);
