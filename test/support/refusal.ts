// What a rule or a reader says when it refuses its input.
import { BadInput } from '../../src/errors';

export function refusalOf(run: () => unknown): BadInput {
  let error: unknown;
  try {
    run();
  } catch (caught) {
    error = caught;
  }
  expect(error).toBeInstanceOf(BadInput);
  return error as BadInput;
}
