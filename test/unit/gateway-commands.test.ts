/**
 * The commands `export` and `import` as functions: their sentences for a gateway that refuses, and for a file that cannot be read.
 *
 * @jest-environment node
 */
import fs from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { exportReport } from '../../src/commands/export';
import { importFile } from '../../src/commands/import';
import { temporaryFolder } from '../support/temporary-folder';

const environment = { ...process.env };
let folder: string;
let server: Server;
let answer: RequestListener;

beforeAll(async () => {
  folder = temporaryFolder('gateway-commands');
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env['GATEWAY_URL'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  process.env = environment;
  server.closeAllConnections();
  server.close();
  fs.rmSync(folder, { recursive: true });
});

test.each([
  [400, '{"error":"groupBy must be one of DAY, WEEK"}', '', 'refused the request: groupBy must be one of DAY, WEEK.'],
  [401, '{"error":"credentials are needed"}', '', 'requires credentials. Set GATEWAY_KEY'],
  [401, '{"error":"credentials are needed"}', 'wrong', 'rejects the key or token in GATEWAY_KEY.'],
  [403, '{"error":"read is needed"}', 'weak', 'has too few rights: read is needed. This command needs the scope read'],
  [502, '<h1>Bad Gateway</h1>', '', 'refused the request: HTTP 502.'],
])(
  'an export that is answered with %d %s for the key "%s" reports that, and writes no file',
  async (status, body, key, sentence) => {
    answer = (_request, response) => response.writeHead(status).end(body);
    process.env['GATEWAY_KEY'] = key;
    await expect(exportReport('filament-usage', {}, join(folder, 'usage.csv'))).rejects.toThrow(sentence);
    expect(fs.readdirSync(folder)).toEqual([]);
  },
);

test.each([
  ['none.csv', 'number,place\n1,x\n', 'The first line of the file must name the columns.'],
  [
    'old.csv',
    Buffer.from('name\nGr\xfcn\n', 'latin1'),
    'old.csv, because its encoding is not UTF-8. In the spreadsheet, save it as "CSV UTF-8".',
  ],
  ['no.csv', null, 'no such file'],
])('an import of %s is refused', async (name, content, sentence) => {
  const file = join(folder, name);
  if (content !== null) fs.writeFileSync(file, content);
  await expect(importFile(file, {})).rejects.toThrow(sentence);
});
