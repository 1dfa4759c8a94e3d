// What opening a database gives, on both kinds.
import { openDatabase } from '../../../src/database/database';
import { Prisma } from '../../../src/generated/prisma/client';
import { describeOnBothDatabases, freshDatabase } from '../../support/databases';

describeOnBothDatabases('a database', (kind) => {
  test('opens', async () => {
    let t=performance.now(); const lap=(n:string)=>{const now=performance.now(); console.log(kind,n,Math.round(now-t)); t=now;};
    const fresh = await freshDatabase(kind);
    lap('fresh');
    const database = await openDatabase(fresh.target);
    lap('open');
    expect(await database.json(Prisma.sql`select '{"a":1}'::json as value`)).toEqual({ a: 1 });
    lap('json');
    expect(await database.prisma.camera.findMany()).toEqual([]);
    lap('find');
    await database.close();
    lap('close');
    const again = await openDatabase(fresh.target);
    lap('reopen');
    await again.close();
    lap('close');
    await fresh.drop();
    lap('drop');
  });
});
