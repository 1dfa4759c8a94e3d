// Who may import whom: the rooms of src and their roles, held against every import that is there.
import fs from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const SOURCE = join(ROOT, 'src');
const DOMAINS = ['cameras', 'print-jobs', 'inventory'];
const RULES = ['own/*.status', 'own/*.data-source', 'own/filament'];
const ANY_RULES = ['*/*.status', '*/*.data-source', '*/filament'];

/**
 * A role is known by what it may import: modules of src without their extension (`*` is any name, `**` any path, `own` the domain of
 * the importing file) and packages. `types` may be imported as types only: they leave no trace at run time.
 */
interface Role {
  files: RegExp;
  imports: string[];
  types?: string[];
}

const domain = `(?:${DOMAINS.join('|')})`;
const roles: Record<string, Role> = {
  process: { files: /^main$/, imports: ['app', 'config', 'node:v8'] },
  command: { files: /^(?:backup|restore)$/, imports: ['config', 'database/backup', 'database/restore'] },
  'composition root': {
    files: /^app$/,
    imports: [
      'farm',
      'auth/authentication',
      'idempotency/*.service',
      'database/database',
      'graphql/*',
      'http/*',
      'rest/*',
      'observability/*',
      'reflect-metadata',
    ],
    types: ['config', 'fastify'],
  },
  'domains over a database': {
    files: /^farm$/,
    imports: ['*/*.resolver', '*/*.service', '*/*.store'],
    types: ['database/database', 'observability/metrics'],
  },
  configuration: {
    files: /^config$/,
    imports: ['node:**', 'auth/api-keys'],
    types: ['auth/authentication', 'graphql/server'],
  },
  authentication: { files: /^auth\//, imports: ['auth/*', 'errors', 'jose', 'node:**'] },
  errors: { files: /^errors$/, imports: [] },
  values: { files: /^values\//, imports: ['errors', 'decimal.js', 'lossless-json', 'node:buffer'] },
  rule: {
    files: new RegExp(`^${domain}/(?:[^/]+\\.(?:status|data-source)|filament)$`),
    imports: ['errors', 'decimal.js'],
  },
  service: {
    files: new RegExp(`^${domain}/[^/]+\\.service$`),
    imports: [...RULES, 'own/*.store', 'errors', 'values/*', 'database/paging'],
    types: ['own/*.inputs', 'own/*.types', 'database/rows'],
  },
  store: {
    files: new RegExp(`^${domain}/[^/]+\\.store$`),
    imports: ['database/*', 'errors', 'values/*', 'generated/prisma/client'],
    types: ['own/*.inputs', 'own/*.store', ...RULES],
  },
  idempotency: {
    files: /^idempotency\//,
    imports: ['idempotency/*', 'errors', 'database/maintenance', 'generated/prisma/client'],
    types: ['database/database'],
  },
  // What a graph's type refers to may lie in another domain; what that domain does may not.
  'graph type': {
    files: new RegExp(`^${domain}/[^/]+\\.(?:types|inputs)$`),
    imports: ['*/*.types', ...RULES, 'graphql/connection', 'graphql/scalars', 'type-graphql'],
    types: ['database/rows'],
  },
  resolver: {
    files: new RegExp(`^${domain}/[^/]+\\.resolver$`),
    imports: ['*/*.types', 'own/*.inputs', 'own/*.service', ...RULES, 'graphql/*', 'database/paging', 'type-graphql'],
    types: ['database/rows'],
  },
  graph: {
    files: /^graphql\//,
    imports: [
      ...['graphql/*', '*/*.resolver', '*/*.types', 'errors', 'values/*', 'database/paging', 'generated/*'],
      ...[
        'graphql',
        'type-graphql',
        'graphql-jit',
        'reflect-metadata',
        'node:**',
        '@apollo/server',
        '@apollo/server/**',
        '@apollo/utils.keyvaluecache',
      ],
    ],
    types: ['farm', 'auth/caller', 'observability/*', '@apollo/server-gateway-interface'],
  },
  rest: {
    files: /^rest\//,
    imports: ['rest/*', 'errors', 'values/*', ...ANY_RULES, 'lossless-json'],
    types: ['*/*.inputs', 'graphql/context', 'database/rows'],
  },
  http: {
    files: /^http\//,
    imports: [
      'http/*',
      'rest/*',
      'errors',
      'values/*',
      'observability/*',
      'auth/caller',
      'graphql/execution',
      'graphql/persisted-operations',
      'graphql/query-texts',
      'graphql/shared-reads',
      'fastify',
      '@apollo/server',
      '@as-integrations/fastify',
      '@fastify/cors',
      '@fastify/rate-limit',
      'lossless-json',
      'node:**',
    ],
    types: ['config', 'farm', 'auth/*', 'graphql/context', 'idempotency/*.store'],
  },
  database: {
    files: /^database\//,
    imports: [
      ...['database/*', 'errors', 'generated/prisma/client', '@prisma/adapter-pg', 'pg', 'dataloader', 'node:**'],
      ...['@electric-sql/pglite', '@electric-sql/pglite/*', 'pglite-prisma-adapter', '@prisma/debug'],
    ],
    types: ['config', '@prisma/client/runtime/client'],
  },
  observability: {
    files: /^observability\//,
    imports: ['observability/*', 'values/instant', 'pino', 'prom-client', '@opentelemetry/*', 'node:**'],
  },
  web: { files: /^web\//, imports: ['web/*', 'generated/operations'] },
};

interface Import {
  module: string;
  typeOnly: boolean;
}

const files = fs.readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
const paths = files.map((path) => path.split(sep).join('/')).filter((path) => !path.startsWith('generated'));
const modules = paths.filter((path) => path.endsWith('.ts')).map((path) => path.slice(0, -'.ts'.length));
const textOf = (path: string) => fs.readFileSync(join(SOURCE, path), 'utf8');

test('every module of src has exactly one role', () => {
  const roleless = modules.filter((module) => rolesOf(module).length !== 1);
  expect(roleless).toEqual([]);
  expect(modules.length).toBeGreaterThan(40);
});

test.each(Object.keys(roles))('what a module of the role "%s" imports, that role may import', (name) => {
  const role = roles[name] as Role;
  const own = modules.filter((module) => role.files.test(module));
  expect(own).not.toEqual([]);
  expect(own.flatMap((module) => violations(module, role))).toEqual([]);
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
  expect(importsOf('room/file', text)).toEqual([
    { module: 'a', typeOnly: false },
    { module: 'room/b', typeOnly: true },
    { module: 'c', typeOnly: true },
    { module: 'd/e', typeOnly: false },
    { module: 'f', typeOnly: false },
    { module: 'room/g', typeOnly: false },
    { module: 'room/h', typeOnly: true },
    { module: 'i', typeOnly: false },
    { module: 'j', typeOnly: false },
  ]);
});

test.each([
  ['print-jobs/print-job.status', 'print-jobs/print-job.store'],
  ['print-jobs/print-job.service', 'inventory/inventory.store'],
  ['print-jobs/print-job.service', 'generated/prisma/client'],
  ['rest/routes', 'cameras/camera.service'],
  ['rest/routes', 'cameras/camera.resolver'],
  ['cameras/camera.resolver', 'cameras/camera.store'],
  ['http/server', 'database/database'],
  ['web/app', 'values/decimal'],
])('%s could not import %s at run time', (from, to) => {
  const [role] = rolesOf(from);
  expect(allowed(from, { module: to, typeOnly: false }, role as Role)).toBe(false);
});

test('every package that src imports is a dependency', () => {
  const { dependencies } = JSON.parse(fs.readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const imported = modules.flatMap((module) => importsOf(module, textOf(`${module}.ts`)).map((one) => one.module));
  const packages = imported
    .filter((module) => !module.startsWith('node:') && !modules.includes(module) && !module.startsWith('generated/'))
    .map((module) => /^(@[^/]+\/)?[^/]+/.exec(module)?.[0]);
  expect([...new Set(packages)].filter((name) => name === undefined || !(name in dependencies))).toEqual([]);
});

test('no modules import each other in a ring', () => {
  const onward = new Map(
    modules.map((module) => [
      module,
      importsOf(module, textOf(`${module}.ts`)).flatMap((one) => (one.typeOnly ? [] : [one.module])),
    ]),
  );
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

test('only config.ts reads the environment', () => {
  const readers = modules.filter((module) => /\bprocess\s*(\.\s*env\b|\[)|node:process/.test(textOf(`${module}.ts`)));
  expect(readers).toEqual(['config']);
});

test('every file opens with a sentence that says what belongs there', () => {
  const opening = /^(\/\/ |<!-- |\/\* |# |"""\n)\S.{15,}/;
  const told = (path: string) => /\.(ts|mjs|cjs|html|css|graphql|prisma|sql|yml)$/.test(path);
  const elsewhere = ['prisma', 'test', '.ci'].flatMap((folder) =>
    fs
      .readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path))
      // The service documents and their schema are kept as they came.
      .filter((path) => !path.includes(`contract${sep}documents`)),
  );
  const all = [...paths.map((path) => join('src', path)), ...elsewhere].filter(told);
  const untold = all.filter((path) => !opening.test(fs.readFileSync(join(ROOT, path), 'utf8').replace(/^-- /, '// ')));
  expect(untold).toEqual([]);
});

test('no file or folder is a drawer for whatever has no place', () => {
  const drawer = /(^|[./])(utils?|helpers?|common|shared|misc)([./]|$)/i;
  const tests = fs.readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' });
  expect([...paths, ...tests].filter((path) => drawer.test(path))).toEqual([]);
});

function rolesOf(module: string): Role[] {
  return Object.values(roles).filter((role) => role.files.test(module));
}

function violations(module: string, role: Role): string[] {
  return importsOf(module, textOf(`${module}.ts`))
    .filter((one) => !allowed(module, one, role))
    .map((one) => `${module} imports ${one.typeOnly ? 'the types of ' : ''}${one.module}`);
}

function allowed(from: string, { module, typeOnly }: Import, role: Role): boolean {
  const patterns = [...role.imports, ...(typeOnly ? (role.types ?? []) : [])];
  return patterns.some((pattern) => matches(pattern.replace(/^own\//, `${dirname(from)}/`), module));
}

function matches(pattern: string, module: string): boolean {
  const escaped = pattern
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*?/g, (stars) => (stars === '*' ? '[^/]+' : '.+'));
  return new RegExp(`^${escaped}$`).test(module);
}

/** Every module that a text imports or exports from, those of src by their path in it. */
function importsOf(from: string, text: string): Import[] {
  const found = text.matchAll(
    /^\s*(?:import|export)\s+(?:(type\s)?([^'";]*?)\s*from\s*)?['"]([^'"]+)['"]|\b(?:import|require)\(\s*['"]([^'"]+)['"]\s*\)/gm,
  );
  return [...found].map(([, type, names = '', specifier, dynamic]) => {
    const module = (specifier ?? dynamic) as string;
    const listed = /^\{(.*)\}$/s
      .exec(names)?.[1]
      ?.split(',')
      .filter((name) => name.trim() !== '');
    return {
      module: module.startsWith('.') ? posix.join(dirname(from), module).replace(/\.js$/, '') : module,
      typeOnly: type !== undefined || (listed?.every((name) => /^\s*type\s/.test(name)) ?? false),
    };
  });
}
