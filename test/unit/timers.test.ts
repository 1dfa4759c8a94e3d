// Times that are passed to the platform: whole numbers in its range, whatever was computed.
import { createTimeoutSignal, setTimeout, sleep, wholeMs } from '../../src/values/timers';

test.each([
  [4198.5, 4199],
  [0.2, 1],
  [0, 1],
  [-3, 1],
  [Number.NaN, 1],
  [3e9, 2_147_483_647],
  [Number.POSITIVE_INFINITY, 2_147_483_647],
])('%d ms are %d ms', (ms, whole) => {
  expect(wholeMs(ms)).toBe(whole);
});

test('a signal, a wait and a timer accept fractions and a time in the past', async () => {
  const signal = createTimeoutSignal(-0.5);
  await new Promise((aborted) => signal.addEventListener('abort', aborted));
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  await sleep(0.5);
  await new Promise<void>((done) => setTimeout(done, 0.5));
  const late = AbortSignal.abort();
  await expect(sleep(2 ** 40, undefined, { signal: late })).rejects.toMatchObject({ name: 'AbortError' });
});
