// How the house is built. The rules of its imports are in test/rooms.cjs; Biome finds rings, other readers of the environment and bare
// timers, and knip finds exports without a reader.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { promisify } from 'node:util';
import { DEVICE_KINDS } from '../../src/kind-facts';

const ROOT = join(__dirname, '..', '..');
const SOURCE = join(ROOT, 'src');

/** The folders of the dashboard from the ground up, each with those that it imports from. */
const DASHBOARD: Record<string, string[]> = {
  parts: [],
  prints: ['parts'],
  films: ['parts'],
  reports: ['parts'],
  devices: ['parts', 'prints'],
  camera: ['parts', 'films', 'devices'],
  jobs: ['parts', 'prints', 'films', 'camera'],
  printers: ['parts', 'camera', 'devices', 'prints', 'reports', 'jobs'],
  notifications: ['parts'],
  farm: ['parts', 'camera', 'prints', 'printers', 'notifications'],
  inventory: ['parts', 'prints', 'printers'],
  filaments: ['parts', 'inventory'],
  stock: ['parts'],
  labels: ['parts'],
  start: ['parts'],
  search: ['parts', 'camera'],
  app: [
    'parts',
    'camera',
    'prints',
    'printers',
    'farm',
    'jobs',
    'inventory',
    'filaments',
    'labels',
    'stock',
    'reports',
    'start',
    'notifications',
    'search',
  ],
};

/** The rules of the gateway that pages read as well. A browser has neither packages of Node nor a database. */
const RULES_OF_PAGES = [
  'doors/http/dashboard-addresses',
  'farm/alerts/alert.limits',
  'farm/inventory/inventory.texts',
  'farm/inventory/spoolman-label',
  'farm/inventory/usual-densities',
  'farm/print-jobs/print-job.limits',
  'farm/spoolman-import/spoolman-parts',
  'farm/stock/number-remedies',
  'farm/stock/stock-import.text',
  'notifications/target.limits',
  'values/csv',
  'values/loopback',
  'values/tag-uid',
];

/** The files that every kind of machine has. */
const FILES_OF_KIND = ['adapter', 'connection', 'status'];

const files = fs.readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
const paths = files.map((path) => path.split(sep).join('/')).filter((path) => !path.startsWith('generated'));
/** The files by the names that imports give them. */
const fileOf = new Map(
  paths.filter((path) => /\.m?tsx?$/.test(path)).map((path) => [path.replace(/\.m?tsx?$/, ''), path]),
);
const modules = [...fileOf.keys()];
const textOf = (module: string) => fs.readFileSync(join(SOURCE, fileOf.get(module) as string), 'utf8');

test('every import of src obeys the rules of test/rooms.cjs', async () => {
  const program = join(ROOT, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
  const cruise = promisify(execFile)(process.execPath, [program, 'src', '--config', 'test/rooms.cjs'], { cwd: ROOT });
  const { stdout } = await cruise.catch(({ stdout }: { stdout: string }) => ({ stdout }));
  expect(stdout).toMatch(/no dependency violations found \(\d{3,} modules, \d{4,} dependencies cruised\)/);
});

test('every kind of machine has the same files', () => {
  const kinds = new Set(modules.flatMap((module) => /^machines\/(?!collector)(.+)\//.exec(module)?.[1] ?? []));
  const expected = [...kinds].flatMap((kind) => FILES_OF_KIND.map((name) => `machines/${kind}/${name}`));
  expect(modules).toEqual(expect.arrayContaining(expected));
});

test('the rules of prints name no kind of machine: the kind is passed as a value', () => {
  const own = modules.filter((module) => /^farm\/(print-rules|prints|print-plans|printer-states)\//.test(module));
  const kinds = Object.keys(DEVICE_KINDS).join('|');
  const names = new RegExp(`${kinds}|bambu|klipper|moonraker|octoprint|prusa|gopro`, 'gi');
  // Comments say which machine taught a rule.
  const readCode = (module: string) =>
    textOf(module)
      .replace(/\/\*.*?\*\//gs, '')
      .replace(/\/\/.*/g, '');
  expect(own.flatMap((module) => [...readCode(module).matchAll(names)].map(([name]) => `${module}: ${name}`))).toEqual(
    [],
  );
});

test('a folder of the dashboard imports from folders below it', () => {
  const folders = Object.keys(DASHBOARD);
  const own = modules.filter((module) => module.startsWith('web/') && module.split('/').length > 2);
  expect([...new Set(own.map((module) => module.split('/')[1]))].sort()).toEqual([...folders].sort());
  for (const [at, folder] of folders.entries()) {
    expect(folders.slice(0, at)).toEqual(expect.arrayContaining(DASHBOARD[folder] as string[]));
  }
  const upward = own.flatMap((module) => {
    const folder = module.split('/')[1] as string;
    const allowed = [folder, ...(DASHBOARD[folder] as string[])];
    return listImports(module, textOf(module))
      .filter((to) => /^web\/.+\//.test(to) && !allowed.includes(to.split('/')[1] as string))
      .map((to) => `${module} → ${to}`);
  });
  expect(upward).toEqual([]);
  const outside = modules
    .filter((module) => module.startsWith('web/'))
    .flatMap((module) => listImports(module, textOf(module)))
    .filter((to) => modules.includes(to) && !/^(web|client)\//.test(to));
  expect([...new Set(outside)].sort()).toEqual(RULES_OF_PAGES);
});

test('a rule that pages use imports no package, directly or indirectly', () => {
  const reached = new Set(RULES_OF_PAGES);
  // The set grows meanwhile.
  for (const module of reached) for (const to of listImports(module, textOf(module))) reached.add(to);
  expect([...reached].filter((module) => !modules.includes(module))).toEqual([]);
});

test('every file opens with a sentence that says what belongs there', () => {
  const opening = /^(\/\/ |\/\*\*\n \* |<!-- |\/\* |# |"""\n)\S.{15,}/;
  const hasOpening = (path: string) => /\.(m?tsx?|mjs|cjs|html|css|graphql|prisma|sql|yml)$/.test(path);
  const elsewhere = ['prisma', 'test', '.ci'].flatMap((folder) =>
    fs
      .readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path))
      // The service documents and their schema are kept as they came.
      .filter((path) => !path.includes(`contract${sep}documents`)),
  );
  const all = [...paths.map((path) => join('src', path)), ...elsewhere].filter(hasOpening);
  const untold = all.filter(
    (path) =>
      !opening.test(
        fs
          .readFileSync(join(ROOT, path), 'utf8')
          .replace(/^#!.*\n/, '')
          .replace(/^-- /, '// '),
      ),
  );
  expect(untold).toEqual([]);
});

test('no file or folder is a drawer for leftovers', () => {
  const drawer = /(^|[./])(utils?|helpers?|common|shared|misc)([./]|$)/i;
  const tests = fs.readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' });
  expect([...paths, ...tests].filter((path) => drawer.test(path))).toEqual([]);
});

test('every file that a page or a comment names exists', () => {
  // Of a kind of machine that the reader adds, and of programs that a page shows.
  const examples = /KIND|acme|YYYY|^(router|receiver)\.mjs$|^farm\.sql$/;
  // A migration is never edited: it names the file as it was called then. Now it is note-unreported.sql.
  const former = 'src/notifications/events/note-changes.sql';
  const named = /(?<![\w./~-])(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:tsx?|sql|[cm]js)\b/g;
  const pathsIn = (folder: string) =>
    fs
      .readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => [folder, ...path.split(sep)].join('/'));
  const present = ['src', 'test', 'prisma', 'docs'].flatMap(pathsIn);
  const exists = (name: string) => present.some((path) => path === name || path.endsWith(`/${name}`));
  const listComments = (path: string, text: string) =>
    path.endsWith('.md')
      ? [text]
      : (text.match(path.endsWith('.sql') ? /--.*/g : /^\s*\/\/[^\n]*|\/\*.*?\*\//gms) ?? []);
  const readers = present.filter((path) => /^(src(?!\/generated)|prisma)\/.*\.(tsx?|sql)$|^docs\/.*\.md$/.test(path));
  const missing = readers.flatMap((path) =>
    listComments(path, fs.readFileSync(join(ROOT, path), 'utf8'))
      .flatMap((comment) => comment.match(named) ?? [])
      .filter((name) => !examples.test(name) && name !== former && !exists(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test('SQL of more than 25 lines has a file NAME.query.sql, which can be pasted into psql', () => {
  // Its conditions and columns come from many files of the farm.
  const assembled = ['farm/alerts/alert.store.ts'];
  const sources = fs
    .readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll(sep, '/'))
    .filter((path) => path.endsWith('.ts') && !/^(web|generated)\//.test(path));
  const hasLongSql = (text: string) =>
    [...text.matchAll(/\bsql\(?`/g)].some(({ index, 0: opening }) => countLines(text, index + opening.length) > 25);
  expect(sources.filter((path) => hasLongSql(fs.readFileSync(join(SOURCE, path), 'utf8')))).toEqual(assembled);
});

/** The lines of a template literal with its nested ones. @param start the place after its first backtick */
function countLines(text: string, start: number): number {
  const open = ['`'];
  let at = start;
  for (; open.length > 0; at += 1) {
    const [mark, isText] = [text[at], open.at(-1) === '`'];
    if (mark === '`' && isText) open.pop();
    else if (mark === '`' || (mark === '{' && (!isText || text[at - 1] === '$'))) open.push(mark);
    else if (mark === '}' && !isText) open.pop();
    else if (mark === undefined)
      throw new Error(`no end of the template that starts with ${text.slice(start, start + 80)}`);
  }
  return text
    .slice(start, at - 1)
    .trim()
    .split('\n').length;
}

/** Every module that a text imports or exports from; those of src by their path in it. */
function listImports(from: string, text: string): string[] {
  const found = text.matchAll(
    /^\s*(?:import|export)\s+(?:(?:type\s)?[^'";]*?\s*from\s*)?['"]([^'"]+)['"]|\b(?:import|require)\(\s*['"]([^'"]+)['"]\s*\)/gm,
  );
  return [...found].map(([, specifier, dynamic]) => {
    const module = (specifier ?? dynamic) as string;
    return module.startsWith('.') ? posix.join(dirname(from), module).replace(/\.js$/, '') : module;
  });
}
