// The addresses at which the gateway serves the dashboard, against the routes of the dashboard.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastify from 'fastify';
import { ADDRESSES } from '../../src/doors/http/web-files';

const text = readFileSync(join(__dirname, '../../src/web/app/routes.tsx'), 'utf8');

/** The paths of the routes, those inside another one with its path before theirs. */
function paths(): string[] {
  const found: string[] = [];
  const outer: string[] = [];
  for (const [tag, path, end] of text.matchAll(
    /<Route (?:path="(.+?)"|index) element=\{<\w+ \/>\} ?(\/?)>|<\/Route>/g,
  )) {
    if (tag === '</Route>') {
      outer.pop();
      continue;
    }
    found.push([...outer, ...(path === undefined ? [] : [path])].join('/'));
    if (end === '') outer.push(path as string);
  }
  return found;
}

test('every route of the text is read', () => {
  expect(paths()).toHaveLength(text.match(/<Route\b(?!s)/g)?.length as number);
  expect(paths()).toContain('/spools/:id');
});

test('each page is served at its address, and nothing is served at others', async () => {
  const app = fastify();
  for (const address of ADDRESSES) app.get(address, async () => address);
  const served = new Set<string>();
  for (const path of paths().filter((path) => path !== '*')) {
    const { statusCode, body } = await app.inject(path.replace(':id?', '').replace(/:\w+/, 'x'));
    expect([path, statusCode]).toEqual([path, 200]);
    served.add(body);
  }
  expect([...served].sort()).toEqual([...ADDRESSES].sort());
  await app.close();
});
