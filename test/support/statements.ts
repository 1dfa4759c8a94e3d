// The SQL statements that this process sends to a PostgreSQL server while something runs.
import { Client } from 'pg';

/** What was sent, in order, transactions' own statements included. Only one may be recording at a time. */
export async function statementsOf(run: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const { query } = Client.prototype;
  Client.prototype.query = function recording(this: Client, ...args: unknown[]) {
    const [config] = args as [string | { text: string }];
    sent.push((typeof config === 'string' ? config : config.text).replace(/\s+/g, ' ').trim());
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    await run();
  } finally {
    Client.prototype.query = query;
  }
  return sent;
}
