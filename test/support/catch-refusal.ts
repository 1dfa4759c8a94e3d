// Catches the refusal of a rule or a reader.
import { BadInput } from '../../src/errors';

export function catchRefusal(run: () => unknown): BadInput {
  let error: unknown;
  try {
    run();
  } catch (caught) {
    error = caught;
  }
  expect(error).toBeInstanceOf(BadInput);
  return error as BadInput;
}
