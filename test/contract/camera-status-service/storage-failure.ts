// Causes a failure of the storage: a table becomes unreachable for the gateway, as in an outage.
import type { Gateway, RestResponse } from '../../support/gateway';

/** Internals that no answer may reveal about the failure. */
export const LEAK = /camera_status|relation|prisma|postgres|pglite|select|insert/i;

/** The answers to requests that are sent while the table is unreachable. */
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
