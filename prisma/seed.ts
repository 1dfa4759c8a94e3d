// Run by `prisma db seed`, and the same as `npm run seed`: the example farm goes into a running gateway, through its public API.
import { seed } from '../src/commands/seed';

seed().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
