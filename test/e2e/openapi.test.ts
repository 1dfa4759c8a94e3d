// The REST description of the running gateway: valid, readable, and true about credentials; and odd paths on the wire.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { ROOT, type RunningGateway, runGateway } from '../support/running-gateway';
import { temporaryFolder } from '../support/temporary-folder';

const VALIDATOR = join(ROOT, 'node_modules', '@seriousme', 'openapi-schema-validator', 'bin', 'validate-api-cli.js');

let open: RunningGateway;
let secured: RunningGateway;
let folder: string;
beforeAll(async () => {
  folder = temporaryFolder('openapi');
  const env = { API_KEYS: `one:read:${'0'.repeat(64)}`, REST_PRINT_JOB_CASING: 'camel' };
  [open, secured] = await Promise.all([runGateway(), runGateway(env)]);
});
afterAll(async () => {
  await Promise.all([open?.stop(), secured?.stop()]);
  rmSync(folder, { recursive: true });
});

test.each([
  ['without credentials', () => open, undefined],
  ['with credentials', () => secured, [{ bearer: [] }, { apiKey: [] }]],
])('is a valid OpenAPI 3.1 document, a line for each member: %s', async (_title, gateway, security = []) => {
  const text = await (await fetch(`${gateway().url}/openapi.json`)).text();
  expect(JSON.parse(text)).toMatchObject({ openapi: '3.1.0', security });
  expect(text.split('\n').length).toBeGreaterThan(500);
  const file = join(folder, 'openapi.json');
  writeFileSync(file, text);
  expect(JSON.parse(execFileSync(process.execPath, [VALIDATOR, file], { encoding: 'utf8' }))).toEqual({ valid: true });
});

test('claims the refusals that the gateway gives', async () => {
  for (const gateway of [open, secured]) {
    const { paths } = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as {
      paths: Record<string, { get: { responses: object } }>;
    };
    const { status } = await fetch(`${gateway.url}/cameras`);
    expect(Object.keys(paths['/cameras']?.get.responses ?? {})).toContain(String(status));
    expect(status).toBe(gateway === open ? 200 : 401);
  }
});

/** As clients send it that do not resolve dots in a path, which fetch does. */
function answerTo(path: string): Promise<{ status: number | undefined; body: unknown }> {
  return new Promise((resolve, reject) => {
    const asked = request(open.url, { path }, async (response) => {
      resolve({ status: response.statusCode, body: JSON.parse((await response.toArray()).join('')) });
    });
    asked.on('error', reject).end();
  });
}

test.each([
  ['/cameras/.', 404, 'There is no camera .'],
  ['/cameras/..', 404, 'There is no camera ..'],
  ['/cameras/%2e%2E', 404, 'There is no camera ..'],
  ['/api/printjobs/.', 400, expect.stringMatching(/^Id must be a GUID/)],
  ['/api/printjobs/..', 400, expect.stringMatching(/^Id must be a GUID/)],
  ['/api/printjobs/%2e', 400, expect.stringMatching(/^Id must be a GUID/)],
  ['/api/printjobs/../../cameras', 404, 'There is nothing at /api/printjobs/../../cameras'],
])('dots are an id, and lead to no other path: %s', async (path, status, error) => {
  expect(await answerTo(path)).toEqual({ status, body: { error } });
});
