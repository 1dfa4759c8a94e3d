// Stops the clock of a test's process at any time, while timers keep running.

const ALL_BUT_DATE: FakeableAPI[] = [
  ...(['nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'hrtime'] as const),
];

/** Lasts until `jest.useRealTimers`. */
export const holdClock = (now = Date.now()) => jest.useFakeTimers({ now, doNotFake: ALL_BUT_DATE });
