// Runs the commands of backup and restore as docs/guides/backup.md gives them: beside a running gateway, through a pipe, to a server.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startChild } from '../support/child-process';
import { copyTemplate, emptyDatabase, type FreshDatabase, onServer } from '../support/databases';
import { readPage, shellLines } from '../support/docs';
import { type ListeningGateway, listenInProcess } from '../support/listening-gateway';
import { ask } from '../support/requests';
import { CLI } from '../support/running-gateway';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/waiting';

const [backup, intoDirectory, intoServer] = shellLines(readPage('docs/guides/backup.md')) as [string, string, string];

let folder: string;
let server: FreshDatabase;
const gateways: ListeningGateway[] = [];
beforeEach(async () => {
  folder = temporaryFolder('backup');
  server = await emptyDatabase('server');
});
afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.stop()));
  await server.drop();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function start(DATABASE_URL: string): Promise<ListeningGateway> {
  const gateway = await listenInProcess({ DATABASE_URL });
  gateways.push(gateway);
  return gateway;
}

/** Starts a command of the page in the test's folder; its script has been built already. */
function startCommand(command: string) {
  const [, url = '', script, files = ''] = /^(?:DATABASE_URL=(\S+) )?npm run (\w+)(?: -- (.*))?$/.exec(command) ?? [];
  const database = url.startsWith('postgresql:') ? server.url : url;
  return startChild(CLI, [`${script}`, ...files.split(' ').filter(Boolean)], { DATABASE_URL: database }, folder);
}

async function run(command: string): Promise<{ code: number | string; output: string }> {
  const child = startCommand(command);
  return { code: await child.ended, output: child.output };
}

// What a restore into a directory leaves there is in test/database/backup.test.ts.
test('a farm moves through a pipe to a server, after a backup beside its gateway and a restore that a signal stopped', async () => {
  copyTemplate(join(folder, 'data'));
  const gateway = await start(`file:${join(folder, 'data')}`);
  await ask(gateway, '/cameras', { camera_id: 'cam-01', friendly_name: 'Over the printer' });
  const query =
    'mutation { recordCameraStatuses(input: [{ cameraId: "cam-01", online: true, batteryPct: 71.3 }]) { id } }';
  await ask(gateway, '/graphql', { query });
  const camera = async (at: ListeningGateway) => (await ask(at, '/cameras/cam-01')).body;
  const before = await camera(gateway);

  expect(await run(backup)).toEqual({
    code: 0,
    output: expect.stringMatching(/^Backed up \d+ rows of \S+data to farm\.sql, while its gateway is running\.\n$/),
  });
  expect(await camera(gateway)).toEqual(before);
  const stopped = startCommand(intoDirectory);
  await until(
    'the restore has started',
    () => fs.readdirSync(folder),
    (names) => names.includes('farm'),
  );
  stopped.kill('SIGTERM');
  expect([await stopped.ended, stopped.output]).toEqual([1, 'The restore was stopped. Nothing was restored.\n']);
  expect(fs.existsSync(join(folder, 'farm'))).toBe(false);

  // Of a directory that no gateway has.
  await gateway.stop();
  const piped = `DATABASE_URL=file:data "${process.execPath}" "${CLI}" backup /dev/stdout | cat > farm.sql`;
  const said = await promisify(execFile)('bash', ['-o', 'pipefail', '-c', piped], { cwd: folder });
  expect(said).toEqual({
    stdout: '',
    stderr: expect.stringMatching(/^Backed up \d+ rows of \S+data to \/dev\/stdout\.\n$/),
  });
  expect(await run(intoServer)).toEqual({
    code: 0,
    output: expect.stringMatching(/^Restored \d+ rows of farm\.sql to /),
  });
  expect(await run(intoServer)).toEqual({ code: 1, output: expect.stringContaining('The database is not empty') });
  expect(await onServer(server.url, 'select battery_pct::text from camera_status')).toEqual([{ battery_pct: '71.3' }]);
  expect(await camera(await start(server.url))).toEqual(before);
}, 300_000);

test('a backup or restore that cannot be done ends with 1, creates nothing, and is reported in one line', async () => {
  for (const [command, reason] of [
    ['npm run backup -- farm.sql', 'There is no database in '],
    ['DATABASE_URL=postgresql://x npm run backup -- farm.sql', 'For a PostgreSQL server, use pg_dump.'],
    ['DATABASE_URL=mysql://secret npm run backup -- farm.sql', 'DATABASE_URL must be'],
    ['npm run restore -- farm.sql', 'no such file or directory'],
    ['DATABASE_URL=memory: npm run restore -- farm.sql', 'would be lost'],
  ] as const) {
    const { code, output } = await run(command);
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(reason) });
    expect(output).not.toMatch(/\n\s+at |secret/);
  }
  expect(fs.readdirSync(folder)).toEqual([]);
});
