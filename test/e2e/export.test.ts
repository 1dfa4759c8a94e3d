// The command `export` against the answers of a gateway and of a broken network: a whole report, or none.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { startChild } from '../support/child-process';
import { freePort } from '../support/free-port';
import { CLI } from '../support/running-gateway';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/waiting';

const REPORT = `from,completedGrams\n${'2026-11-22T00:00:00.000Z,12.50\n'.repeat(20_000)}`;

let server: Server;
let url: string;
let answer: RequestListener;
let asked: IncomingMessage[];
let folder: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  asked = [];
  folder = temporaryFolder('export');
  answer = (_request, response) => response.writeHead(200, { 'content-type': 'text/csv' }).end(REPORT);
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const start = (args: string[], env: Record<string, string> = {}) =>
  startChild(CLI, ['export', ...args], { GATEWAY_URL: url, GATEWAY_KEY: '', ...env }, folder);

async function run(args: string[], env?: Record<string, string>) {
  const child = start(args, env);
  return { code: await child.ended, output: child.output };
}

test('writes a report to standard output', async () => {
  expect(await run(['filament-usage'])).toEqual({ code: 0, output: REPORT });
  expect(asked.map((request) => request.url)).toEqual(['/reports/filament-usage.csv']);
});

test('writes a report to a file, in place of the one before', async () => {
  fs.writeFileSync(join(folder, 'jobs.csv'), 'the one before');
  const options = [
    '--status',
    'COMPLETED,FAILED',
    '--printer-id',
    'p',
    '--created-from',
    '2026-01-01T00:00:00Z',
    '--bom',
    '--separator',
    'semicolon',
    '--decimal-mark',
    'comma',
  ];
  expect(await run(['print-jobs', ...options, '--out', 'jobs.csv'], { GATEWAY_KEY: 'the key' })).toEqual({
    code: 0,
    output: '',
  });
  expect(fs.readdirSync(folder)).toEqual(['jobs.csv']);
  expect(fs.readFileSync(join(folder, 'jobs.csv'), 'utf8')).toBe(REPORT);
  const { pathname, searchParams } = new URL(asked[0]?.url ?? '', url);
  expect(pathname).toBe('/reports/print-jobs.csv');
  expect(Object.fromEntries(searchParams)).toEqual({
    status: 'COMPLETED,FAILED',
    printerId: 'p',
    createdFrom: '2026-01-01T00:00:00Z',
    bom: 'true',
    separator: 'semicolon',
    decimalMark: 'comma',
  });
  expect(asked[0]?.headers.authorization).toBe('Bearer the key');
});

test('writes to a link or a device, and does not replace it', async () => {
  fs.symlinkSync('real.csv', join(folder, 'link.csv'));
  expect(await run(['filament-usage', '--out', 'link.csv'])).toEqual({ code: 0, output: '' });
  expect(fs.lstatSync(join(folder, 'link.csv')).isSymbolicLink()).toBe(true);
  expect(fs.readFileSync(join(folder, 'real.csv'), 'utf8')).toBe(REPORT);
  expect(await run(['filament-usage', '--out', '/dev/null'])).toEqual({ code: 0, output: '' });
  expect(fs.statSync('/dev/null').isCharacterDevice()).toBe(true);
});

test('ends in silence when the reader of its pipe wants no more', async () => {
  const command = `"${process.execPath}" "${CLI}" export filament-usage | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', command], {
    env: { ...process.env, GATEWAY_URL: url, GATEWAY_KEY: '' },
  });
  expect({ stdout, stderr }).toEqual({ stdout: 'from,completedGrams\n0\n', stderr: '' });
});

describe.each(['identity', 'gzip'])('a download that breaks off (%s)', (encoding) => {
  const bytes = encoding === 'gzip' ? gzipSync(REPORT, { level: 0 }) : Buffer.from(REPORT);

  beforeEach(() => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv', 'content-encoding': encoding });
      response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
    };
  });

  test('leaves the file as it was', async () => {
    fs.writeFileSync(join(folder, 'jobs.csv'), 'the one before');
    expect(await run(['print-jobs', '--out', 'jobs.csv'])).toEqual({
      code: 1,
      output: 'The download broke off: the report is not whole.\n',
    });
    expect(fs.readdirSync(folder)).toEqual(['jobs.csv']);
    expect(fs.readFileSync(join(folder, 'jobs.csv'), 'utf8')).toBe('the one before');
  });

  test('to standard output ends with 1', async () => {
    // The error comes by another pipe than the report, so it may come before the last of it.
    expect(await run(['print-jobs'])).toEqual({
      code: 1,
      output: expect.stringContaining('The download broke off: the report is not whole.\n'),
    });
  });
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s stops it, and leaves no file', async (signal) => {
  answer = (_request, response) => void response.writeHead(200).write('from,completedGrams\n');
  const child = start(['filament-usage', '--out', 'usage.csv']);
  await until(() => fs.existsSync(join(folder, 'usage.csv.unfinished')));
  child.kill(signal);
  expect({ code: await child.ended, output: child.output }).toEqual({ code: 1, output: 'The export was stopped.\n' });
  expect(fs.readdirSync(folder)).toEqual([]);
});

test.each([
  [400, '{"error":"groupBy must be one of DAY, WEEK"}', '', 'says: groupBy must be one of DAY, WEEK.'],
  [401, '{"error":"credentials are needed"}', '', 'asks for credentials: set GATEWAY_KEY'],
  [401, '{"error":"credentials are needed"}', 'wrong', 'does not accept the key or token in GATEWAY_KEY.'],
  [403, '{"error":"read is needed"}', 'weak', 'The key or token in GATEWAY_KEY needs the scope read'],
  [502, '<h1>Bad Gateway</h1>', '', 'says: HTTP 502.'],
])('an answer %i is a sentence, and no file', async (status, body, key, sentence) => {
  answer = (_request, response) => response.writeHead(status).end(body);
  const { code, output } = await run(['filament-usage', '--out', 'usage.csv'], { GATEWAY_KEY: key });
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(sentence) });
  expect(output).not.toMatch(/\n\s+at /);
  expect(fs.readdirSync(folder)).toEqual([]);
});

test('says in words that no gateway answers', async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  const { code, output } = await run(['filament-usage'], { GATEWAY_URL: nowhere });
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(`No gateway answers at ${nowhere}.`) });
});

test('says why a file cannot be written', async () => {
  const { code, output } = await run(['filament-usage', '--out', join('absent', 'usage.csv')]);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('no such file or directory') });
});
