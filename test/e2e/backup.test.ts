// The commands of backup and restore, as docs/operation.md gives them: beside a running gateway, into a directory and a server.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startChild } from '../support/child-process';
import { copyTemplate, emptyDatabase, type FreshDatabase } from '../support/databases';
import { page, shellLines } from '../support/docs';
import { CLI, ROOT, type RunningGateway, runGateway } from '../support/running-gateway';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/waiting';

const [backup, intoDirectory, intoServer] = shellLines(page('docs/operation.md')) as [string, string, string];

let folder: string;
let server: FreshDatabase;
const gateways: RunningGateway[] = [];
/** What a backup to standard output has written into a pipe, and said beside it. */
let piped: { sql: string; stdout: string; stderr: string };

beforeAll(async () => {
  const cwd = temporaryFolder('piped');
  copyTemplate(join(cwd, 'data'));
  const command = `"${process.execPath}" "${CLI}" backup /dev/stdout | cat > farm.sql`;
  const said = await promisify(execFile)('bash', ['-c', command], { cwd });
  piped = { ...said, sql: fs.readFileSync(join(cwd, 'farm.sql'), 'utf8') };
  fs.rmSync(cwd, { recursive: true });
});
beforeEach(async () => {
  folder = temporaryFolder('backup');
  server = await emptyDatabase('server');
});
afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.stop('SIGKILL')));
  await server.drop();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function start(url: string): Promise<RunningGateway> {
  const gateway = await runGateway({ DATABASE_URL: url }, folder);
  gateways.push(gateway);
  return gateway;
}

/** Runs a command of the page in the test's folder; its script has been built already. */
async function run(command: string): Promise<{ code: number | string; output: string }> {
  const [, url = '', script, files = ''] = /^(?:DATABASE_URL=(\S+) )?npm run (\w+)(?: -- (.*))?$/.exec(command) ?? [];
  const database = url.startsWith('postgresql:') ? server.url : url;
  const args = files.split(' ').filter(Boolean);
  const child = startChild(CLI, [`${script}`, ...args], { DATABASE_URL: database }, folder);
  return { code: await child.ended, output: child.output };
}

const post = (gateway: RunningGateway, path: string, body: object) =>
  fetch(gateway.url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

const camera = async (gateway: RunningGateway) => (await fetch(`${gateway.url}/cameras/cam-01`)).json();

test('a farm moves from its running gateway to another directory and to a server', async () => {
  copyTemplate(join(folder, 'data'));
  const gateway = await start('');
  await post(gateway, '/cameras', { camera_id: 'cam-01', friendly_name: 'Over the printer' });
  const query =
    'mutation { recordCameraStatuses(input: [{ cameraId: "cam-01", online: true, batteryPct: 71.3 }]) { id } }';
  await post(gateway, '/graphql', { query });
  const before = await camera(gateway);

  expect(await run(backup)).toEqual({
    code: 0,
    output: expect.stringMatching(/^farm\.sql holds \d+ rows of \S+data, given by its gateway\.\n$/),
  });
  for (const [command, url] of [
    [intoDirectory, 'file:farm'],
    [intoServer, server.url],
  ] as const) {
    expect(await run(command)).toEqual({ code: 0, output: expect.stringMatching(/^\d+ rows of farm\.sql are in /) });
    expect(await run(command)).toEqual({ code: 1, output: expect.stringContaining('The database is not empty') });
    expect(await camera(await start(url))).toEqual(before);
  }
  expect(await camera(gateway)).toEqual(before);
});

test.each([
  ['npm run backup -- farm.sql', 'There is no database in '],
  [`DATABASE_URL=postgresql://x npm run backup -- farm.sql`, 'For a server, use pg_dump.'],
  ['DATABASE_URL=mysql://secret npm run backup -- farm.sql', 'DATABASE_URL must be'],
  ['npm run restore -- farm.sql', 'no such file or directory'],
  ['DATABASE_URL=memory: npm run restore -- farm.sql', 'would be gone'],
])('%s ends with 1, makes nothing, and says why in a line', async (command, reason) => {
  const { code, output } = await run(command);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(reason) });
  expect(output).not.toMatch(/\n\s+at |secret/);
  expect(fs.readdirSync(folder)).toEqual([]);
});

test('a backup to standard output is the backup alone, also in a pipe', async () => {
  expect(piped).toMatchObject({ stdout: '', stderr: expect.stringMatching(/^\/dev\/stdout holds \d+ rows of /) });
  fs.writeFileSync(join(folder, 'farm.sql'), piped.sql);
  expect(await run(intoDirectory)).toEqual({
    code: 0,
    output: expect.stringMatching(/^\d+ rows of farm\.sql are in /),
  });
});

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (signal) => {
  test('leaves no file behind', async () => {
    const room = JSON.stringify(join(ROOT, 'dist', 'src', 'database', 'backup', 'whole-file'));
    const script = `
      const { wholeFile } = require(${room});
      wholeFile({ file: 'farm.sql', mode: 0o600, stopped: 'Stopped.' }, async (handle) => {
        await handle.writeFile('the begin');
        return new Promise((resolve) => setTimeout(resolve, 60_000));
      });`;
    const child = startChild('-e', [script], {}, folder);
    await until(() => fs.existsSync(join(folder, 'farm.sql.unfinished')));
    child.kill(signal);
    expect({ code: await child.ended, output: child.output }).toEqual({ code: 1, output: 'Stopped.\n' });
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  test('stops a restore, and leaves no directory', async () => {
    fs.writeFileSync(join(folder, 'farm.sql'), piped.sql);
    const child = startChild(CLI, ['restore', 'farm.sql'], { DATABASE_URL: 'file:farm' }, folder);
    await until(() => fs.existsSync(join(folder, 'farm')));
    child.kill(signal);
    expect({ code: await child.ended, output: child.output }).toEqual({
      code: 1,
      output: 'The restore was stopped.\n',
    });
    expect(fs.readdirSync(folder)).toEqual(['farm.sql']);
  });
});
