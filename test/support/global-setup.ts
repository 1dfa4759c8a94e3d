// Before the tests: the templates of the databases that the chosen projects use.
import { randomInt } from 'node:crypto';
import type { Config } from 'jest';
import { type DatabaseKind, databaseKinds } from './databases';
import { makeEmbeddedTemplates, makeServerTemplate, type Templates } from './templates';

declare global {
  // Jest calls the setup and the teardown once per project, in one process.
  var testTemplates: Map<DatabaseKind, Promise<Templates>> | undefined;
}

export default async function setUp(_run: Config, project: Config): Promise<void> {
  if (project.globals?.['drawsSeed']) drawSeed();
  globalThis.testTemplates ??= new Map();
  const made = globalThis.testTemplates;
  // Some tests are about the embedded database, whatever kinds are chosen.
  const kinds = new Set<DatabaseKind>([
    'embedded',
    ...(project.globals?.['needsServer'] ? ['server' as const] : databaseKinds),
  ]);
  for (const kind of kinds) {
    if (!made.has(kind)) made.set(kind, kind === 'server' ? makeServerTemplate() : makeEmbeddedTemplates());
    Object.assign(process.env, (await made.get(kind))?.environment);
  }
}

function drawSeed(): void {
  process.env['FUZZ_SEED'] ||= String(randomInt(2 ** 31));
  console.log(`FUZZ_SEED=${process.env['FUZZ_SEED']} npm run test:chance repeats what is generated here.`);
}
