// The migrations of all releases stay as farms have applied them; prisma/migrations.sha256 has their hashes.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { readMigrations } from '../../src/database/migrations';

const LIST = join(__dirname, '..', '..', 'prisma', 'migrations.sha256');

const released = fs
  .readFileSync(LIST, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => /^([0-9a-f]{64}) {2}(\w+)\/migration\.sql$/.exec(line))
  .map((found) => ({ hash: found?.[1], name: found?.[2] }));

const FORBIDDEN =
  'A farm that has applied it would not start any more, and its backup could not be restored. ' +
  'Put the file back as it was (git checkout), and write a new migration with what should change.';

test('no migration of a release was edited, renamed or removed, and none was inserted before them', () => {
  const present = readMigrations().map(({ name, sql }) => ({
    name,
    hash: createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex'),
  }));
  const faults = released.flatMap(({ name, hash }) => {
    const found = present.find((one) => one.name === name);
    if (found === undefined) return [`prisma/migrations/${name} was removed or renamed. ${FORBIDDEN}`];
    return found.hash === hash ? [] : [`prisma/migrations/${name} was edited. ${FORBIDDEN}`];
  });
  const last = `${released.at(-1)?.name}`;
  const inserted = present.filter(({ name }) => name < last && released.every((one) => one.name !== name));
  faults.push(
    ...inserted.map(
      ({ name }) =>
        `prisma/migrations/${name} comes before ${last}, which is released: a farm applies it after that one. Give it a later time in its name.`,
    ),
  );
  expect(faults).toEqual([]);
});
