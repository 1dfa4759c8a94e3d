// Before the tests: the templates of their databases, for all projects of the run.
import { makeTemplates, type Templates } from './templates';

declare global {
  // Jest calls the setup and the teardown once per project, in one process.
  var testTemplates: Promise<Templates> | undefined;
}

export default async function setUp(): Promise<void> {
  globalThis.testTemplates ??= makeTemplates();
  Object.assign(process.env, (await globalThis.testTemplates).environment);
}
