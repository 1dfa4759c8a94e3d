// Settings of the database itself, as its owner may have made them before the gateway comes.
import type { DatabaseKind } from './databases';
import type { Gateway } from './gateway';

/**
 * Settings that every session of the gateway's database begins with, which the gateway then opens anew. A server takes
 * them for the one database; an embedded one, which has no such settings, from its configuration file.
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
