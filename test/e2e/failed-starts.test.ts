// Starts that fail: the process says in one sentence why. The other sentences are in test/server/start-failures.test.ts,
// test/database/directory.test.ts and test/unit/config.test.ts.
import { once } from 'node:events';
import fs from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { startGatewayProcess } from '../support/running-gateway';
import { fresh, provideFresh } from '../support/signalled-gateway';

provideFresh('embedded');

async function failedStart(env: Record<string, string>): Promise<{ code: number | string; output: string }> {
  const child = startGatewayProcess({ DATABASE_URL: fresh.url, ...env });
  return { code: await child.ended, output: child.output };
}

test('a wrong configuration prints all faults together, and nothing else, above all no secret', async () => {
  const DATABASE_URL = 'mysql://root:secret@db/farm';
  const { code, output } = await failedStart({ DATABASE_URL, PORT: 'http', LOG_LEVEL: 'loud', JWT_JWKS_URL: 'x:' });
  const faults =
    /^Starting the gateway …\nThe gateway cannot start with these settings:\n( {2}[A-Z_]+ must be (?!.*secret).+\n){4}$/;
  expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(faults) });
});

test('if the port is taken, one sentence is printed, the log has the stack at debug, and the database is closed before the end', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const sentence = `Another program uses port ${port} of 127.0.0.1. Stop that program, or set PORT to another port.`;
  const { code, output } = await failedStart({ PORT: String(port), LOG_LEVEL: 'debug' });
  const isLogged = (line: string) => line.startsWith('{');
  const lines = output.trimEnd().split('\n');
  expect({ code, said: lines.filter((line) => !isLogged(line)) }).toEqual({
    code: 1,
    said: ['Starting the gateway …', sentence],
  });
  const failure = lines
    .filter(isLogged)
    .map((line) => JSON.parse(line))
    .find(({ err }) => err?.message.startsWith(sentence));
  expect(failure).toMatchObject({ level: 20, err: { stack: expect.stringContaining('\n    at ') } });
  const files = fs.readdirSync(fresh.url.slice('file:'.length));
  expect(files.filter((name) => name.startsWith('gateway.'))).toEqual([]);
  taken.close();
});
