// Runs each command of the README and of docs, or names the test file that runs it.
import fs from 'node:fs';
import { join } from 'node:path';
import { startChild } from '../support/child-process';
import { curl } from '../support/curl';
import { onServer } from '../support/databases';
import { findCodeBlocks, findNames, findTables, readPage, shellLines } from '../support/docs';
import { freePort } from '../support/free-port';
import { type ListeningGateway, listenInProcess } from '../support/listening-gateway';
import { ROOT } from '../support/running-gateway';
import { temporaryFolder } from '../support/temporary-folder';

const shell = shellLines();
/** A call of the gateway, which is answered as the comment behind it says. */
const isCall = (line: string) => /^curl .*http:\/\/127\.0\.0\.1:4000\//.test(line);
const ROUTER = 'http://127.0.0.1:4400/graphql';

/** The commands that other files run, and what they call them. */
const RUN_BY: Record<string, [file: string, naming: RegExp]> = {
  'npm ci && npm start': ['test/e2e/signals.test.ts', /'npm', \['start'\]/],
  'npm run seed': ['test/e2e/seed.test.ts', /'seed'/],
  'npm run seed -- --live': ['test/e2e/seed.test.ts', /\['--live'\]/],
  'npm run key -- anna read+write+devices': ['test/e2e/commands.test.ts', /'key dashboard read'/],
  'npm run export -- spools --out spools.csv': [
    'test/e2e/commands.test.ts',
    /run\(`export print-jobs \$\{options\} --out jobs\.csv`/,
  ],
  'npm run import -- spools.csv': ['test/e2e/commands.test.ts', /run\(`import \$\{line\}`/],
  'npm run import -- spoolman http://192.168.1.30:7912': [
    'test/e2e/commands.test.ts',
    /importing\('http:\/\/127\.0\.0\.1:9'\)/,
  ],
  'npm run import -- spoolman http://192.168.1.30:7912 --write': [
    'test/e2e/commands.test.ts',
    /'spools\.json --source farm --write'/,
  ],
  'npm run key -- spoolman-clients spools': ['test/e2e/commands.test.ts', /'key dashboard read'/],
  'npm run import -- spools.csv --write': ['test/e2e/commands.test.ts', /run\(`import \$\{line\}`/],
  'GATEWAY_URL=http://192.168.1.5:4000 GATEWAY_KEY=KEY print-farm-gateway plan part.gcode': [
    'test/e2e/commands.test.ts',
    /'part\.gcode: recorded as part, plate 1\./,
  ],
  'print-farm-gateway plan part.gcode --print': ['test/e2e/commands.test.ts', /plan part\.gcode --print/],
  ...Object.fromEntries(
    shellLines(readPage('docs/guides/supergraph.md'))
      .filter((line) => !/^(#|curl )/.test(line))
      .map((line) => [line, ['test/e2e/federation.test.ts', /PAGE = readPage\('docs\/guides\/supergraph.md'\)/]]),
  ),
  // Root's: the test starts the same program with the same configuration, in a folder of its own.
  ...Object.fromEntries(
    shellLines(readPage('docs/guides/home-assistant.md'))
      .filter((line) => /\bmosquitto\b|mosquitto_passwd/.test(line))
      .map((line) => [line, ['test/support/mqtt-brokers.ts', /RECIPE/]]),
  ),
  // Root's, on a computer with systemd.
  ...Object.fromEntries(
    shellLines(readPage('docs/guides/install.md'))
      .filter((line) => /^(systemctl|cp deploy|npm install --prefix)/.test(line))
      .map((line) => [line, ['test/unit/deploy.test.ts', /docs', 'guides', 'install\.md/]]),
  ),
  'npm ci && npm test': ['.ci/run', /npm ci\b[\s\S]*\bnpm test\b/],
  'npm ci && npm run dev': ['test/e2e/dev.test.ts', /'run', 'dev'/],
  'npm run backup -- farm.sql': ['test/e2e/backup.test.ts', /shellLines\(readPage\('docs\/guides\/backup.md'\)\)/],
  'DATABASE_URL=file:farm npm run restore -- farm.sql': ['test/e2e/backup.test.ts', /intoDirectory/],
  'DATABASE_URL=postgresql://USER:PASSWORD@HOST:PORT/DATABASE npm run restore -- farm.sql': [
    'test/e2e/backup.test.ts',
    /intoServer/,
  ],
  'npm install ./print-farm-gateway-*.tgz && npx --no print-farm-gateway start': ['test/e2e/package.test.ts', /'pack'/],
};

/** The origin of Vite's development server, as docs/guides/graphql-client.md has it. */
const [, VITE = ''] = /`CORS_ORIGINS=(\S+)`/.exec(readPage('docs/guides/graphql-client.md')) ?? [];

let gateway: ListeningGateway;
beforeAll(async () => {
  gateway = await listenInProcess({ CORS_ORIGINS: VITE });
});
afterAll(() => gateway?.stop());

test('each call is answered as the comment after it says', async () => {
  // In the order of the pages: a query reads the rows that the call before it has written.
  for (const [at, command] of shell.entries()) {
    if (!isCall(command)) continue;
    const { url, init } = curl(command);
    const response = await fetch(url.replace('http://127.0.0.1:4000', gateway.url), init);
    const answer = { command, ok: response.ok, body: await response.json() };
    expect(answer).toEqual({ command, ok: true, body: JSON.parse(shell[at + 1]?.replace(/^# /, '') ?? '') });
  }
});

test('the other commands are run by other test files', () => {
  const others = shell.filter((line) => !line.startsWith('#') && !isCall(line) && !line.includes(ROUTER));
  expect([...new Set(others)].toSorted()).toEqual(Object.keys(RUN_BY).toSorted());
  for (const [file, naming] of Object.values(RUN_BY)) {
    expect(fs.readFileSync(join(ROOT, file), 'utf8')).toMatch(naming);
  }
});

test('the addresses of the README, the statement for the operator and the table of REST paths are right', async () => {
  for (const path of ['/', '/graphql']) {
    expect(readPage('README.md')).toContain(`<http://127.0.0.1:4000${path}>`);
    const answer = await fetch(gateway.url + path, { headers: { accept: 'text/html' } });
    expect([path, answer.status]).toEqual([path, 200]);
  }
  const statements = findCodeBlocks(readPage('docs/guides/postgresql.md')).filter(({ language }) => language === 'sql');
  expect(statements).toMatchObject([{ text: expect.stringMatching(/^SELECT pid/) }]);
  await onServer(String(process.env['TEST_SERVER_URL']), String(statements[0]?.text));
  const { paths } = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as { paths: object };
  const named = [...readPage('docs/reference/rest.md').matchAll(/^\| `(\/[^`]+)`/gm)].map(([, path]) => path as string);
  expect(named.toSorted()).toEqual(Object.keys(paths).sort());
});

test('the tables of CSV columns match the files, in their order', async () => {
  const [spools, products, files] = findTables('docs/reference/csv.md');
  const columns = { 'spools.csv': spools, 'filaments.csv': products };
  const named = [
    ...Object.entries(columns).map(([file, table]) => [file, table?.rows.flatMap(([cell = '']) => findNames(cell))]),
    ...(files?.rows ?? []).map(([file = '', cells = '']) => [findNames(file)[0], findNames(cells)]),
  ];
  const written = named.map(async ([file]) => {
    const answer = await fetch(`${gateway.url}/reports/${file}`);
    const [heads = ''] = (await answer.text()).split(/\r?\n/);
    return [file, heads.split(',')];
  });
  expect(named).toHaveLength(6);
  expect(await Promise.all(written)).toEqual(named);
});

test('pages of Vite use the gateway, by CORS_ORIGINS and by the proxy of Vite', async () => {
  const post = (url: string, origin: string, site: string) =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, 'sec-fetch-site': site },
      body: '{"query":"{ __typename }"}',
    });
  const open = await post(gateway.url, VITE, 'same-site');
  expect([open.status, open.headers.get('access-control-allow-origin')]).toEqual([200, VITE]);

  const [config, ...others] = findCodeBlocks().filter(({ text }) => text.includes('// vite.config.js'));
  expect([config?.language, others]).toEqual(['js', []]);
  const folder = temporaryFolder('vite');
  const text = String(config?.text).replace('http://127.0.0.1:4000', gateway.url);
  fs.writeFileSync(join(folder, 'vite.config.js'), text);
  fs.writeFileSync(join(folder, 'index.html'), '<!doctype html><title>A page</title>');
  const port = await freePort();
  const program = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  const vite = startChild(program, ['--port', String(port), '--strictPort'], { NO_COLOR: '1' }, folder);
  try {
    await vite.waitForOutput('Local:');
    const origin = `http://localhost:${port}`;
    const answer = await post(origin, origin, 'same-origin');
    expect([answer.status, await answer.json()]).toEqual([200, { data: { __typename: 'Query' } }]);
  } finally {
    vite.kill('SIGTERM');
    await vite.ended;
    fs.rmSync(folder, { recursive: true });
  }
});
