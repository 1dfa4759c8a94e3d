// Creates the templates of the databases of TEST_DATABASES before the tests.
import { type DatabaseKind, databaseKinds } from './databases';
import { makeEmbeddedTemplates, makeServerTemplate, type Templates } from './templates';
import { sweepTemporaryFolders } from './temporary-folder';

declare global {
  // Jest calls each set-up file once in a run, with the project of the first test, in one process.
  var testTemplates: Map<DatabaseKind, Promise<Templates>> | undefined;
}

export default () => provideTemplates(databaseKinds);

export async function provideTemplates(chosen: DatabaseKind[]): Promise<void> {
  if (globalThis.testTemplates === undefined) sweepTemporaryFolders();
  globalThis.testTemplates ??= new Map();
  const made = globalThis.testTemplates;
  for (const kind of chosen) {
    if (!made.has(kind)) made.set(kind, kind === 'server' ? makeServerTemplate() : makeEmbeddedTemplates());
    Object.assign(process.env, (await made.get(kind))?.environment);
  }
}
