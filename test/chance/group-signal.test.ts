// A signal to a whole group of processes, as a terminal sends it: its copies may come late on a busy machine.
import { halfRequest, isLocked, start, stopsListening } from '../support/signalled-gateway';

test('SIGINT to the whole group of npm, as a terminal sends it, is one signal', async () => {
  const gateway = await start('npm', ['start']);
  const request = await halfRequest(gateway.url);
  process.kill(-gateway.pid, 'SIGINT');
  await stopsListening(gateway.url);
  expect(await request.finish()).toMatch(/HTTP\/1\.1 201 /);
  expect(await gateway.ended).toBe(0);
  expect(await isLocked()).toBe(false);
});
