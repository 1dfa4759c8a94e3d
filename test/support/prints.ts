// Observed prints and states of printers to test with, as the collector writes them.
import { randomUUID } from 'node:crypto';
import { snake } from '../../src/values/spelling';
import { ago } from './farm';
import type { Gateway, Parsed } from './gateway';

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `'${text.replaceAll("'", "''")}'`;
};

async function insert(gateway: Pick<Gateway, 'sql'>, table: string, row: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(row).map(snake).join(', ');
  await gateway.sql(`insert into ${table} (${columns}) values (${Object.values(row).map(literal).join(', ')})`);
}

/** A print that is over and waits for its spool; `members` replace some. */
export async function makePrint(
  gateway: Pick<Gateway, 'sql'>,
  printerId: string,
  members: Record<string, unknown> = {},
): Promise<string> {
  const id = randomUUID();
  await insert(gateway, 'observed_prints', {
    id,
    printerId,
    name: 'Benchy',
    startedAt: ago(3600),
    startedAtEstimated: false,
    seenAt: ago(60),
    endedAt: ago(60),
    outcome: 'COMPLETED',
    filament: [],
    measured: [],
    ...members,
  });
  return id;
}

export async function sight(gateway: Pick<Gateway, 'sql'>, printId: string, ...texts: string[]): Promise<void> {
  for (const text of texts) await insert(gateway, 'print_sightings', { printId, at: ago(60), kind: 'PAUSED', text });
}

/** The machine of a printer. */
export async function makeDevice(gateway: Pick<Gateway, 'sql'>, members: Record<string, unknown>): Promise<string> {
  const id = randomUUID();
  await insert(gateway, 'devices', {
    id,
    kind: 'MOONRAKER',
    address: '192.168.0.9',
    state: 'CONNECTED',
    stateSince: ago(60),
    lastMessageAt: ago(1),
    ...members,
  });
  return id;
}

export async function setState(
  gateway: Pick<Gateway, 'sql'>,
  printerId: string,
  members: Record<string, unknown>,
): Promise<void> {
  await gateway.sql(`delete from printer_states where printer_id = '${printerId}'`);
  await insert(gateway, 'printer_states', { printerId, activity: 'PRINTING', heardAt: ago(1), ...members });
}

/** The planned amounts of a print, by slot. */
export const planOf = (...slots: [slot: string, mm: string | null, grams: string | null][]): Parsed => ({
  seconds: 600,
  slots: slots.map(([slot, mm, grams]) => ({ slot, mm, grams })),
});
