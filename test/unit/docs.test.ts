// The README and the pages of docs: one kind and one purpose each, links that lead somewhere, and numbers and tables as the code has them.
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSchema, isObjectType } from 'graphql';
import { schemaText } from '../../src/client/schema';
import { filesPage } from '../../src/commands/emit-files';
import { ENTITIES } from '../../src/doors/federation/entities';
import { SPOOLMAN_ROUTES } from '../../src/doors/spoolman/spoolman-routes';
import { HTTP_STATUS } from '../../src/errors';
import { calculateCost, deriveGrams } from '../../src/farm/print-jobs/filament';
import { calculateFilament } from '../../src/farm/print-rules/amounts';
import { NO_FIGURES, type RunningPrint } from '../../src/farm/print-rules/print.model';
import { DEVICE_KINDS, PRINTER_KINDS } from '../../src/kind-facts';
import { chooseWaitSec } from '../../src/notifications/deliveries/retries';
import { Metrics } from '../../src/observability/metrics';
import { MOONRAKER } from '../recordings/moonraker/recordings';
import { OCTOPRINT } from '../recordings/octoprint/recordings';
import { PRUSALINK } from '../recordings/prusalink/recordings';
import { instant } from '../recordings/recording';
import { constant, parseAmount, UNITS } from '../support/constants';
import { segment } from '../support/courses';
import { findNames, findTables, PAGES, readPage, type Table } from '../support/docs';

const ROOT = join(__dirname, '..', '..');
const manifest = JSON.parse(fs.readFileSync(join(ROOT, 'package.json'), 'utf8'));
const pages = [...PAGES];
/** Text that a tool writes is read unchanged. */
const written = pages.filter(([path]) => path !== 'docs/reference/files.md');
const enumValues = (name: string) => {
  const [, values = ''] = new RegExp(`^enum ${name} \\{\\n(.+?)^\\}`, 'ms').exec(schemaText) ?? [];
  return [...values.matchAll(/^ {2}([A-Z_]+)$/gm)].map(([, value]) => value as string);
};

/** The names in the first column of a table. */
const firstColumn = (table: Table | undefined) => (table?.rows ?? []).flatMap(([cell = '']) => findNames(cell));

test('the README is short', () => {
  expect(readPage('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});

test('the page of the architecture is short', () => {
  expect(readPage('docs/explanation/architecture.md').trimEnd().split('\n').length).toBeLessThanOrEqual(250);
});

test('each page is a guide, a reference or an explanation, and states its purpose first', () => {
  const purposes: Record<string, RegExp> = {
    guides: /^(This guide|You|Your)\b/,
    reference: /^This page (lists|answers|defines)\b/,
    explanation: /^This page explains\b/,
  };
  const others = pages.filter(([path]) => path !== 'README.md' && path !== 'docs/words.md');
  const wrong = others.filter(
    ([path, text]) => !purposes[path.split('/')[1] as string]?.test(text.split('\n')[2] ?? ''),
  );
  expect(wrong.map(([path]) => path)).toEqual([]);
});

test.each(written)('%s has no line longer than 160 characters, except tables', (_path, text) => {
  expect(text.split('\n').filter((line) => line.length > 160 && !line.trimStart().startsWith('|'))).toEqual([]);
});

test.each(pages)('the links of %s lead to files', (path, text) => {
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, link]) =>
    join(dirname(path), link as string),
  );
  expect(links.filter((link) => !fs.existsSync(join(ROOT, link)))).toEqual([]);
});

test.each(pages)('the links of %s to a section lead to its heading', (path, text) => {
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)];
  const listHeadings = (link: string) =>
    [...readPage(link === '' ? path : join(dirname(path), link)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      (heading as string)
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
  expect(links.filter(([, link, section]) => !listHeadings(link as string).includes(section as string))).toEqual([]);
});

test('the README names every page of docs', () => {
  const named = [...readPage('README.md').matchAll(/\]\((docs\/[^)#]+)/g)].map(([, link]) => link);
  const others = pages.map(([path]) => path).filter((path) => path !== 'README.md');
  expect(others.filter((path) => !named.includes(path))).toEqual([]);
});

test.each(written)('the scripts that %s names exist', (_path, text) => {
  const named = [...text.matchAll(/npm (?:run )?(?!ci\b|run\b|install\b|pack\b|NAME\b)([\w:]+)/g)].map(
    ([, name]) => name,
  );
  expect(named.filter((name) => !Object.keys(manifest.scripts).includes(name as string))).toEqual([]);
});

test('each step of a walk through the code names a file and a function in it', () => {
  const steps = findTables('docs/explanation/architecture.md').filter(({ heads }) => heads[2] === 'Function');
  expect(steps).toHaveLength(4);
  const wrong = steps
    .flatMap(({ rows }) => rows)
    .filter(([, file = '', name = '']) => {
      const [path = '', own = ''] = [...findNames(file), ...findNames(name)];
      const source = join(ROOT, 'src', path);
      return !fs.existsSync(source) || !new RegExp(`\\b${own}\\b`).test(fs.readFileSync(source, 'utf8'));
    });
  expect(wrong).toEqual([]);
});

test('no sentence occurs on two pages', () => {
  const seen = new Map<string, string>();
  const twice: string[] = [];
  for (const [path, text] of written) {
    const prose = text
      .replaceAll(/^ *```.*?^ *```$/gms, '')
      .replaceAll(/^ *\|.*$/gm, '')
      .replaceAll(/\s+/g, ' ');
    for (const sentence of new Set(prose.split(/(?<=[.:]) /).filter(({ length }) => length > 50))) {
      if (seen.has(sentence)) twice.push(`${path} and ${seen.get(sentence)}: ${sentence}`);
      seen.set(sentence, path);
    }
  }
  expect(twice).toEqual([]);
});

test('the list of files is as npm run codegen writes it', () => {
  expect(readPage('docs/reference/files.md')).toBe(filesPage(ROOT));
});

test('the keys for graphcache name every type of the schema of apps that has no id', () => {
  // ExternalId has an id of another program, which is a String.
  const isId = (type: unknown) => String(type) === 'ID!';
  const schema = buildSchema(schemaText);
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const withoutId = Object.values(schema.getTypeMap()).filter(
    (type) =>
      isObjectType(type) && !type.name.startsWith('__') && !roots.includes(type) && !isId(type.getFields()['id']?.type),
  );
  const [, names = ''] = /WITHOUT_ID = `([^`]*)`/.exec(readPage('docs/guides/graphql-client.md')) ?? [];
  expect(names.trim().split(/\s+/)).toEqual(withoutId.map(({ name }) => name));
  // Strict code generators fail without these keys.
  expect(schemaText).not.toMatch(/\b_(Any|Entity|Service|entities|service)\b/);
});

describe('the tables', () => {
  test.each(pages.filter(([path]) => findTables(path).some(({ heads }) => heads.includes('Constant'))))(
    'of %s have the values of the constants that they name',
    (path) => {
      const tables = findTables(path).filter(({ heads }) => heads.includes('Constant'));
      const rows = tables
        .flatMap(({ rows }) => rows)
        .map(([limit = '', value = '', name = '']) => ({ limit, value, name }));
      const wrong = rows.flatMap(({ limit, value, name }) => {
        const is = constant(findNames(name)[0] ?? '');
        return parseAmount(value) === is ? [] : [`${limit}: ${value}, and ${name} is ${is}`];
      });
      expect(wrong).toEqual([]);
    },
  );

  test('that pages link to have each amount of such a link', () => {
    const links = written.flatMap(([path, text]) =>
      [...text.matchAll(/\[(\d\S*)(\s\w+)?\]\(\S*limits\.md#([\w-]+)\)/g)].map(
        ([, digits = '', word = '', section = '']) => ({
          path,
          amount: parseAmount(digits) * (UNITS[word.trim()] ?? 1),
          section,
        }),
      ),
    );
    expect(links.length).toBeGreaterThan(2);
    const titles = [...readPage('docs/reference/limits.md').matchAll(/^## (.+)$/gm)].map(
      ([, title]) => title as string,
    );
    const readAmounts = (section: string) => {
      const title = titles.find(
        (one) =>
          one
            .toLowerCase()
            .replaceAll(/[^\w -]/g, '')
            .replaceAll(' ', '-') === section,
      );
      return findTables('docs/reference/limits.md', title).flatMap(({ rows }) =>
        rows.map(([, value = '']) => parseAmount(value)),
      );
    };
    expect(links.filter(({ amount, section }) => !readAmounts(section).includes(amount))).toEqual([]);
  });

  test('of the settings name the variables that are read, one per row, with their defaults and bounds', () => {
    const source = fs.readFileSync(join(ROOT, 'src', 'config.ts'), 'utf8');
    const read = [...source.matchAll(/(?:value|integer|oneOf|flag)\('([A-Z_]+)'/g)].map(([, name]) => name);
    const commands = [...source.matchAll(/value\('(GATEWAY_\w+)'\)/g)].map(([, name]) => name);
    const rows = findTables('docs/reference/settings.md').flatMap(({ rows }) => rows);
    expect(rows.map(([cell = '']) => findNames(cell).join()).sort()).toEqual(
      [...new Set([...read, ...commands])].sort(),
    );
    const shown = (name: string) => rows.find(([cell]) => cell === `\`${name}\``) ?? [];
    const integers = [...source.matchAll(/integer\('([A-Z_]+)', (.+?), ([\d_]+), ([\d_]+)\)/g)];
    expect(integers.length).toBeGreaterThan(10);
    for (const [, name = '', usual = '', ...bounds] of integers) {
      const [, byDefault = '', values = ''] = shown(name);
      expect([name, values.split(' to ').map(parseAmount)]).toEqual([
        name,
        bounds.map((bound) => Number(bound.replaceAll('_', ''))),
      ]);
      const [constantName] = /\b[A-Z_]{6,}\b/.exec(usual) ?? [];
      const number = constantName ? constant(constantName) : Number(usual.replaceAll('_', ''));
      if (usual !== 'null') expect([name, Number(byDefault.replaceAll('`', ''))]).toEqual([name, number]);
    }
  });

  test('of the rooms name every folder and file of src', () => {
    const [rooms, folders] = findTables('docs/explanation/architecture.md');
    expect(firstColumn(rooms).sort()).toEqual(
      fs
        .readdirSync(join(ROOT, 'src'))
        .map((name) => `src/${name}`)
        .sort(),
    );
    expect(firstColumn(folders).sort()).toEqual(fs.readdirSync(join(ROOT, 'src', 'farm')).sort());
  });

  test.each([
    ['docs/reference/alerts.md', 'AlertKind'],
    ['docs/reference/notification-events.md', 'NotificationEvent'],
    ['docs/reference/machines.md', 'DeviceKind'],
    ['docs/explanation/how-filming-is-counted.md', 'FilmingGapReason'],
  ])('of %s name every value of %s', (path, name) => {
    const values = enumValues(name).sort();
    expect(values.length).toBeGreaterThan(3);
    expect(findTables(path).map((table) => firstColumn(table).sort())).toContainEqual(values);
  });

  test('of the machines have their ports and how long they may be silent', () => {
    const [table] = findTables('docs/reference/machines.md');
    const shown = table?.rows.map(([kind = '', , port, , silent = '']) => [
      findNames(kind)[0],
      Number(port),
      parseAmount(silent),
    ]);
    expect(shown).toEqual(
      Object.entries(DEVICE_KINDS).map(([kind, { address, silentAfterMs }]) => [kind, address.port, silentAfterMs]),
    );
  });

  test('of the metrics name every metric with its labels', async () => {
    const source = fs.readFileSync(join(ROOT, 'src', 'observability', 'metrics.ts'), 'utf8');
    const metrics = new Metrics();
    const { text } = await metrics.text({
      pool: () => undefined,
      farm: () => Promise.reject(new Error('away')),
      live: () => Promise.resolve({ subscriptions: 0, deliveries: 0, secondsBehind: 0 }),
      collector: () => ({ devices: [], oldestContactSeconds: 0, decisions: {} }),
      notifier: () => ({ deliveries: [], failures: {} }),
    });
    const names = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name as string);
    const own = names.filter((name) => !/^(process|nodejs)_/.test(name));
    const [table] = findTables('docs/reference/metrics.md', 'Metrics');
    expect(firstColumn(table).sort()).toEqual(own.sort());
    for (const [name = '', labels = ''] of table?.rows ?? []) {
      const [, declared = ''] =
        new RegExp(`'${findNames(name)[0]}'[^;]*?(?:labelNames: )?\\[([^\\]]*)\\]`).exec(source) ?? [];
      if (labels !== '') expect(declared.match(/\w+/g)).toEqual(findNames(labels));
    }
  });

  test('of the dependencies name every package and where it belongs, one per row', () => {
    const expected = [manifest.dependencies, manifest.devDependencies, manifest.overrides];
    const tables = findTables('docs/explanation/dependencies.md');
    expect(tables.map(firstColumn).map((names) => names.sort())).toEqual(
      expected.map((packages) => Object.keys(packages).sort()),
    );
  });

  test('of the test commands name every folder of tests', () => {
    const folders = fs
      .readdirSync(join(ROOT, 'test'), { withFileTypes: true })
      .filter(
        (entry) => entry.isDirectory() && !['support', 'benchmark', 'recordings', 'first-release'].includes(entry.name),
      )
      .map(({ name }) => name);
    const table = findTables('docs/guides/contribute.md').find(({ heads }) => heads[0] === 'Folder of `test`');
    expect(firstColumn(table).sort()).toEqual(folders.sort());
  });

  test('of the errors name every code, with its status', () => {
    const source = fs.readFileSync(join(ROOT, 'src', 'errors.ts'), 'utf8');
    const codes = [...source.matchAll(/'([A-Z]+(?:_[A-Z]+)+)'/g)].map(([, code]) => code as string);
    const [table] = findTables('docs/reference/errors.md');
    expect(codes.filter((code) => !firstColumn(table).includes(code))).toEqual([]);
    const statuses = (table?.rows ?? []).map(([code = '', status]) => [findNames(code)[0], Number(status)]);
    expect(Object.fromEntries(statuses)).toMatchObject(HTTP_STATUS);
  });

  test("of Spoolman's API name every path with its methods", () => {
    const [table] = findTables('docs/reference/spoolman-api.md', 'Paths');
    const named = (table?.rows ?? []).flatMap(([paths = '', methods = '']) =>
      findNames(paths).flatMap((path) => methods.split(', ').map((method) => `${method} ${path}`)),
    );
    const withIds = (path: string) =>
      path.replace(/\/\{\w+\}/g, (name) => (/\{(id|uid|key)\}/.test(name) ? name : '/{entity}'));
    expect(named.toSorted()).toEqual(
      SPOOLMAN_ROUTES.routes.map(({ method, path }) => `${method} ${withIds(path)}`).toSorted(),
    );
  });

  test('of the subgraph name every type with keys', () => {
    const [row] = findTables('docs/reference/subgraph.md')[0]?.rows ?? [];
    expect(findNames(row?.[1] ?? '').sort()).toEqual(ENTITIES.map(({ name }) => name).sort());
  });
});

describe('the examples', () => {
  const PLA = ['1.75', '1.24'] as const;
  const GRAMS = 'docs/explanation/how-a-gram-finds-its-spool.md';
  const readAmounts = (section: string) =>
    findTables(GRAMS, section)
      .filter(({ heads }) => heads[3] === 'Basis')
      .flatMap(({ rows }) => rows)
      .map(([slot = '', mm = '', grams, basis]) => [findNames(slot)[0], mm.replace(/,| mm/g, ''), grams, basis]);
  const weighed = (filament: readonly string[]) =>
    filament.map((one) => {
      const [slot, mm = '', , basis] = one.split(' ');
      return [slot, mm, `${deriveGrams(mm, ...PLA)} g`, basis];
    });

  test.each([
    [
      'Klipper (Moonraker): a tool changer measures',
      MOONRAKER,
      'a tool changer: each tool has the length that it fed, COMPLETED',
    ],
    ['OctoPrint: the plan, or a part of it', OCTOPRINT, 'a cancel: PrintCancelled, then PrintFailed'],
    ['PrusaLink: the plan of each tool', PRUSALINK, 'two tools of a Raspberry, each with its plan'],
  ])('of a gram match the recordings: %s', (section, recordings, name) => {
    const recording = recordings.find((one) => one.name.includes(name));
    expect(readAmounts(section)).toEqual(weighed(recording?.expected[0]?.filament ?? []));
  });

  test('of a gram match the division by the rules: Bambu Lab', () => {
    const slots = [{ slot: 'ams:0:0', mm: '10000', grams: null }];
    const course = {
      measure: null,
      stretches: [segment('ams:0:0', [0, 1600], [1, 40]), segment('ams:0:2', [1600, 4000], [40, 100])],
    };
    const print: RunningPrint = {
      ...NO_FIGURES,
      externalId: null,
      name: 'vase',
      filePath: null,
      startedAt: instant(0),
      startedAtEstimated: false,
      plan: { seconds: null, slots },
      paused: false,
      lost: false,
      seenAt: instant(4000),
      measured: [],
      layer: 100,
      layers: 100,
      course,
      machine: PRINTER_KINDS.BAMBU,
    };
    const divided = calculateFilament(print, 'COMPLETED');
    expect(readAmounts('Bambu Lab: a backup slot continues')).toEqual(
      weighed(divided.map(({ slot, mm, basis }) => `${slot} ${mm} - ${basis}`)),
    );
  });

  test('of costs and weights follow the formulas', () => {
    const [, weight] = /1,000 mm weigh ([\d.]+) g/.exec(readPage(GRAMS).replaceAll(/\s+/g, ' ')) ?? [];
    expect(weight).toBe(deriveGrams('1000', ...PLA));
    const text = readPage('docs/guides/print-cost.md').replaceAll(/\s+/g, ' ');
    const [, net = '', price = '', grams = '', cost] =
      /spool of ([\d,]+) g costs ([\d.]+), .* used ([\d.]+) g and costs ([\d.]+)\./.exec(text) ?? [];
    expect(cost).toBe(calculateCost(grams, price, net.replace(',', '')));
  });

  test('of the ledger add up', () => {
    const [table] = findTables('docs/explanation/how-much-is-left.md', 'An example');
    const rows = (table?.rows ?? []).map((row) => row.slice(1).map((cell) => Number(cell.replaceAll(/[, g]/g, ''))));
    expect(rows).toHaveLength(5);
    for (const [used = 0, adjusted = 0, remaining] of rows) expect(1000 - used + adjusted).toBe(remaining);
    const text = readPage('docs/explanation/how-much-is-left.md').replaceAll(/\s+/g, ' ');
    const [, whole, percent, soFar, weighed, after, left] = (
      /will use ([\d.]+) g, and (\d+) % of it is printed: ([\d.]+) g\. You weigh the spool: (\d+) g .* another ([\d.]+) g are used, and ([\d.]+) g/.exec(
        text,
      ) ?? []
    ).map(Number) as [number, number, number, number, number, number, number];
    expect([(whole * percent) / 100, whole - soFar, weighed - after]).toEqual(
      [soFar, after, left].map((one) => expect.closeTo(one, 6)),
    );
  });

  test('of a film add up, and a silent camera counts for its interval', () => {
    const [table] = findTables('docs/explanation/how-filming-is-counted.md', 'An example');
    const minutes = (time: string) => Number(time.split(':')[0]) * 60 + Number(time.split(':')[1]);
    const rows = (table?.rows ?? []).map(([times = '', , counts = '']) => {
      const [from = 0, to = 0] = times.split(' to ').map(minutes);
      return { from, to, counts };
    });
    const sumLengths = (some: typeof rows) => some.reduce((sum, { from, to }) => sum + to - from, 0);
    const recorded = sumLengths(rows.filter(({ counts }) => counts === 'recorded'));
    expect(readPage('docs/explanation/how-filming-is-counted.md')).toContain(
      `${recorded} of ${sumLengths(rows)} minutes: a share of ${recorded / sumLengths(rows)}.`,
    );
    const silent = rows.findIndex(({ counts }) => counts.includes('SILENT'));
    expect(sumLengths(rows.slice(silent - 1, silent)) * 60_000).toBe(constant('DEFAULT_INTERVAL_SEC'));
  });

  test('of the requirements match the package and the warning at a start', () => {
    const [, start = ''] = readPage('README.md').split('## Start\n');
    const [oldest, older, newest] = [...manifest.engines.node.matchAll(/(\d+(?:\.[1-9]\d*)?)\S*/g)].map(
      ([, one]) => one,
    );
    expect(start).toContain(`You need Node ${newest}, ${older} or ${oldest}`);
    const source = fs.readFileSync(join(ROOT, 'src', 'database', 'embedded', 'memory-needs.ts'), 'utf8');
    const [, first, later] = /new: (\d+), existing: (\d+)/.exec(source) ?? [];
    expect(start).toContain(`${Number(first) / 1000} GB of memory at its first start, and ${later} MB later`);
  });

  test('of a delivery have the waits between its attempts', () => {
    const [table] = findTables('docs/explanation/how-notifications-are-delivered.md', 'An example');
    const attempts = (table?.rows ?? [])
      .filter(([, text = '']) => /attempt/.test(text))
      .map(([time = '']) => Date.parse(`2026-01-01T${time}Z`));
    const waits = attempts.slice(1).map((at, index) => (at - (attempts[index] as number)) / 1000);
    expect(waits).toEqual(waits.map((_, index) => chooseWaitSec(index + 1)));
    expect(waits).toHaveLength(3);
  });
});
