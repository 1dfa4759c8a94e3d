// The rooms of src from the ground up, and what a file may import, as rules of dependency-cruiser.

/** A folder or a file of src, or several of one floor. A room imports from its own floor and from those below it. */
const FLOORS = [
  ['errors.ts', 'kind-facts.ts'],
  ['values'],
  ['observability'],
  ['database'],
  ['sharing'],
  ['wire'],
  ['slicers'],
  ['farm'],
  ['machines'],
  ['notifications'],
  ['doors'],
  ['services.ts'],
  ['resolvers.ts', 'schema.ts'],
  ['config.ts'],
  ['composition'],
  ['app.ts'],
  ['main.ts'],
  ['demo'],
  ['commands'],
];

/** The folders of a room from the ground up, held in the same way. */
const FOLDERS = {
  farm: [
    ['graph'],
    ['inventory'],
    ['cameras'],
    ['print-jobs'],
    ['stock'],
    ['reported-uses'],
    ['print-rules'],
    ['print-plans'],
    ['prints'],
    ['printer-states', 'followed-spools'],
    ['devices', 'filming', 'reports', 'summary'],
    ['changes', 'alerts'],
  ],
  doors: [['auth'], ['idempotency', 'federation'], ['rest', 'graphql', 'spoolman'], ['http']],
};

/** Packages, and the only files that may import them. */
const PACKAGES = {
  '@apollo/': 'doors/graphql',
  '@electric-sql/': 'database/embedded',
  '@fastify/': 'doors/http',
  '@opentelemetry/': 'observability',
  '@prisma/': '(database|.+[.](store|reader|rows|pages|filter|maintenance))',
  'csv-parse/': 'values/read-csv',
  'dataloader/': 'sharing',
  'fastify/': '(app|doors/http)',
  'generated/prisma/': '(database|sharing/lease|.+[.](store|reader|rows|pages|filter|maintenance))',
  'graphql-jit/': 'doors/graphql',
  'jose/': 'doors/auth',
  'pg/': 'database',
  'pino/': 'observability',
  'prom-client/': 'observability',
  'saxes/': 'slicers',
  'type-graphql/': '(schema|farm|notifications|doors/federation)',
  'yauzl/': 'slicers',
};

const rule = (name, from, to) => ({ name, severity: 'error', from, to });

const pathOf = (name) => (name.endsWith('.ts') ? `^src/${name.replace('.', '[.]')}$` : `^src/${name}/`);
const anyOf = (names) => names.map(pathOf).join('|');

const noArrowUp = (floors, of, prefix = '') =>
  floors
    .slice(0, -1)
    .map((floor, at) =>
      rule(
        `a ${of} imports from below: ${floor.join(', ')}`,
        { path: anyOf(floor.map((name) => prefix + name)) },
        { path: anyOf(floors.slice(at + 1).flatMap((names) => names.map((name) => prefix + name))) },
      ),
    );

const onlyIn = ([name, place]) =>
  rule(
    `a package is imported in its room alone: ${name.slice(0, -1)}`,
    { path: '^src/', pathNot: `^src/${place}(/|[.]|$)|^src/generated/` },
    { path: `(^|/)${name}` },
  );

module.exports = {
  forbidden: [
    ...noArrowUp(FLOORS, 'room'),
    ...Object.entries(FOLDERS).flatMap(([room, floors]) => noArrowUp(floors, `folder of ${room}`, `${room}/`)),
    ...Object.entries(PACKAGES).map(onlyIn),
    rule(
      'the rules of prints are pure: no database, no graph, no clock of their own',
      { path: '^src/farm/print-rules/' },
      {
        pathNot:
          '^src/(farm/print-rules/|values/|kind-facts[.]ts|slicers/plan[.]ts|farm/print-jobs/(filament|print-job[.]limits)[.]ts)|/decimal[.]js/',
      },
    ),
    rule(
      'a resolver is thin: no SQL, no socket, no machine',
      { path: '[.]resolver[.]ts$' },
      { path: '^src/(database|wire|machines)/|generated/prisma' },
    ),
    rule(
      'a kind of machine imports no other kind',
      { path: '^src/machines/([^/]+)/', pathNot: '^src/machines/collector/' },
      { path: '^src/machines/[^/]+/', pathNot: '^src/machines/$1/' },
    ),
    rule(
      'what a message of a machine means is pure: no socket, no timer, no database',
      {
        path: '^src/machines/[^/]+/',
        pathNot: '^src/machines/collector/|/(connection|digest-authentication|identity)[.]ts$',
      },
      {
        path: '^src/(wire|database|sharing)/|^(node:)?(net|tls|http|https|timers|fs)$|node_modules/(ws|undici|mqtt-packet)/',
      },
    ),
    rule(
      'wire alone opens a socket outward',
      { path: '^src/', pathNot: '^src/(wire|demo|doors|database|observability)/|^src/config[.]ts$' },
      { path: '^(node:)?(net|tls|http|https|dgram)$|node_modules/(ws|undici|mqtt-packet)/' },
    ),
  ],
  options: {
    // TypeScript 7 has no interface for programs; swc reads types too, but not JSX, so house.test.ts looks at the dashboard.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules|^src/generated/' },
    exclude: { path: '^src/web/' },
  },
};
