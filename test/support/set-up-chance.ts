// Creates both kinds of database and chooses the seed of the run, for tests of chance.
import { randomInt } from 'node:crypto';
import { provideTemplates } from './global-setup';

export default async function setUp(): Promise<void> {
  process.env['FUZZ_SEED'] ||= String(randomInt(2 ** 31));
  console.log(`FUZZ_SEED=${process.env['FUZZ_SEED']} npm run test:chance repeats what is generated here.`);
  await provideTemplates(['embedded', 'server']);
}
