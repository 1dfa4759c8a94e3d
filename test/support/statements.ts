// Records the SQL statements that this process sends to a PostgreSQL server while something runs.
import { Client } from 'pg';

export interface Sent {
  text: string;
  values: unknown[];
}

/** The statements in order, including those of transactions. Only one recording may run at a time. */
export async function statementsOf(run: () => Promise<unknown>): Promise<string[]> {
  return (await sentBy(run)).map(({ text }) => text.replace(/\s+/g, ' ').trim());
}

/** The statements with the values of their parameters. */
export async function sentBy(run: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const { query } = Client.prototype;
  Client.prototype.query = function recording(this: Client, ...args: unknown[]) {
    const [config, values] = args as [string | Partial<Sent>, unknown];
    sent.push(
      typeof config === 'string'
        ? { text: config, values: Array.isArray(values) ? values : [] }
        : { text: config.text ?? '', values: config.values ?? (Array.isArray(values) ? values : []) },
    );
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    await run();
  } finally {
    Client.prototype.query = query;
  }
  return sent;
}
