// Checks what must be true of every answer, however strange the request: its shape, and no change after a refusal.
import { type Exchange, formatExchange, type Gateway } from '../support/gateway';
import fc from '../support/generated';

/** A test of generated input runs for this long; FUZZ_SECONDS makes it a long search. */
const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 2);
const FEWEST_RUNS = 4;
const MORE_RUNS = 50;
const MAX_MORE = 20;

/** @param isEnough whether all kinds of outcome have occurred. A slow machine continues until then. */
export async function checkProperty<Values extends [unknown, ...unknown[]]>(
  property: fc.IAsyncPropertyWithHooks<Values>,
  isEnough = () => true,
): Promise<void> {
  // At its time limit fast-check leaves the current run running, and it would write into the next test.
  let running: ReturnType<typeof property.run> | undefined;
  const awaited: typeof property = Object.create(property, {
    run: {
      value: (values: Values) => {
        running = property.run(values);
        return running;
      },
    },
  });
  const check = async (limits: fc.Parameters<Values>) => {
    const details = await fc.check(awaited, limits);
    await running;
    const wasInterrupted = details.interrupted && details.counterexample === null;
    if (details.failed && !wasInterrupted) {
      throw new Error(await fc.asyncDefaultReportMessage(details), { cause: details.errorInstance });
    }
    return details.numRuns;
  };
  const runs = await check({ numRuns: 1_000_000, interruptAfterTimeLimit: SECONDS * 1000 });
  // A test without a single run would check nothing.
  if (runs < FEWEST_RUNS) await check({ numRuns: FEWEST_RUNS });
  for (let more = 0; !isEnough() && more < MAX_MORE; more += 1) await check({ numRuns: MORE_RUNS });
  expect(isEnough()).toBe(true);
}

/** What must never reach a client. */
const INTERNALS =
  /prisma|pglite|postgres|\bpg_|sqlstate|select .* from|insert into|node_modules|\.(?:ts|js):\d|\n\s+at /i;

export function wellFormedRefusal(exchange: Exchange, message: unknown): void {
  if (typeof message !== 'string' || message === '' || INTERNALS.test(withoutEcho(message, exchange))) {
    throw new Error(`a refusal must say in plain words what is wrong\n${formatExchange(exchange)}`);
  }
}

/** A message may repeat any text that was sent. */
function withoutEcho(message: string, { request }: Exchange): string {
  return message.replace(/"[^"]*"/g, '""').replaceAll(request.path, '');
}

/**
 * Tells whether anything was written: the number of rows of each table and the sum of the transactions that wrote them
 * differ after any insert, update or delete.
 */
export async function watchTables(
  gateway: Gateway,
): Promise<{ expectUnchanged(exchange: Exchange): Promise<void>; written(): void }> {
  const names: { name: string }[] = await gateway.sql(`select format('%I', relname) as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname <> '_prisma_migrations' order by 1`);
  const counted = names.map(
    ({ name }) => `(select count(*) || ':' || coalesce(sum(xmin::text::bigint), 0) from ${name}) as ${name}`,
  );
  const look = async (): Promise<string> => JSON.stringify(await gateway.sql(`select ${counted.join(', ')}`));
  let last: string | undefined;
  return {
    async expectUnchanged(exchange) {
      const before = last;
      last = await look();
      if (before !== undefined && last !== before) {
        throw new Error(`refused, but something was written: ${before} → ${last}\n${formatExchange(exchange)}`);
      }
    },
    written() {
      last = undefined;
    },
  };
}
