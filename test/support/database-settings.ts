// Sets defaults of the database itself, as its owner may have set them before the gateway starts.
import type { DatabaseKind } from './databases';
import type { Gateway } from './gateway';

/**
 * Sets defaults with which every session of the gateway's database starts, and opens the database again. A server takes
 * them for this one database; the embedded database has no such defaults and reads them from its configuration file.
 */
export async function setDefaults(
  gateway: Gateway,
  kind: DatabaseKind,
  settings: Record<string, string>,
): Promise<void> {
  const [{ name }] = (await gateway.sql('SELECT current_database() AS name')) as [{ name: string }];
  const subject = kind === 'server' ? `DATABASE "${name}"` : 'SYSTEM';
  for (const [setting, value] of Object.entries(settings)) {
    await gateway.sql(`ALTER ${subject} SET ${setting} TO '${value}'`);
  }
  await gateway.restart();
}
