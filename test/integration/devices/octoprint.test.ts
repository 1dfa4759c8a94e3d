// Tests the connection to OctoPrint with a fake that keeps what it receives.

import type { FakeOctoPrint } from '../../../src/demo/machines/octoprint';
import { memberAt } from '../../../src/machines/message-values';
import { startHttpServer } from '../../support/hostile-machine';
import { countMessages, listen, RecordingOctoPrint, startFake, startOctoPrint } from '../../support/web-printers';

describe('OctoPrint', () => {
  test.each([30, 120, 240])('temperatures of %i minutes with five tools are within the limits', async (minutes) => {
    const fake = await startOctoPrint();
    const heat = { actual: 214.9, target: 215.5 };
    const [tool0, tool1, tool2, tool3, tool4] = Array(5).fill(heat);
    const temp = { time: 1_763_000_000, tool0, tool1, tool2, tool3, tool4, bed: heat, chamber: heat };
    fake.temps = Array(30 * minutes).fill(temp);
    await listen('OCTOPRINT', fake.url).waitForActivity('IDLE');
  });

  test.each([
    ['Left Bench', 'Mini', true, 'Left Bench'],
    ['', 'Mini', true, 'Mini'],
    ['Left Bench', 'Mini', false, 'Mini'],
    ['', 'Default', true, null],
  ])(
    'the name is that of the appearance (%j), or of the printer profile (%j); the key may read the settings: %j',
    async (appearance, profile, mayReadSettings, name) => {
      const fake = await startFake(
        new (class extends RecordingOctoPrint {
          protected override answer(...[request, path]: Parameters<FakeOctoPrint['answer']>) {
            const isRefused = path === '/api/settings' && !mayReadSettings;
            return isRefused ? { status: 403, body: { error: 'No.' } } : super.answer(request, path);
          }
        })({ secret: 'key' }),
      );
      fake.names = { appearance, profile };
      expect(await listen('OCTOPRINT', fake.url).waitForConnection()).toMatchObject({ name });
    },
  );

  test('receives what to push, and is asked again when its session has expired', async () => {
    const fake = await startOctoPrint();
    const listening = listen('OCTOPRINT', fake.url);
    await listening.waitForActivity('IDLE');
    expect(fake.received).toEqual([
      { auth: 'anna:session0' },
      { subscribe: { state: { logs: false, messages: false }, events: expect.any(Array), plugins: false } },
      { throttle: 4 },
    ]);
    fake.logOut();
    const isHistory = ({ body }: { body: unknown }) => memberAt(body, 'history') !== undefined;
    await listening.until('the second session begins', ({ messages }) => messages.filter(isHistory).length === 2);
    expect(fake.received.at(-1)).toEqual({ auth: 'anna:session1' });
    // A limit still exists.
    fake.refusesSessions = true;
    fake.logOut();
    expect(await listening.waitForEnd()).toBe('CREDENTIALS_REFUSED');
    expect(fake.paths.filter((path) => path === '/api/login').length).toBeLessThanOrEqual(4);
  });

  test('the statistics of a file are requested, and a path that leaves the folder of files is refused', async () => {
    const fake = await startOctoPrint();
    const listening = listen('OCTOPRINT', fake.url);
    await listening.waitForActivity('IDLE');
    const requestStatistics = async (path: string) => {
      listening.ask({ source: '/api/files/local/', parameters: { path } });
      return listening.until(`${path} is answered`, ({ messages }) =>
        messages.find(({ parameters }) => memberAt(parameters, 'path') === path),
      );
    };
    expect((await requestStatistics('parts/cube.gcode')).body).toMatchObject({ path: 'parts/cube.gcode' });
    expect((await requestStatistics('parts/ü ?#.gcode')).failed).toBe(true);
    for (const path of ['../../settings', 'a/./b', 'a//b', ''])
      expect((await requestStatistics(path)).failed).toBe(true);
    expect(fake.paths.filter((path) => path.startsWith('/api/files/'))).toEqual([
      '/api/files/local/parts/cube.gcode',
      '/api/files/local/parts/%C3%BC%20%3F%23.gcode',
    ]);
  });

  test('a guest who may read the version is refused too, and another product is not mistaken for OctoPrint', async () => {
    for (const [text, fault] of [
      ['OctoPrint 1.9.3', 'CREDENTIALS_REFUSED'],
      ['Another 1.0', 'NOT_THIS_KIND'],
    ]) {
      const address = await startHttpServer((request, response) => {
        const body = request.url === '/api/login' ? { name: null, active: true, groups: ['guests'] } : { text };
        response.writeHead(200).end(JSON.stringify(body));
      });
      expect(await listen('OCTOPRINT', address, { secret: null }).waitForEnd()).toBe(fault);
    }
  });

  test('a key that may not read files still reads the state', async () => {
    const fake = await startFake(
      new (class extends RecordingOctoPrint {
        protected override answer(...[request, path]: Parameters<FakeOctoPrint['answer']>) {
          return path.startsWith('/api/files/') ? { status: 403, body: { error: 'No.' } } : super.answer(request, path);
        }
      })({ secret: 'key' }),
    );
    const listening = listen('OCTOPRINT', fake.url);
    await listening.waitForActivity('IDLE');
    listening.ask({ source: '/api/files/local/', parameters: { path: 'cube.gcode' } });
    const answer = await listening.until('the file is answered', ({ messages }) =>
      messages.find(({ parameters }) => parameters !== undefined),
    );
    expect([answer.failed, listening.fault]).toEqual([true, null]);
  });

  test('a printer that OctoPrint lost is offline, with the message of OctoPrint', async () => {
    const fake = await startOctoPrint();
    const listening = listen('OCTOPRINT', fake.url);
    await listening.waitForActivity('IDLE');
    fake.print.start();
    fake.print.fail('Too many consecutive timeouts');
    expect(await listening.waitForActivity('OFFLINE')).toMatchObject({ message: 'Too many consecutive timeouts' });
    expect(listening.endedPrints).toMatchObject([{ outcome: 'FAILED' }]);
  });

  test('a revoked key is noticed within a minute', async () => {
    const fake = await startOctoPrint();
    const listening = listen('OCTOPRINT', fake.url, { checkMs: 30 });
    await listening.until('the key was tried', (its) => countMessages('/api/version')(its) > 0);
    Object.assign(fake, { secret: 'another' });
    expect(await listening.waitForEnd()).toBe('CREDENTIALS_REFUSED');
  });
});
