// The package as users get it: npm packs it and installs it into an empty project, where it is compiled, imported and run.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Child, startChild } from '../support/child-process';
import { ROOT } from '../support/running-gateway';

/** npm tells the scripts that it runs its settings, which are not those of the empty project. */
const ENVIRONMENT = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

async function run(file: string, args: string[], cwd: string) {
  const { stdout, stderr } = await promisify(execFile)(file, args, { cwd, env: ENVIRONMENT });
  return { stdout, stderr };
}

let folder: string;
let project: string;
let packed: { filename: string; files: { path: string }[] };
let installed: { stdout: string; stderr: string };
let gateway: Child;
let url: string;

beforeAll(async () => {
  folder = fs.mkdtempSync(join(tmpdir(), 'gateway-test-package-'));
  project = join(folder, 'project');
  fs.mkdirSync(project);
  fs.writeFileSync(join(project, 'package.json'), '{}');
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], ROOT);
  [packed] = JSON.parse(stdout);
  const wanted = [join(folder, packed.filename), 'typescript@5.9.3', '@types/node@20'];
  installed = await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...wanted], project);
  const place = join(folder, 'place');
  fs.mkdirSync(place);
  const program = join(project, 'node_modules', '.bin', 'print-farm-gateway');
  gateway = startChild(program, ['start'], { DATABASE_URL: '', HOST: '', PORT: '0', LOG_LEVEL: 'warn' }, place);
  await gateway.waitForOutput('is ready');
  url = /http:\/\/[^\s/"]+/.exec(gateway.output)?.[0] as string;
}, 300_000);

afterAll(async () => {
  gateway?.kill('SIGTERM');
  await gateway?.ended;
  fs.rmSync(folder, { recursive: true, force: true });
}, 60_000);

const HELD = [
  /^(package\.json|README\.md|prisma\/migrations\/.*|src\/([a-z-]+\/)+[a-z.-]+\.sql)$/,
  /^dist\/((prisma|src|web)\/.*\.(js|json|d\.ts)|(dashboard|playground)\/.*\.(css|html|js|svg))$/,
  /^src\/(generated\/((schema|subgraph)\.graphql|persisted-operations\.json)|web\/(icon\.svg|(playground|tool-page)\.css|(playground|rest)\.html))$/,
];

test('contains what runs and what clients read, without sources and tests', () => {
  const paths = packed.files.map(({ path }) => path);
  expect(paths.filter((path) => !HELD.some((held) => held.test(path)))).toEqual([]);
});

test('npm installs it without a warning about engines and peers; it starts in an empty folder, with its data and its pages', async () => {
  expect(installed.stdout).toMatch(/^\nadded \d+ packages/);
  expect(installed.stderr).not.toMatch(/EBADENGINE|ERESOLVE|peer/i);
  expect(fs.existsSync(join(folder, 'place', 'data', 'PG_VERSION'))).toBe(true);
  for (const path of ['/', '/graphql', '/openapi']) {
    const page = await fetch(url + path, { headers: { accept: 'text/html' } });
    expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
  }
});

/** The same program for both kinds of modules. */
const PROGRAM = `
import { createClient, GatewayRequestError, type Client, type WatchState } from 'print-farm-gateway';
import { FarmChangesDocument, LatestChangeCursorDocument, RegisterCameraDocument } from 'print-farm-gateway/documents';
import { persistedOperations } from 'print-farm-gateway/manifest';
import { schemaText } from 'print-farm-gateway/schema';

async function main(url: string, id: string): Promise<void> {
  const states: WatchState[] = [];
  const client: Client = createClient({ url });
  const { latestChangeCursor: after } = await client.request(LatestChangeCursorDocument);
  const input = { id, friendlyName: 'A camera' };
  const { registerCamera } = await client.request(RegisterCameraDocument, { input });
  const name: string = registerCamera.friendlyName;
  // @ts-expect-error a camera has an id
  const refused: unknown = await client.request(RegisterCameraDocument, { input: {} }).catch((error) => error);
  for await (const { changes } of client.subscribe(FarmChangesDocument, { after }, { onState: (state) => states.push(state) })) {
    const kind: string = changes.__typename;
    const codes = refused instanceof GatewayRequestError ? refused.codes : [];
    const known = persistedOperations.some(({ type }) => type === 'subscription') && schemaText.includes('type Subscription');
    console.log(JSON.stringify({ name, kind, codes, known, states }));
    break;
  }
}

main(process.argv[2] ?? '', process.argv[3] ?? '').catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
`;

const COMPILERS = {
  'TypeScript 5': () => join(project, 'node_modules', 'typescript', 'bin', 'tsc'),
  'TypeScript 7': () => join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'),
};

const JSON_IMPORT =
  "import manifest from 'print-farm-gateway/manifest.json';\nexport const { operations } = manifest;\n";

// TypeScript 5, which takes five times as long, reads the types with its oldest resolution, which knows no exports of a package.
test.each([
  ['TypeScript 7', 'esnext', 'bundler', ['bundled.ts'], []],
  ['TypeScript 7', 'node16', 'node16', ['program.mts', 'program.cts'], ['program.mjs', 'program.cjs']],
  ['TypeScript 5', 'commonjs', 'node10', ['older.ts'], ['older.js']],
] as const)(
  '%s compiles a program that runs (%s, %s)',
  async (compiler, module, resolution, sources, programs) => {
    const begin = resolution === 'node10' ? JSON_IMPORT : '';
    for (const source of sources) fs.writeFileSync(join(project, source), begin + PROGRAM);
    const options = ['--strict', '--target', 'es2022', '--types', 'node', '--resolveJsonModule', '--esModuleInterop'];
    // The compiler's own declarations take a third of the time, and are no part of the package.
    const modules = ['--module', module, '--moduleResolution', resolution, '--skipDefaultLibCheck'];
    await run(process.execPath, [COMPILERS[compiler](), ...options, ...modules, ...sources], project).catch(
      (failure) => {
        throw new Error(failure.stdout);
      },
    );
    for (const program of programs) {
      const { stdout } = await run(process.execPath, [program, `${url}/graphql`, program], project);
      expect(JSON.parse(stdout)).toEqual({
        name: 'A camera',
        kind: 'CameraChanged',
        codes: ['BAD_USER_INPUT'],
        known: true,
        states: ['connected'],
      });
    }
  },
  300_000,
);

test('tools find the schemas and the manifest as files, and the package itself', async () => {
  const script = `for (const name of ['schema.graphql', 'subgraph.graphql', 'manifest.json', 'package.json'])
    console.log(require.resolve('print-farm-gateway/' + name))`;
  const { stdout } = await run(process.execPath, ['-e', script], project);
  for (const path of stdout.trim().split('\n')) expect(fs.statSync(path).size).toBeGreaterThan(1000);
});
