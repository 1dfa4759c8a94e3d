// Notification targets in backups: a copy of the farm tells nobody, and says why.
import fs from 'node:fs';
import { join } from 'node:path';
import { backUp } from '../../src/database/backup/backup';
import { restore } from '../../src/database/backup/restore';
import type { DatabaseTarget } from '../../src/database/driver/driver';
import { emptyDatabase, freshDatabase } from '../support/databases';
import { startGateway } from '../support/gateway';
import { addTarget, happened, targetIn, updateTarget } from '../support/notifying';
import { temporaryFolder } from '../support/temporary-folder';

test.each(['embedded', 'server'] as const)(
  '(%s) a restore disables all targets, gives up what waits, and says so',
  async (kind) => {
    const file = join(temporaryFolder('backup'), 'farm.sql');
    const [fresh, empty] = [await freshDatabase('embedded'), await emptyDatabase(kind)];
    const gateway = await startGateway('embedded', { database: fresh.target });
    const { target, secret } = await addTarget(gateway, { url: 'http://10.0.0.9/' });
    const off = (await addTarget(gateway, { kind: 'NTFY', url: 'http://10.0.0.9/t', enabled: false })).target;
    await happened(gateway, target.id);
    await gateway.sql(`insert into leases (name, holder, until) values ('notifications', 'h', now())`);
    await gateway.sql(`insert into unreported_changes (type, entity) values ('JOB', gen_random_uuid())`);
    await backUp((fresh.target as DatabaseTarget & { kind: 'directory' }).path, file);
    await gateway.close();
    expect(fs.readFileSync(file, 'utf8')).not.toContain(secret.slice(6));

    await restore(empty.target, file);
    const copy = await startGateway(kind, { database: empty.target });
    try {
      const { message, ...row } = await targetIn(copy, target.id);
      expect(message).toMatch(/^The database was restored from a backup, and a copy must not send notifications/);
      expect(row).toMatchObject({
        enabled: false,
        state: 'DISABLED',
        hasSecret: true,
        waiting: 0,
        deliveries: { nodes: [{ state: 'GIVEN_UP', message }] },
      });
      expect((await targetIn(copy, off.id)).message).toBe(off.message);
      expect(await copy.sql('select * from leases')).toEqual([]);
      expect(await copy.sql('select * from unreported_changes')).toEqual([]);
      expect((await updateTarget(copy, target.id, { enabled: true })).target).toMatchObject({
        state: 'OK',
        message: null,
      });
    } finally {
      await copy.close();
      await empty.drop();
      fs.rmSync(file);
    }
  },
);
