// Before the tests of chance: both kinds of database, and the seed of the run.
import { randomInt } from 'node:crypto';
import { provideTemplates } from './global-setup';

export default async function setUp(): Promise<void> {
  process.env['FUZZ_SEED'] ||= String(randomInt(2 ** 31));
  console.log(`FUZZ_SEED=${process.env['FUZZ_SEED']} npm run test:chance repeats what is generated here.`);
  await provideTemplates(['embedded', 'server']);
}
