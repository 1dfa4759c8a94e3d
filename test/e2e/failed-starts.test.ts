// Starts that fail: the process says in one sentence why. The other sentences are in test/server/start-failures.test.ts and
// test/unit/config.test.ts.
import { once } from 'node:events';
import fs from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { ROOT, startGatewayProcess } from '../support/running-gateway';
import { fresh, provideFresh } from '../support/signalled-gateway';

provideFresh('embedded');

async function failedStart(env: Record<string, string>): Promise<{ code: number | string; output: string }> {
  const child = startGatewayProcess({ DATABASE_URL: fresh.url, ...env });
  return { code: await child.ended, output: child.output };
}

test('the configuration: every fault at once, and nothing else, least of all a secret', async () => {
  const DATABASE_URL = 'mysql://root:secret@db/farm';
  const { code, output } = await failedStart({ DATABASE_URL, PORT: 'http', LOG_LEVEL: 'loud', JWT_JWKS_URL: 'x:' });
  const faults = /^The configuration has faults:\n( {2}[A-Z_]+ must be (?!.*secret).+\n){4}$/;
  expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(faults) });
});

test('the port is taken: one sentence, and the database is closed before the end', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const sentence = `The port ${port} of 127.0.0.1 is in use by another program: stop that one, or set PORT to another port.\n`;
  expect(await failedStart({ PORT: String(port) })).toEqual({ code: 1, output: sentence });
  const files = fs.readdirSync(fresh.url.slice('file:'.length));
  expect(files.filter((name) => name.startsWith('gateway.'))).toEqual([]);
  taken.close();
});

test('the disk of a new directory is full: one sentence, and the stack is in the log at debug', async () => {
  const FAILING_DISK = `${fresh.url.slice('file:'.length)}-disk`;
  fs.writeFileSync(FAILING_DISK, 'stuffed');
  const disk = { NODE_OPTIONS: `--require=${join(ROOT, 'test', 'support', 'failing-disk.cjs')}`, FAILING_DISK };
  const { code, output } = await failedStart({ DATABASE_URL: `${fresh.url}-new`, LOG_LEVEL: 'debug', ...disk });
  fs.rmSync(FAILING_DISK);
  const sentence =
    /^The data directory \S+ cannot be used: the disk is full\. Make room, or set DATABASE_URL=\S+ to another directory\.\n/;
  expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(sentence) });
  const line = output.split('\n').find((text) => text.startsWith('{'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 20, err: { stack: expect.stringContaining('\n    at ') } });
});
