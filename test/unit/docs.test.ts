// The README and the pages of docs: short lines, links that lead somewhere, tables that are complete, no text twice.
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSchema, isObjectType } from 'graphql';
import { schemaText } from '../../src/client/schema';
import { ENTITIES } from '../../src/doors/federation/entities';
import { ROWS_OF_LOG_DAY } from '../../src/farm/cameras/health.limits';
import { MAX_CHANGES_EXAMINED } from '../../src/farm/changes/change.service';
import { PRICE_OF_FILMING } from '../../src/farm/filming/filming.resolver';
import { MAX_COUNTED_JOBS, MAX_OFFSET_PRICE, SEARCH_PRICE } from '../../src/farm/print-jobs/print-job.limits';
import { WALK_PRICE } from '../../src/farm/prints/observed-print.inputs';
import { REPORT_PRICE } from '../../src/farm/reports/usage.resolver';
import { PAGES, page } from '../support/docs';

const ROOT = join(__dirname, '..', '..');
const manifest = JSON.parse(fs.readFileSync(join(ROOT, 'package.json'), 'utf8'));
const pages = [...PAGES];

const namesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);
/** For each table of a page, the cells of its first column. */
const tables = (path: string) =>
  [...page(path).matchAll(/^\|---.*\n((?:\|.*\n)+)/gm)].map(([, body]) =>
    (body as string)
      .trim()
      .split('\n')
      .map((row) => row.split('|')[1] as string),
  );
/** The names in the first column of a table, sorted. */
const rows = (path: string, table = 0) => (tables(path)[table] ?? []).flatMap(namesIn).sort();

test('the README is short', () => {
  expect(page('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});

test.each(pages)('%s has no line longer than 160 characters, but for tables', (_path, text) => {
  expect(text.split('\n').filter((line) => line.length > 160 && !line.startsWith('|'))).toEqual([]);
});

test.each(pages)('the links of %s lead to files', (path, text) => {
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, link]) => join(dirname(path), link as string));
  expect(links.filter((link) => !fs.existsSync(join(ROOT, link)))).toEqual([]);
});

test.each(pages)('the links of %s to a section lead to its heading', (path, text) => {
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)];
  const headingsOf = (link: string) =>
    [...page(link === '' ? path : join(dirname(path), link)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      (heading as string)
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
  expect(links.filter(([, link, section]) => !headingsOf(link as string).includes(section as string))).toEqual([]);
});

test('the README names every page of docs', () => {
  const named = [...page('README.md').matchAll(/\]\((docs\/[^)]+)\)/g)].map(([, link]) => link);
  const others = pages.map(([path]) => path).filter((path) => path !== 'README.md');
  expect(others.filter((path) => !named.includes(path))).toEqual([]);
});

test.each(pages)('the scripts that %s names exist', (_path, text) => {
  const named = [...text.matchAll(/npm (?:run )?(?!ci\b|run\b|install\b|pack\b)([\w:]+)/g)].map(([, name]) => name);
  expect(named.filter((name) => !Object.keys(manifest.scripts).includes(name as string))).toEqual([]);
});

test('the page of the supergraph names every type with keys', () => {
  const [, named = ''] = /^- (.+?) have two keys/ms.exec(page('docs/federation.md')) ?? [];
  expect([...named.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()).toEqual(
    ENTITIES.map(({ name }) => name).sort(),
  );
});

test('no sentence stands on two pages', () => {
  const seen = new Map<string, string>();
  const twice: string[] = [];
  for (const [path, text] of pages) {
    const prose = text.replaceAll(/^(```|\|).*?(\1|\n)/gms, '').replaceAll(/\s+/g, ' ');
    for (const sentence of new Set(prose.split(/(?<=[.:]) /).filter(({ length }) => length > 50))) {
      if (seen.has(sentence)) twice.push(`${path} and ${seen.get(sentence)}: ${sentence}`);
      seen.set(sentence, path);
    }
  }
  expect(twice).toEqual([]);
});

test('the keys for graphcache name every type of the schema of apps that has no id', () => {
  const schema = buildSchema(schemaText);
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const withoutId = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !type.name.startsWith('__') && !roots.includes(type) && !type.getFields()['id'],
  );
  const [, names = ''] = /WITHOUT_ID = `([^`]*)`/.exec(page('docs/graphql.md')) ?? [];
  expect(names.trim().split(/\s+/)).toEqual(withoutId.map(({ name }) => name));
  // Strict generators of code stop at them.
  expect(schemaText).not.toMatch(/\b_(Any|Entity|Service|entities|service)\b/);
});

describe('the tables', () => {
  test('of the prices have those of the fields', () => {
    const [, body = ''] = page('docs/configuration.md').split('## Prices of GraphQL');
    const prices = [...body.matchAll(/^\| ([^|]*`[^|]*) \| .*?([\d,]{3,})/gm)].map(([, fields, price]) => [
      namesIn(fields as string)[0],
      Number(price?.replaceAll(',', '')),
    ]);
    expect(Object.fromEntries(prices)).toEqual({
      search: SEARCH_PRICE,
      createdFrom: MAX_COUNTED_JOBS,
      changes: MAX_CHANGES_EXAMINED,
      outcome: WALK_PRICE,
      offset: MAX_OFFSET_PRICE,
      series: ROWS_OF_LOG_DAY,
      filming: PRICE_OF_FILMING,
      filamentUsage: REPORT_PRICE,
    });
  });

  test('of the configuration name the variables that are read, one a row', () => {
    const source = fs.readFileSync(join(ROOT, 'src', 'config.ts'), 'utf8');
    const read = [...source.matchAll(/(?:value|integer|oneOf|flag)\('([A-Z_]+)'/g)].map(([, name]) => name);
    expect(rows('docs/configuration.md')).toEqual([...new Set(read)].sort());
    expect(tables('docs/configuration.md')[0]?.filter((cell) => namesIn(cell).length !== 1)).toEqual([]);
  });

  test('of the rooms name every folder and file of src', () => {
    const rooms = fs.readdirSync(join(ROOT, 'src')).map((name) => `src/${name}`);
    expect(rows('docs/architecture.md').sort()).toEqual(rooms.sort());
    const folders = fs.readdirSync(join(ROOT, 'src', 'farm')).sort();
    expect(rows('docs/architecture.md', 1).sort()).toEqual(folders);
  });

  test('of the alerts name every kind', () => {
    const [, values = ''] =
      /^enum AlertKind \{\n(.+?)^\}/ms.exec(
        fs.readFileSync(join(ROOT, 'src', 'generated', 'schema.graphql'), 'utf8'),
      ) ?? [];
    const kinds = [...values.matchAll(/^ {2}([A-Z_]+)$/gm)].map(([, name]) => name);
    expect(tables('docs/operation.md').map((table) => table.flatMap(namesIn))).toContainEqual(kinds);
  });

  test('of the dependencies name every package, where it belongs, one a row', () => {
    const expected = [manifest.dependencies, manifest.devDependencies, manifest.overrides];
    expect([0, 1, 2].map((table) => rows('docs/dependencies.md', table))).toEqual(
      expected.map((packages) => Object.keys(packages).sort()),
    );
    expect(tables('docs/dependencies.md').map((table) => table.filter((cell) => namesIn(cell).length !== 1))).toEqual([
      [],
      [],
      [],
    ]);
  });

  test('of the test commands name every folder of tests', () => {
    const folders = fs
      .readdirSync(join(ROOT, 'test'), { withFileTypes: true })
      .filter(
        (entry) => entry.isDirectory() && !['support', 'benchmark', 'recordings', 'first-release'].includes(entry.name),
      )
      .map(({ name }) => name);
    expect(rows('docs/contributing.md', 1)).toEqual(folders.sort());
  });

  test('of the errors name every code that the sources name', () => {
    const source = fs.readFileSync(join(ROOT, 'src', 'errors.ts'), 'utf8');
    const codes = [...source.matchAll(/'([A-Z]+(?:_[A-Z]+)+)'/g)].map(([, code]) => code as string);
    expect(codes.length).toBeGreaterThan(5);
    expect(codes.filter((code) => !rows('docs/errors.md').includes(code))).toEqual([]);
  });
});
