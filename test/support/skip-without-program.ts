// Skips the tests of a folder if the program that they need is missing; if CI is true they fail.
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
