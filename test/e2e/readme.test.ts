// The README: its commands run and answer as it says, and its tables are complete.
import fs from 'node:fs';
import { join } from 'node:path';
import { startChild } from '../support/child-process';
import { curl } from '../support/curl';
import { freePort } from '../support/free-port';
import { ROOT, type RunningGateway, runGateway } from '../support/running-gateway';
import { temporaryFolder } from '../support/temporary-folder';

const readme = fs.readFileSync(join(ROOT, 'README.md'), 'utf8');
const manifest = JSON.parse(fs.readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** The fenced blocks of the README, in order. */
const blocks = [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, text]) => ({
  language,
  text: (text as string).replaceAll(/\\\n\s*/g, '').trim(),
}));
const shell = blocks.flatMap(({ language, text }) => (language === 'sh' ? text.split('\n') : []));
const commands = shell.filter((line) => !line.startsWith('#'));

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

  test('are a first REST call and a first query, each with its answer', () => {
    expect(calls.map(([command]) => new URL(curl(command).url).pathname)).toEqual(['/cameras', '/graphql']);
  });

  // In the README's order: the query reads the rows that the call has written.
  test.each(calls)('%s', async (command, answer) => {
    const { url, init } = curl(command);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:4000\//);
    const response = await fetch(url.replace('http://127.0.0.1:4000', gateway.url), init);
    const text = await response.text();
    expect({ ok: response.ok, body: JSON.parse(text) }).toEqual({ ok: true, body: JSON.parse(answer) });
  });

  test('are otherwise scripts that exist', () => {
    const others = commands.filter((command) => !command.startsWith('curl '));
    expect(others).toEqual([
      'npm ci && npm start',
      'npm run seed',
      'npm ci && npm test',
      'npm run key -- dashboard read',
      'npm run backup -- farm.sql',
      'DATABASE_URL=file:farm npm run restore -- farm.sql',
      'DATABASE_URL=postgresql://USER:PASSWORD@HOST:PORT/DATABASE npm run restore -- farm.sql',
      `npm install ./print-farm-gateway-${manifest.version}.tgz && npx print-farm-gateway start`,
    ]);
    for (const [, name] of readme.matchAll(/npm (?:run )?(?!ci\b|run\b|install\b|pack\b)([\w:]+)/g)) {
      expect(Object.keys(manifest.scripts)).toContain(name);
    }
  });

  test('include the one that CI runs the tests with', () => {
    expect(fs.readFileSync(join(ROOT, '.ci', 'run'), 'utf8')).toMatch(/npm ci\b[\s\S]*\bnpm test\b/);
  });

  test('print the addresses that the README names', () => {
    for (const path of ['/', '/graphql']) {
      expect(readme).toContain(`<http://127.0.0.1:4000${path}>`);
      expect(gateway.output).toMatch(new RegExp(`${gateway.url}${path}\\s`));
    }
  });
});

describe('the recipe for Vite', () => {
  const QUERY = JSON.stringify({ query: '{ __typename }' });
  const post = (url: string, headers: Record<string, string>) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: QUERY });

  test('by its proxy: the pages of Vite use the gateway under the address of Vite', async () => {
    const [config, ...others] = blocks.filter(({ text }) => text.includes('// vite.config.js'));
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
    const [, origin = ''] = /`CORS_ORIGINS=(\S+)`/.exec(readme) ?? [];
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

describe('the tables', () => {
  test('of the configuration name the variables that are read', () => {
    const source = fs.readFileSync(join(ROOT, 'src', 'config.ts'), 'utf8');
    const read = [...source.matchAll(/(?:value|integer|oneOf|flag)\('([A-Z_]+)'/g)].map(([, name]) => name);
    expect(rows('Configuration')).toEqual([...new Set(read)].sort());
  });

  test('of the places name every room and file of src', () => {
    const places = fs.readdirSync(join(ROOT, 'src')).map((name) => `src/${name}`);
    expect(entries('Where things are')).toEqual([places.sort()]);
  });

  test('of the dependencies name every package, where it belongs', () => {
    const [running, making, overrides] = entries('Dependencies');
    expect(running).toEqual(Object.keys(manifest.dependencies).sort());
    expect(making).toEqual(Object.keys(manifest.devDependencies).sort());
    expect(overrides).toEqual(Object.keys(manifest.overrides).sort());
  });

  test('of the REST paths name those of /openapi.json', async () => {
    const { paths } = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as { paths: object };
    expect(rows('For clients of the two REST services')).toEqual(Object.keys(paths).sort());
  });
});

test('the links lead to files', () => {
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path]) => path as string);
  expect(links.length).toBeGreaterThan(2);
  expect(links.filter((path) => !fs.existsSync(join(ROOT, path)))).toEqual([]);
});

/** The cells in a column of each table of a section, from 1. */
function cells(heading: string, column: number): string[][] {
  const section = readme.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const found = [...section.matchAll(/^\|---.*\n((?:\|.*\n)+)/gm)].map(([, body]) =>
    (body as string).trim().split('\n'),
  );
  return found.map((rows) => rows.map((row) => row.split('|')[column] as string));
}

const namesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);

/** The names in the first column of a table, sorted. */
const rows = (heading: string) => (cells(heading, 1)[0] ?? []).flatMap(namesIn).sort();

/** For each table, the names that its second column explains, sorted: "`one`, `another`: the explanation.<br>…". */
const entries = (heading: string) =>
  cells(heading, 2).map((column) =>
    column
      .flatMap((cell) => cell.trim().split('<br>'))
      .map((entry) => /^`.+?`(?:, `.+?`)*: \S.*$/.exec(entry)?.[0] ?? `\`${entry} has no explanation\``)
      .flatMap((entry) => namesIn(entry.split(': ')[0] as string))
      .sort(),
  );
