// Imports: the rooms of src and the roles of their files, held against every import, of types too.
import fs from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const SOURCE = join(ROOT, 'src');

/**
 * The rooms of src from the ground up: a folder, or a file beside them. A room imports from itself, from the rooms below
 * it that are named here, and from these packages and generated modules. Types count like values.
 */
const ROOMS: Record<string, { rooms: string[]; packages: string[] }> = {
  errors: { rooms: [], packages: [] },
  'start-failures': { rooms: [], packages: [] },
  values: { rooms: ['errors'], packages: ['decimal.js', 'lossless-json', 'node:buffer', 'node:crypto'] },
  auth: { rooms: ['errors'], packages: ['jose', 'node:*'] },
  observability: { rooms: [], packages: ['pino', 'prom-client', '@opentelemetry/*', 'node:*'] },
  database: {
    rooms: ['errors', 'start-failures', 'values'],
    packages: [
      ...['generated/prisma/client', '@prisma/client/*', '@prisma/adapter-pg', 'pg', 'pg-copy-streams', 'node:*'],
      ...['@electric-sql/pglite', '@electric-sql/pglite/*', 'pglite-prisma-adapter'],
    ],
  },
  sharing: { rooms: ['errors', 'values', 'database'], packages: ['dataloader', 'node:timers/promises', 'p-limit'] },
  graph: { rooms: ['errors', 'values', 'auth', 'observability'], packages: ['graphql', 'type-graphql'] },
  idempotency: { rooms: ['errors', 'values', 'database', 'sharing', 'graph'], packages: ['generated/prisma/client'] },
  inventory: {
    rooms: ['errors', 'values', 'database', 'sharing', 'graph'],
    packages: ['type-graphql', 'generated/prisma/client'],
  },
  cameras: {
    rooms: ['errors', 'values', 'database', 'sharing', 'graph', 'inventory'],
    packages: ['type-graphql', 'generated/prisma/client', 'node:timers/promises'],
  },
  'print-jobs': {
    rooms: ['errors', 'values', 'database', 'sharing', 'graph', 'inventory'],
    packages: ['type-graphql', 'generated/prisma/client', 'decimal.js'],
  },
  reports: {
    rooms: ['errors', 'values', 'database', 'sharing', 'graph', 'inventory', 'print-jobs'],
    packages: ['type-graphql', 'generated/prisma/client'],
  },
  changes: {
    rooms: ['errors', 'values', 'database', 'sharing', 'graph', 'inventory', 'cameras', 'print-jobs'],
    packages: ['type-graphql', 'generated/prisma/client'],
  },
  alerts: {
    rooms: ['values', 'database', 'graph', 'inventory', 'cameras', 'print-jobs', 'reports'],
    packages: ['type-graphql', 'generated/prisma/client'],
  },
  summary: { rooms: ['graph', 'print-jobs'], packages: ['type-graphql'] },
  farm: {
    rooms: [
      'observability',
      'database',
      'graph',
      'inventory',
      'cameras',
      'print-jobs',
      'reports',
      'changes',
      'alerts',
      'summary',
    ],
    packages: [],
  },
  schema: {
    rooms: ['graph', 'changes', 'farm'],
    packages: ['graphql', 'type-graphql', 'reflect-metadata'],
  },
  rest: {
    rooms: ['errors', 'values', 'idempotency', 'graph', 'inventory', 'cameras', 'print-jobs', 'reports', 'summary'],
    packages: ['graphql', 'lossless-json'],
  },
  graphql: {
    rooms: ['errors', 'values', 'auth', 'observability', 'sharing', 'graph'],
    packages: [
      ...['graphql', 'graphql-jit', 'lru-cache', '@apollo/server', '@apollo/server/*', '@apollo/utils.keyvaluecache'],
      'generated/persisted-operations.json',
    ],
  },
  http: {
    rooms: ['errors', 'values', 'auth', 'observability', 'sharing', 'idempotency', 'graph', 'rest', 'graphql'],
    packages: [
      ...['fastify', '@fastify/accept-negotiator', '@fastify/cors', '@fastify/rate-limit', 'node:*'],
      ...['@fastify/websocket', 'graphql', 'graphql-ws'],
    ],
  },
  config: { rooms: ['values', 'auth', 'database', 'graphql', 'http'], packages: ['node:*'] },
  maintenance: {
    rooms: ['observability', 'database', 'idempotency', 'cameras', 'changes', 'farm', 'config'],
    packages: [],
  },
  app: {
    rooms: [
      ...['values', 'auth', 'observability', 'database', 'sharing', 'idempotency', 'changes', 'farm', 'schema', 'rest'],
      ...['graphql', 'http', 'config', 'start-failures', 'maintenance'],
    ],
    packages: ['reflect-metadata', 'fastify'],
  },
  main: { rooms: ['observability', 'config', 'app'], packages: ['node:timers/promises'] },
  // For other programs too.
  client: { rooms: [], packages: ['generated/operations', 'generated/persisted-operations.json', 'node:fs'] },
  commands: {
    rooms: ['values', 'auth', 'database', 'schema', 'config', 'main', 'client'],
    packages: [
      ...['graphql', 'generated/operations', 'generated/web-operations', 'node:*', 'commander'],
      ...['../prisma/seed', 'print-farm-gateway/package.json', 'vite'],
    ],
  },
  // A client like any other.
  web: {
    rooms: ['client'],
    packages: [
      ...['react', 'react-dom/client', 'react-router', '@base-ui/react/*', '@tanstack/react-virtual', 'recharts'],
      ...['@apollo/client', '@apollo/client/*', 'rxjs', 'vite', 'generated/web-operations', 'graphql-ws'],
    ],
  },
};

/** The folders of the dashboard from the ground up, each with those that it imports from. */
const DASHBOARD: Record<string, string[]> = {
  parts: [],
  camera: ['parts'],
  farm: ['parts', 'camera'],
  jobs: ['parts'],
  inventory: ['parts'],
  filament: ['parts'],
  start: ['parts'],
  app: ['parts', 'camera', 'farm', 'jobs', 'inventory', 'filament', 'start'],
};

/** The domains have the same roles. A role imports these files, `own` being those of its domain, and no others. */
const DOMAINS = ['inventory', 'cameras', 'print-jobs', 'reports', 'changes', 'alerts', 'summary'];
const RULES = ['own/*.status', 'own/*.data-source', 'own/filament'];
const WORDS = ['own/*.types', 'own/*.inputs', 'own/*.limits'];
const ROLES: Record<string, string[]> = {
  '*.status': ['errors'],
  '*.data-source': ['errors'],
  filament: ['decimal.js'],
  '*.maintenance': ['database/driver', 'database/failures', 'node:timers/promises'],
  '*.limits': ['values/*'],
  '*.filter': [...WORDS, '*/*.filter', 'errors', 'values/*', 'database/sql', 'generated/prisma/client'],
  '*.types': [
    ...RULES,
    'own/*.limits',
    '*/*.types',
    'graph/connection',
    'graph/costs',
    'graph/enums',
    'graph/node',
    'graph/scalars',
    'sharing/feed',
    'type-graphql',
  ],
  '*.inputs': [...WORDS, '*/*.inputs', 'graph/costs', 'graph/scalars', 'values/*', 'type-graphql'],
  '*.rows': [
    ...['own/*.types', 'own/*.limits', '*/*.rows', 'database/rows', 'database/sql'],
    'generated/prisma/client',
  ],
  '*.pages': [...WORDS, 'own/*.rows', 'database/pages', 'database/sql', 'values/*', 'generated/prisma/client'],
  '*.service': [
    ...RULES,
    ...WORDS,
    ...['*/*.filter', 'own/*.rows', 'own/*.store', '*/*.types', 'sharing/feed', 'errors', 'values/*'],
  ],
  '*.store': [
    ...RULES,
    ...WORDS,
    'own/*.pages',
    '*/*.filter',
    '*/*.rows',
    'database/*',
    'sharing/*',
    'errors',
    'values/*',
    'generated/prisma/client',
  ],
  '*.resolver': [
    ...RULES,
    ...WORDS,
    'own/*.filter',
    'own/*.rows',
    'own/*.service',
    'sharing/feed',
    '*/*.types',
    'graph/*',
    'values/members',
    'values/page',
    'type-graphql',
  ],
};

const files = fs.readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
const paths = files.map((path) => path.split(sep).join('/')).filter((path) => !path.startsWith('generated'));
/** The files by the names that imports give them. */
const fileOf = new Map(
  paths.filter((path) => /\.m?tsx?$/.test(path)).map((path) => [path.replace(/\.m?tsx?$/, ''), path]),
);
const modules = [...fileOf.keys()];
const textOf = (module: string) => fs.readFileSync(join(SOURCE, fileOf.get(module) as string), 'utf8');

test('every module of src is in a room that has a name here', () => {
  expect([...new Set(modules.map(roomOf))].sort()).toEqual(Object.keys(ROOMS).sort());
  expect(modules.length).toBeGreaterThan(40);
});

test('a room names only rooms below it', () => {
  const names = Object.keys(ROOMS);
  const upward = names.flatMap((name, at) =>
    (ROOMS[name]?.rooms ?? [])
      .filter((other) => !names.slice(0, at).includes(other))
      .map((other) => `${name} → ${other}`),
  );
  expect(upward).toEqual([]);
});

test.each(Object.keys(ROOMS))('%s imports from the rooms and packages that it names, and from all of them', (name) => {
  const { rooms, packages } = ROOMS[name] as (typeof ROOMS)[string];
  const own = modules.filter((module) => roomOf(module) === name);
  const imported = own.flatMap((module) => importsOf(module, textOf(module)).map((to) => ({ module, to })));
  const isAllowed = (to: string) =>
    // Styles and pictures.
    paths.includes(to) ||
    (modules.includes(to) ? [name, ...rooms].includes(roomOf(to)) : packages.some((pattern) => matches(pattern, to)));
  expect(imported.filter(({ to }) => !isAllowed(to))).toEqual([]);
  const unused = [
    ...rooms.filter((room) => !imported.some(({ to }) => modules.includes(to) && roomOf(to) === room)),
    ...packages.filter((pattern) => !imported.some(({ to }) => matches(pattern, to))),
  ];
  expect(unused).toEqual([]);
});

test.each(DOMAINS)('a file of %s imports what its role may import', (domain) => {
  const own = modules.filter((module) => roomOf(module) === domain);
  const found = own.map((module) => ({ module, roles: rolesOf(module) }));
  expect(found.filter(({ roles }) => roles.length !== 1)).toEqual([]);
  const strangers = found.flatMap(({ module, roles: [role] }) =>
    importsOf(module, textOf(module))
      .filter((to) => !mayImport(domain, role as string, to))
      .map((to) => `${module} → ${to}`),
  );
  expect(strangers).toEqual([]);
});

test.each([
  ['*.status', 'print-jobs/print-job.store'],
  ['*.service', 'inventory/inventory.store'],
  ['*.service', 'generated/prisma/client'],
  ['*.service', 'graph/context'],
  ['*.resolver', 'print-jobs/print-job.store'],
  ['*.resolver', 'inventory/inventory.service'],
  ['*.store', 'inventory/inventory.store'],
  ['filament', 'errors'],
])('the role %s could not import %s', (role, to) => {
  expect(mayImport('print-jobs', role, to)).toBe(false);
});

test('a folder of the dashboard imports from those below it', () => {
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

test('the parser of imports sees every form', () => {
  const text = `
    import 'a';
    import type { B } from './b';
    import { type C, type C2 } from '../c';
    import D, { type E } from "d/e";
    import * as F
      from 'f';
    export { G } from './g';
    export type { H } from './h.js';
    const i = await import('i');
    const j = require('j');`;
  expect(importsOf('room/file', text)).toEqual([...['a', 'room/b', 'c', 'd/e', 'f', 'room/g', 'room/h', 'i', 'j']]);
});

test('every package that src imports is a dependency', () => {
  const { name: self, dependencies } = JSON.parse(fs.readFileSync(join(ROOT, 'package.json'), 'utf8'));
  // The pages are built with their packages inside, before the package is installed anywhere.
  const installed = modules.filter((module) => !/^(web\/|commands\/(build-dashboard|dev)$)/.test(module));
  const imported = installed.flatMap((module) => importsOf(module, textOf(module)));
  const packages = imported
    .filter(
      (module) =>
        !modules.includes(module) && !paths.includes(module) && !/^(node:|generated\/|\.\.\/prisma\/)/.test(module),
    )
    .map((module) => /^(@[^/]+\/)?[^/]+/.exec(module)?.[0]);
  expect([...new Set(packages)].filter((name) => name !== self && !(`${name}` in dependencies))).toEqual([]);
});

test('no modules import each other in a ring, types counted', () => {
  const onward = new Map(modules.map((module) => [module, importsOf(module, textOf(module))]));
  const rings: string[] = [];
  const done = new Set<string>();
  const walk = (module: string, trail: string[]) => {
    if (trail.includes(module)) rings.push([...trail.slice(trail.indexOf(module)), module].join(' → '));
    if (trail.includes(module) || done.has(module)) return;
    for (const next of onward.get(module) ?? []) walk(next, [...trail, module]);
    done.add(module);
  };
  for (const module of modules) walk(module, []);
  expect(rings).toEqual([]);
});

test('a name that a module exports is imported by another module or by a test', () => {
  const others = ['prisma', 'test'].flatMap((folder) =>
    fs
      .readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => posix.join('..', folder, path.split(sep).join('/'))),
  );
  const importing = [...fileOf.values(), ...others.filter((path) => /\.(m?ts|tsx|cjs)$/.test(path))];
  const used = new Set(importing.flatMap((path) => namesOf(path, fs.readFileSync(join(SOURCE, path), 'utf8'))));
  // The client is for other programs, codegen.yml names the plugin, and the pages are bundled.
  const own = modules.filter((module) => !/^(client|web)\/|^commands\/typed-documents$/.test(module));
  const needless = own.flatMap((module) =>
    [...textOf(module).matchAll(EXPORTED)]
      .map(([, name]) => `${module} ${name}`)
      .filter((name) => !used.has(name) && !used.has(`${module} *`)),
  );
  expect(needless).toEqual([]);
});

test('only config.ts reads the environment', () => {
  const readers = modules.filter((module) => /\bprocess\s*(\.\s*env\b|\[)|node:process/.test(textOf(module)));
  expect(readers).toEqual(['config']);
});

test('every file opens with a sentence that says what belongs there', () => {
  const opening = /^(\/\/ |<!-- |\/\* |# |"""\n)\S.{15,}/;
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

const EXPORTED = /^export (?:abstract |async )?(?:const|class|interface|type|function\*?) (\w+)/gm;

/** The names that a text imports, each behind its module; `*` for all names of it. */
function namesOf(from: string, text: string): string[] {
  const found = text.matchAll(
    /\b(?:import|export)\s+(?:type\s+)?(?:\w+,\s*)?(?:\{([^}]*)\}|\*[^'"]*?)\s*from\s*['"](\.[^'"]+)['"]|\b(?:import|require|requireActual)(?:<[^>]*>)?\(\s*['"](\.[^'"]+)['"]/g,
  );
  return [...found].flatMap(([, names = '*', specifier, dynamic]) => {
    const module = posix.join(posix.dirname(from), (specifier ?? dynamic) as string).replace(/\.js$|^\.\.\/src\//g, '');
    return names.split(',').map(
      (name) =>
        `${module} ${name
          .trim()
          .replace(/^type\s+/, '')
          .replace(/\s.*$/, '')}`,
    );
  });
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
