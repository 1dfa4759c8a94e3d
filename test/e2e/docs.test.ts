// The commands of the README and of docs: each is run, by these tests or by the one that is named here.
import fs from 'node:fs';
import { join } from 'node:path';
import { startChild } from '../support/child-process';
import { curl } from '../support/curl';
import { onServer } from '../support/databases';
import { blocks, page, shellLines } from '../support/docs';
import { freePort } from '../support/free-port';
import { CLI, ROOT, type RunningGateway, runGateway } from '../support/running-gateway';
import { temporaryFolder } from '../support/temporary-folder';

const { version } = JSON.parse(fs.readFileSync(join(ROOT, 'package.json'), 'utf8'));
const shell = shellLines();
const readme = page('README.md');

/** The commands that other files run, and what they call them. */
const RUN_BY: Record<string, [file: string, naming: RegExp]> = {
  'npm ci && npm start': ['test/e2e/signals.test.ts', /npm/],
  'npm run seed': ['test/e2e/seed.test.ts', /'seed'/],
  'npm run seed -- --live': ['test/e2e/seed.test.ts', /\['--live'\]/],
  'GATEWAY_URL=http://192.168.1.5:4000 GATEWAY_KEY=KEY print-farm-gateway plan part.gcode': [
    'test/e2e/plan.test.ts',
    /'part\.gcode: recorded as part, plate 1/,
  ],
  'print-farm-gateway plan part.gcode --print': ['test/e2e/cli.test.ts', /plan part\.gcode --print/],
  'npm ci && npm test': ['.ci/run', /npm ci\b[\s\S]*\bnpm test\b/],
  'npm ci && npm run dev': ['test/e2e/dev.test.ts', /'run', 'dev'/],
  'npm run backup -- farm.sql': ['test/e2e/backup.test.ts', /shellLines\(page\('docs\/operation.md'\)\)/],
  'DATABASE_URL=file:farm npm run restore -- farm.sql': ['test/e2e/backup.test.ts', /intoDirectory/],
  'DATABASE_URL=postgresql://USER:PASSWORD@HOST:PORT/DATABASE npm run restore -- farm.sql': [
    'test/e2e/backup.test.ts',
    /intoServer/,
  ],
  [`npm install ./print-farm-gateway-${version}.tgz && npx print-farm-gateway start`]: [
    'test/e2e/package.test.ts',
    /'pack'/,
  ],
};
const MAKES_A_KEY = 'npm run key -- dashboard read';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await runGateway();
});
afterAll(() => gateway?.stop());

describe('the commands', () => {
  /** With the answer, which is the comment behind the command. */
  const calls = shell.flatMap((command, at) =>
    command.startsWith('curl ') ? [[command, shell[at + 1]?.replace(/^# /, '') ?? ''] as const] : [],
  );

  // In the order of the pages: a query reads the rows that the call before it has written.
  test.each(calls)('%s', async (command, answer) => {
    const { url, init } = curl(command);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:4000\//);
    const response = await fetch(url.replace('http://127.0.0.1:4000', gateway.url), init);
    const text = await response.text();
    expect({ ok: response.ok, body: JSON.parse(text) }).toEqual({ ok: true, body: JSON.parse(answer) });
  });

  test(`${MAKES_A_KEY} makes a key that opens a gateway with its entry`, async () => {
    const child = startChild(CLI, MAKES_A_KEY.replace(/^.*run (.*) -- (.*)$/, '$1 $2').split(' '));
    expect({ code: await child.ended, output: child.output }).toMatchObject({ code: 0 });
    const [entry = ''] = /dashboard:read:\w+/.exec(child.output) ?? [];
    const words = child.output.split(/\s+/).filter((word) => !word.includes(entry) && /^[\w-]{20,}$/.test(word));
    const locked = await runGateway({ API_KEYS: entry });
    try {
      const statusWith = async (key?: string) =>
        (await fetch(`${locked.url}/cameras`, { headers: key === undefined ? {} : { 'x-api-key': key } })).status;
      expect([await statusWith(), await Promise.all(words.map(statusWith))]).toEqual([401, [200]]);
    } finally {
      await locked.stop();
    }
  });

  test('are otherwise run by other files', () => {
    const others = shell.filter((line) => !/^(#|curl )/.test(line) && line !== MAKES_A_KEY);
    expect(others.toSorted()).toEqual(Object.keys(RUN_BY).toSorted());
    for (const [file, naming] of Object.values(RUN_BY)) {
      expect(fs.readFileSync(join(ROOT, file), 'utf8')).toMatch(naming);
    }
  });

  test('print the addresses that the README names', () => {
    for (const path of ['/', '/graphql']) {
      expect(readme).toContain(`<http://127.0.0.1:4000${path}>`);
      expect(gateway.output).toMatch(new RegExp(`${gateway.url}${path}\\s`));
    }
  });

  test('and the statement for the operator are understood by PostgreSQL', async () => {
    const [statement, ...others] = blocks().filter(({ language }) => language === 'sql');
    expect([others, statement?.text.startsWith('SELECT pid')]).toEqual([[], true]);
    expect(await onServer(String(process.env['TEST_SERVER_URL']), String(statement?.text))).toBeInstanceOf(Array);
  });
});

test('the table of REST paths names those of /openapi.json', async () => {
  const { paths } = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as { paths: object };
  const named = [...page('docs/rest.md').matchAll(/^\| `(\/[^`]+)`/gm)].map(([, path]) => path as string);
  expect(named.toSorted()).toEqual(Object.keys(paths).sort());
});

describe('the recipe for Vite', () => {
  const QUERY = JSON.stringify({ query: '{ __typename }' });
  const post = (url: string, headers: Record<string, string>) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: QUERY });

  test('by its proxy: the pages of Vite use the gateway under the address of Vite', async () => {
    const [config, ...others] = blocks().filter(({ text }) => text.includes('// vite.config.js'));
    expect([config?.language, others]).toEqual(['js', []]);
    const folder = temporaryFolder('vite');
    const text = String(config?.text).replace('http://127.0.0.1:4000', gateway.url);
    fs.writeFileSync(join(folder, 'vite.config.js'), text);
    fs.writeFileSync(join(folder, 'index.html'), '<!doctype html><title>A page</title>');
    const port = await freePort();
    const program = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
    const vite = startChild(program, ['--port', String(port), '--strictPort'], { NO_COLOR: '1' }, folder);
    try {
      await vite.says('Local:');
      const origin = `http://localhost:${port}`;
      const answer = await post(`${origin}/graphql`, { origin, 'sec-fetch-site': 'same-origin' });
      expect([answer.status, await answer.json()]).toEqual([200, { data: { __typename: 'Query' } }]);
    } finally {
      vite.kill('SIGTERM');
      await vite.ended;
      fs.rmSync(folder, { recursive: true });
    }
  });

  test('by CORS_ORIGINS: the gateway lets pages of Vite ask, and answers them', async () => {
    const [, origin = ''] = /`CORS_ORIGINS=(\S+)`/.exec(page('docs/graphql.md')) ?? [];
    const open = await runGateway({ CORS_ORIGINS: origin });
    try {
      const asking = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      };
      const asked = await fetch(`${open.url}/graphql`, { method: 'OPTIONS', headers: asking });
      expect(Object.fromEntries(asked.headers)).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-headers': expect.stringContaining('content-type'),
      });
      const answer = await post(`${open.url}/graphql`, { origin, 'sec-fetch-site': 'same-site' });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    } finally {
      await open.stop();
    }
  });
});
