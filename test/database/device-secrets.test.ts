// Secrets of devices in backups: never in clear, and read again with their key alone.
import fs from 'node:fs';
import { join } from 'node:path';
import { backUp } from '../../src/database/backup/backup';
import { restore } from '../../src/database/backup/restore';
import { openDriver } from '../../src/database/database';
import type { DatabaseTarget } from '../../src/database/driver/driver';
import { Secrets } from '../../src/wire/secrets';
import { freshDatabase } from '../support/databases';
import { makeDevice, makeFarm } from '../support/farm';
import { startGateway } from '../support/gateway';
import { temporaryFolder } from '../support/temporary-folder';

test('a backup has no secret in clear, and restored with its key it is read again', async () => {
  const CLEAR = 'only-for-the-machine';
  const folder = temporaryFolder('devices');
  const fresh = await freshDatabase('embedded');
  const { path } = fresh.target as DatabaseTarget & { kind: 'directory' };
  const target = { kind: 'directory', path: join(folder, 'restored') } as const;
  const file = join(folder, 'farm.sql');
  const gateway = await startGateway('embedded', { database: fresh.target });
  try {
    await makeDevice(gateway, (await makeFarm(gateway)).printerId, { secret: CLEAR });
    const [stored] = await gateway.sql('select * from devices');
    await backUp(path, file);
    const dump = fs.readFileSync(file, 'utf8');
    expect(dump).toContain(stored.secret);
    expect(dump).not.toContain(CLEAR);
    await restore(target, file);
    const driver = await openDriver(target);
    const [{ secret } = {}] = await driver.withSession((run) => run('select secret from devices'));
    await driver.close();
    expect(secret).toBe(stored.secret);
    const row = { ...stored, certificateFingerprint: null };
    expect(new Secrets(null, target).decrypt(row)).toBe('SECRET_NOT_READABLE');
    fs.copyFileSync(`${path}.device-key`, `${target.path}.device-key`);
    expect(new Secrets(null, target).decrypt(row)).toBe(CLEAR);
  } finally {
    await gateway.close();
    fs.rmSync(`${path}.device-key`, { force: true });
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
