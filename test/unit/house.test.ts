// The rooms of src and the roles of their files, held against every import, of types too. Biome finds rings and packages that
// are no dependencies, and knip finds exports that nothing imports.
import fs from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { DEVICE_KINDS } from '../../src/kinds';
import { page } from '../support/docs';

const ROOT = join(__dirname, '..', '..');
const SOURCE = join(ROOT, 'src');

/** The rooms of src from the ground up: a folder, or a file beside them, each with the rooms below it that it imports from. */
const ROOMS: Record<string, string[]> = {
  errors: [],
  'start-failures': [],
  values: ['errors'],
  auth: ['errors', 'values'],
  observability: [],
  database: ['errors', 'start-failures', 'values'],
  sharing: ['errors', 'values', 'database'],
  graph: ['errors', 'values', 'auth', 'observability'],
  idempotency: ['errors', 'values', 'database', 'sharing', 'graph'],
  inventory: ['errors', 'values', 'database', 'sharing', 'graph'],
  cameras: ['errors', 'values', 'database', 'sharing', 'graph', 'inventory'],
  plans: [],
  kinds: [],
  leases: ['database'],
  'print-jobs': ['errors', 'values', 'database', 'sharing', 'graph', 'inventory'],
  'print-rules': ['values', 'kinds', 'plans', 'print-jobs'],
  'print-plans': ['errors', 'values', 'database', 'graph', 'plans', 'print-rules'],
  'observed-prints': [
    ...['errors', 'values', 'database', 'sharing', 'graph', 'inventory', 'kinds', 'leases', 'print-jobs'],
    'print-rules',
  ],
  'printer-states': [
    ...['errors', 'values', 'database', 'sharing', 'graph', 'inventory', 'kinds', 'leases', 'print-rules'],
    'observed-prints',
  ],
  devices: [
    ...['errors', 'values', 'database', 'sharing', 'graph', 'inventory', 'cameras', 'kinds', 'leases', 'print-rules'],
    ...['observed-prints', 'printer-states'],
  ],
  filming: ['errors', 'values', 'database', 'sharing', 'graph', 'inventory', 'cameras', 'print-jobs'],
  reports: ['errors', 'values', 'database', 'sharing', 'graph', 'inventory', 'print-jobs'],
  changes: [
    'errors',
    'values',
    'database',
    'sharing',
    'graph',
    'inventory',
    'cameras',
    'print-jobs',
    'observed-prints',
    'devices',
  ],
  alerts: [
    ...[
      'values',
      'database',
      'graph',
      'inventory',
      'cameras',
      'leases',
      'print-jobs',
      'print-plans',
      'observed-prints',
    ],
    ...['printer-states', 'reports'],
  ],
  notifications: [
    ...[
      'errors',
      'values',
      'database',
      'sharing',
      'graph',
      'inventory',
      'cameras',
      'leases',
      'print-jobs',
      'print-rules',
    ],
    ...['observed-prints', 'printer-states', 'devices', 'changes', 'alerts'],
  ],
  summary: ['graph', 'print-jobs'],
  federation: [
    ...[
      'errors',
      'values',
      'graph',
      'inventory',
      'cameras',
      'print-jobs',
      'observed-prints',
      'devices',
      'notifications',
    ],
  ],
  farm: [
    'leases',
    'observability',
    'database',
    'graph',
    'inventory',
    'cameras',
    'print-jobs',
    'print-plans',
    'observed-prints',
    'printer-states',
    'devices',
    'filming',
    'reports',
    'changes',
    'alerts',
    'notifications',
    'summary',
    'federation',
  ],
  schema: ['graph', 'changes', 'farm'],
  rest: [
    ...['errors', 'values', 'idempotency', 'graph', 'inventory', 'cameras', 'print-jobs', 'observed-prints', 'filming'],
    ...['reports', 'summary'],
  ],
  graphql: ['errors', 'values', 'auth', 'observability', 'sharing', 'graph'],
  http: ['errors', 'values', 'auth', 'observability', 'sharing', 'idempotency', 'graph', 'rest', 'graphql'],
  config: ['values', 'auth', 'database', 'devices', 'rest', 'graphql', 'http'],
  maintenance: [
    'values',
    'observability',
    'database',
    'idempotency',
    'cameras',
    'filming',
    'changes',
    'farm',
    'config',
  ],
  app: [
    'errors',
    'values',
    'auth',
    'observability',
    'database',
    'sharing',
    'idempotency',
    'devices',
    'changes',
    'reports',
    'observed-prints',
    'printer-states',
    'notifications',
    'farm',
    'schema',
    'rest',
    'graphql',
    'http',
    'config',
    'start-failures',
    'maintenance',
  ],
  main: ['values', 'observability', 'config', 'app'],
  client: [],
  demo: ['values', 'devices', 'client'],
  commands: ['values', 'auth', 'database', 'federation', 'schema', 'config', 'main', 'client', 'plans', 'demo'],
  web: ['client'],
};

/** Packages, and the rooms that import them; the roles below say which files of a domain do. */
const PACKAGES: Record<string, string[]> = {
  '@prisma/': ['database'],
  'mqtt-packet': ['demo', 'devices'],
  pg: ['database'],
  '@electric-sql/': ['database'],
  '@apollo/server': ['graphql'],
  'graphql-jit': ['graphql'],
  fastify: ['app', 'http'],
  '@fastify/': ['http'],
  jose: ['auth'],
  pino: ['observability'],
  react: ['web'],
  saxes: ['plans'],
  undici: ['devices', 'notifications'],
  ws: ['demo', 'devices'],
  yauzl: ['plans'],
  'generated/web-operations': ['commands', 'web'],
};

/** The folders of the dashboard from the ground up, each with those that it imports from. */
const DASHBOARD: Record<string, string[]> = {
  parts: [],
  prints: ['parts'],
  films: ['parts'],
  filament: ['parts'],
  devices: ['parts', 'prints'],
  camera: ['parts', 'films', 'devices'],
  printers: ['parts', 'camera', 'devices', 'prints', 'filament'],
  notifications: ['parts'],
  farm: ['parts', 'camera', 'prints', 'printers', 'notifications'],
  jobs: ['parts', 'prints', 'films', 'camera'],
  inventory: ['parts', 'prints'],
  start: ['parts'],
  app: ['parts', 'camera', 'prints', 'printers', 'farm', 'jobs', 'inventory', 'filament', 'start', 'notifications'],
};

/** The domains have the same roles. A role imports these files, `own` being those of its domain, and no others. */
const DOMAINS = [
  ...['inventory', 'cameras', 'print-jobs', 'print-plans', 'observed-prints', 'printer-states', 'devices', 'reports'],
  ...['filming', 'changes', 'alerts', 'notifications', 'summary'],
];
/** The side of a domain that has machines instead of a graph: docs/adapters.md. */
const MACHINES = /^devices\/(?!device\.)/;
/** What tells targets, beside the files of the domain. */
const TELLING = /^notifications\/(?!target\.|delivery\.)/;
const RULES = [
  'own/*.status',
  'own/*.data-source',
  'own/filament',
  'own/*.parts',
  'kinds',
  'print-rules/*',
  'plans/plan',
];
const WORDS = ['own/*.types', 'own/*.inputs', 'own/*.limits'];
const ROLES: Record<string, string[]> = {
  '*.status': ['errors', 'print-rules/*', 'values/instant'],
  '*.data-source': ['errors'],
  filament: ['decimal.js'],
  '*.parts': ['own/filament', 'values/*', 'decimal.js'],
  '*.maintenance': [
    ...['own/*.rows', 'database/driver/driver', 'database/failures', 'database/sql', 'values/instant'],
    ...['generated/prisma/client', 'node:timers/promises'],
  ],
  '*.limits': ['values/*'],
  '*.filter': [...WORDS, 'own/*.rows', '*/*.filter', 'errors', 'values/*', 'database/sql', 'generated/prisma/client'],
  '*.types': [
    ...RULES,
    'own/*.limits',
    '*/*.types',
    'own/connection',
    'graph/connection',
    'graph/costs',
    'graph/enums',
    'graph/node',
    'graph/scalars',
    'sharing/feed',
    'type-graphql',
  ],
  '*.inputs': [
    ...RULES,
    ...WORDS,
    '*/*.inputs',
    '*/*.types',
    'graph/costs',
    'graph/page-arguments',
    'graph/scalars',
    'values/*',
    'type-graphql',
  ],
  '*.rows': [
    ...RULES,
    ...[
      'own/*.types',
      'own/*.limits',
      'own/connection',
      'own/fault-sentences',
      'own/faults',
      'leases/lease-time',
      '*/*.rows',
      'database/rows',
      'database/sql',
    ],
    'values/instant',
    'generated/prisma/client',
  ],
  '*.pages': [...WORDS, 'own/*.rows', 'database/pages', 'database/sql', 'values/*', 'generated/prisma/client'],
  '*.service': [
    ...RULES,
    ...WORDS,
    ...[
      'own/address',
      'own/kinds',
      'own/limits',
      'own/fault-sentences',
      'own/places',
      'own/secrets',
      'own/trial',
      'own/*.service',
    ],
    // A target has its secret and its address as a device has.
    ...['devices/secrets', 'own/members', 'own/readable', 'own/senders', 'own/signing'],
    ...[
      '*/*.filter',
      'own/*.rows',
      'own/*.store',
      '*/*.types',
      'sharing/feed',
      'sharing/newest',
      'errors',
      'values/*',
      'p-limit',
    ],
    // A print makes jobs, with amounts and parts.
    ...['leases/lease', 'print-jobs/filament', 'print-jobs/*.parts', 'print-jobs/*.rows'],
    ...['print-jobs/*.service', 'print-jobs/*.status'],
    'decimal.js',
  ],
  '*.store': [
    ...RULES,
    ...WORDS,
    'own/*.pages',
    '*/*.filter',
    '*/*.rows',
    'database/*',
    'leases/*',
    'sharing/*',
    'errors',
    'values/*',
    'generated/prisma/client',
    'p-limit',
  ],
  '*.resolver': [
    ...RULES,
    ...WORDS,
    'own/*.filter',
    'own/*.rows',
    'own/*.service',
    'sharing/feed',
    'sharing/newest',
    '*/*.types',
    'graph/*',
    'values/members',
    'values/page',
    'type-graphql',
  ],
};

/** The packages of sockets, and of Node. */
const SOCKETS = /^(node:.+|mqtt-packet|p-limit|undici|ws)$/;
/**
 * The files of devices that have machines instead of a graph, from the top down: a file is in the first layer that fits it, imports from
 * the layers that this one names, and otherwise only what is said here. No kind of machine imports another one.
 */
const MACHINE_LAYERS: Record<string, { files: RegExp; layers: string[]; others: RegExp[] }> = {
  collector: {
    files: /^collector\//,
    layers: ['collector', 'kinds', 'connections', 'adapters'],
    others: [/^kinds$/, /^(node:crypto|p-limit)$/, /^[^:@]+\//, /^errors$/],
  },
  kinds: {
    files: /^(kinds|places|trial)$/,
    layers: ['kinds', 'connections', 'adapters'],
    others: [SOCKETS, /^(values|print-rules\/readings|kinds$|devices\/device\.types)/],
  },
  connections: {
    files: /^([^/]+\/(connection|digest|identity)|(?!adapter$|bounds$|hearing$|tracking$)[^/]+)$/,
    layers: ['connections', 'adapters'],
    others: [SOCKETS, /^(errors$|kinds$|values\/)/],
  },
  // Pure: no socket, no timer, no database, and of the rules only the words that they understand.
  adapters: {
    files: /./,
    layers: ['adapters'],
    others: [/^(decimal\.js|cameras\/camera\.types|print-rules\/readings|values\/(?!timers).+)$/],
  },
};
/** The files that every kind of machine has; a printer also follows its prints. */
const FILES_OF_KIND = ['adapter', 'connection', 'status', 'words'];

const files = fs.readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
const paths = files.map((path) => path.split(sep).join('/')).filter((path) => !path.startsWith('generated'));
/** The files by the names that imports give them. */
const fileOf = new Map(
  paths.filter((path) => /\.m?tsx?$/.test(path)).map((path) => [path.replace(/\.m?tsx?$/, ''), path]),
);
const modules = [...fileOf.keys()];
const textOf = (module: string) => fs.readFileSync(join(SOURCE, fileOf.get(module) as string), 'utf8');

test('every module of src is in a room', () => {
  expect([...new Set(modules.map(roomOf))].sort()).toEqual(Object.keys(ROOMS).sort());
  expect(modules.length).toBeGreaterThan(40);
});

test('a room imports from rooms below it', () => {
  const names = Object.keys(ROOMS);
  const upward = names.flatMap((name, at) =>
    (ROOMS[name] ?? []).filter((other) => !names.slice(0, at).includes(other)).map((other) => `${name} → ${other}`),
  );
  expect(upward).toEqual([]);
});

test.each(Object.keys(ROOMS))('a room imports from the rooms that ROOMS gives it, and from all of them: %s', (name) => {
  const own = modules.filter((module) => roomOf(module) === name);
  const imported = own.flatMap((module) => importsOf(module, textOf(module))).filter((to) => modules.includes(to));
  const others = imported.map(roomOf).filter((room) => room !== name);
  expect([...new Set(others)].sort()).toEqual([...(ROOMS[name] ?? [])].sort());
});

test('the built-in database imports the interface of drivers alone from the folders beside it', () => {
  const own = modules.filter((module) => module.startsWith('database/embedded/'));
  const others = own
    .flatMap((module) => importsOf(module, textOf(module)))
    .filter((to) => /^database\/(?!embedded\/)/.test(to));
  expect([...new Set(others)]).toEqual(['database/driver/driver']);
});

test.each(Object.entries(PACKAGES))(
  'a package of PACKAGES is imported in its rooms alone: %s, in %j',
  (name, rooms) => {
    const isIt = (to: string) => (name.endsWith('/') ? to.startsWith(name) : to === name || to.startsWith(`${name}/`));
    const importing = modules.filter((module) => importsOf(module, textOf(module)).some(isIt));
    expect([...new Set(importing.map(roomOf))].sort()).toEqual(rooms);
  },
);

test.each(DOMAINS)('a file of a domain imports what its role in ROLES may import: %s', (domain) => {
  const own = modules.filter((module) => roomOf(module) === domain && !MACHINES.test(module) && !TELLING.test(module));
  const found = own.map((module) => ({ module, roles: rolesOf(module) }));
  expect(found.filter(({ roles }) => roles.length !== 1)).toEqual([]);
  const strangers = found.flatMap(({ module, roles: [role] }) =>
    importsOf(module, textOf(module))
      .filter((to) => !mayImport(domain, role as string, to))
      .map((to) => `${module} → ${to}`),
  );
  expect(strangers).toEqual([]);
});

test('a file of the machines imports what its layer may import, and of no kind but its own', () => {
  const machines = modules.filter((module) => MACHINES.test(module));
  const kindOf = (module: string) => /^devices\/(?!collector)(.+)\//.exec(module)?.[1];
  const strangers = machines.flatMap((module) => {
    const { layers, others } = MACHINE_LAYERS[layerOf(module)] as (typeof MACHINE_LAYERS)[string];
    const isOpen = posix.basename(module) === 'kinds' && kindOf(module) === undefined;
    const may = (to: string) =>
      MACHINES.test(to)
        ? layers.includes(layerOf(to)) && (isOpen || [kindOf(module), undefined].includes(kindOf(to)))
        : others.some((pattern) => pattern.test(to));
    return importsOf(module, textOf(module))
      .filter((to) => !may(to))
      .map((to) => `${module} → ${to}`);
  });
  expect(strangers).toEqual([]);
  const kinds = new Set(machines.flatMap((module) => kindOf(module) ?? []));
  const expected = [...kinds].flatMap((kind) => FILES_OF_KIND.map((name) => `devices/${kind}/${name}`));
  expect(machines).toEqual(expect.arrayContaining(expected));
});

/** Of a module of devices. */
function layerOf(module: string): string {
  const name = module.replace('devices/', '');
  return Object.keys(MACHINE_LAYERS).find((layer) => MACHINE_LAYERS[layer]?.files.test(name)) as string;
}

test('the rules of prints are pure: no database, no graph and no clock', () => {
  const own = modules.filter((module) => roomOf(module) === 'print-rules');
  const allowed = ['kinds', 'plans/plan', 'print-jobs/filament', 'print-rules/*', 'values/*', 'decimal.js'];
  const strangers = own.flatMap((module) =>
    importsOf(module, textOf(module))
      .filter((to) => !allowed.some((pattern) => matches(pattern, to)))
      .map((to) => `${module} → ${to}`),
  );
  expect([
    ...strangers,
    ...own.filter((module) => /\bDate\.now\b|new Date\(\)|instantNow/.test(textOf(module))),
  ]).toEqual([]);
});

test('the rules of prints name no kind of machine: they get what a kind is as a value', () => {
  const own = modules.filter((module) => /^(print-rules|observed-prints|print-plans|printer-states)\//.test(module));
  const kinds = Object.keys(DEVICE_KINDS).join('|');
  const names = new RegExp(`${kinds}|bambu|klipper|moonraker|octoprint|prusa|gopro`, 'gi');
  // Comments say which machine taught a rule.
  const codeOf = (module: string) =>
    textOf(module)
      .replace(/\/\*.*?\*\//gs, '')
      .replace(/\/\/.*/g, '');
  expect(own.flatMap((module) => [...codeOf(module).matchAll(names)].map(([name]) => `${module}: ${name}`))).toEqual(
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
    return importsOf(module, textOf(module))
      .filter((to) => /^web\/.+\//.test(to) && !allowed.includes(to.split('/')[1] as string))
      .map((to) => `${module} → ${to}`);
  });
  expect(upward).toEqual([]);
});

test('the page docs/architecture.md has the same rooms, domains and roles, and each of these sentences', () => {
  const sections = page('docs/architecture.md').split(/^## (.+)$/m);
  const sectionOf = (heading: string) => sections[sections.indexOf(heading) + 1] ?? '';
  const [rooms, roles, held] = ['Rooms', 'The files of a domain', 'What is held'].map(sectionOf);
  const namesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);
  const firstCells = (text = '') => namesIn([...text.matchAll(/^\|([^|]+)\|/gm)].map(([, cell]) => cell).join(''));
  const roomNames = firstCells(rooms).map((path) => path.replace(/^src\/|\.ts$/g, ''));
  expect(roomNames.filter((name) => name !== 'generated').sort()).toEqual(Object.keys(ROOMS).sort());
  expect(namesIn(/The domains are ([^:]+):/.exec(roles ?? '')?.[1] ?? '').sort()).toEqual([...DOMAINS].sort());
  const roleNames = firstCells(roles).map((name) => name.replace(/\.ts$/, ''));
  expect(roleNames.filter((name) => name !== '*.sql').sort()).toEqual(Object.keys(ROLES).sort());
  const own = fs.readFileSync(__filename, 'utf8').matchAll(/^test(?:\.each\(.+?\))?\(\s*'([^']+?)(?:: %[^']*)?',/gm);
  const sentences = [...(held ?? '').matchAll(/^- (.+(?:\n {2}.+)*)$/gm)].map(([, text]) =>
    text?.replaceAll(/\s+/g, ' '),
  );
  expect(sentences).toEqual([...own].map(([, name]) => `${name?.replace(/^./, (letter) => letter.toUpperCase())}.`));
});

/** Options of the platform and of packages that are times in milliseconds. */
const TIME_OPTIONS = [
  ...['statement_timeout', 'idle_in_transaction_session_timeout', 'query_timeout'],
  ...['connectionTimeoutMillis', 'idleTimeoutMillis', 'keepAliveInitialDelay', 'keepAliveInitialDelayMillis'],
  ...['maxWait', 'timeout', 'connectionTimeout', 'requestTimeout', 'headersTimeout', 'bodyTimeout', 'keepAliveTimeout'],
  ...['connectTimeout', 'handshakeTimeout', 'connectionInitWaitTimeout', 'connectionsCheckingInterval'],
];

test('every time that is handed to the platform comes from values/timers, or is a constant', () => {
  const TIMERS = 'values/timers';
  const browser = /^(web|client)\//;
  const found = modules
    .filter((module) => module !== TIMERS)
    .flatMap((module) => {
      const text = textOf(module);
      const imported = new RegExp(`import \\{([^}]*)\\} from '[./]*${TIMERS}'`).exec(text)?.[1] ?? '';
      const isBounded = (name: string) => imported.split(',').some((one) => one.trim() === name);
      // Browsers have their own timers, and only constants go to them.
      const timers = [...text.matchAll(/(?<![\w.])(setTimeout|setInterval)\(/g)].filter(
        ([, name]) => !isBounded(name as string),
      );
      const unbounded = browser.test(module)
        ? timers.filter(({ index }) => !isConstant(lastArgumentOf(text, index)))
        : timers;
      const others = text.matchAll(
        /AbortSignal\.timeout|(?:globalThis|window|global|self)\.set(?:Timeout|Interval)|\w\.setTimeout\(|\bsetTimeout\b[^}\n]*\} from 'node:timers|import\('node:timers/g,
      );
      const options = text.matchAll(
        new RegExp(
          `(?<!const )\\b(?:${TIME_OPTIONS.join('|')})['"]?(?::| =|,) (?!['"\`]?\\$?\\{?(?:wholeMs\\(|[\\d_]+\\b|[A-Z][A-Z_]+\\b))(?!true|number|string)`,
          'g',
        ),
      );
      return [...unbounded, ...others, ...options].map(([what]) => `${module}: ${what}`);
    });
  expect(found).toEqual([]);
});

/** Of the call that begins at the index. */
function lastArgumentOf(text: string, index: number): string {
  const begin = text.indexOf('(', index);
  let [depth, comma] = [0, begin];
  for (let at = begin; ; at += 1) {
    const letter = text[at] as string;
    if ('([{'.includes(letter)) depth += 1;
    if (')]}'.includes(letter)) depth -= 1;
    if (letter === ',' && depth === 1 && comma === begin) comma = at;
    if (depth === 0)
      return (
        text
          .slice(comma + 1, at)
          .split(',')[0]
          ?.trim() ?? ''
      );
  }
}

const isConstant = (time: string) => /^([A-Z][A-Z_]+|[\d_]+|Math\.round\(\w+\))$/.test(time);

test('only config.ts reads the environment', () => {
  const readers = modules.filter((module) => /\bprocess\s*(\.\s*env\b|\[)|node:process/.test(textOf(module)));
  expect(readers).toEqual(['config']);
});

test('every file opens with a sentence that says what belongs there', () => {
  const opening = /^(\/\/ |\/\*\*\n \* |<!-- |\/\* |# |"""\n)\S.{15,}/;
  const told = (path: string) => /\.(m?tsx?|mjs|cjs|html|css|graphql|prisma|sql|yml)$/.test(path);
  const elsewhere = ['prisma', 'test', '.ci'].flatMap((folder) =>
    fs
      .readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path))
      // The service documents and their schema are kept as they came.
      .filter((path) => !path.includes(`contract${sep}documents`)),
  );
  const all = [...paths.map((path) => join('src', path)), ...elsewhere].filter(told);
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

test('no file or folder is a drawer for whatever has no place', () => {
  const drawer = /(^|[./])(utils?|helpers?|common|shared|misc)([./]|$)/i;
  const tests = fs.readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' });
  expect([...paths, ...tests].filter((path) => drawer.test(path))).toEqual([]);
});

/** The folder of a module, or the module itself where it lies beside the folders. */
function roomOf(module: string): string {
  return module.split('/')[0] as string;
}

function rolesOf(module: string): string[] {
  return Object.keys(ROLES).filter((role) => matches(role, posix.basename(module)));
}

function mayImport(domain: string, role: string, to: string): boolean {
  return (ROLES[role] ?? []).some((pattern) => matches(pattern.replace(/^own\//, `${domain}/`), to));
}

/** `*` stands for any text; in a pattern that begins with it and a slash, for a text without a slash. */
function matches(pattern: string, module: string): boolean {
  const escaped = pattern
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', pattern.startsWith('*/') ? '[^/]+' : '.+');
  return new RegExp(`^${escaped}$`).test(module);
}

/** Every module that a text imports or exports from; those of src by their path in it. */
function importsOf(from: string, text: string): string[] {
  const found = text.matchAll(
    /^\s*(?:import|export)\s+(?:(?:type\s)?[^'";]*?\s*from\s*)?['"]([^'"]+)['"]|\b(?:import|require)\(\s*['"]([^'"]+)['"]\s*\)/gm,
  );
  return [...found].map(([, specifier, dynamic]) => {
    const module = (specifier ?? dynamic) as string;
    return module.startsWith('.') ? posix.join(dirname(from), module).replace(/\.js$/, '') : module;
  });
}
