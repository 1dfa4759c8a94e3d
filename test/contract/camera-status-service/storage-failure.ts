// A failure of the storage: a table is out of the gateway's reach, as in an outage.
import type { Gateway, RestResponse } from '../../support/gateway';

/** What no answer may tell of it. */
export const LEAK = /camera_status|relation|prisma|postgres|pglite|select|insert/i;

/** The answers of requests that are sent while the table is away. */
export async function without(
  gateway: Gateway,
  table: string,
  ask: () => Promise<RestResponse>[],
): Promise<RestResponse[]> {
  await gateway.sql(`ALTER TABLE ${table} RENAME TO ${table}_away`);
  try {
    return await Promise.all(ask());
  } finally {
    await gateway.sql(`ALTER TABLE ${table}_away RENAME TO ${table}`);
  }
}
