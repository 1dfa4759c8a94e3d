// The clock of the process of a test stands still, at any time; timers go on.

const ALL_BUT_DATE: FakeableAPI[] = [
  ...(['nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'hrtime'] as const),
];

/** Until `jest.useRealTimers`. */
export const holdClock = (now = Date.now()) => jest.useFakeTimers({ now, doNotFake: ALL_BUT_DATE });
