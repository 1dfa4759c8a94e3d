// Before each file of a folder whose tests need a program: without it they are skipped, and fail where CI is true.
import { PROGRAMS, pathOf } from './programs';

const { program } = globalThis as unknown as { program: keyof typeof PROGRAMS };

if (pathOf(program) === undefined) {
  if (process.env['CI'] === 'true') throw new Error(`These tests need ${program}: ${PROGRAMS[program].advice}.`);
  const hook = () => {};
  const { skip } = globalThis.test;
  Object.assign(globalThis, {
    test: skip,
    it: skip,
    beforeAll: hook,
    afterAll: hook,
    beforeEach: hook,
    afterEach: hook,
  });
}
