// Writes observed prints and states of printers as the collector does.
import { randomUUID } from 'node:crypto';
import { snake } from '../../src/values/spelling';
import { ago } from './farm';
import type { Gateway, Parsed } from './gateway';

const toLiteral = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `'${text.replaceAll("'", "''")}'`;
};

async function insertRow(gateway: Pick<Gateway, 'sql'>, table: string, row: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(row).map(snake).join(', ');
  await gateway.sql(`insert into ${table} (${columns}) values (${Object.values(row).map(toLiteral).join(', ')})`);
}

/** A completed print that waits for its spool; `members` replace some members. */
export async function makePrint(
  gateway: Pick<Gateway, 'sql'>,
  printerId: string,
  members: Record<string, unknown> = {},
): Promise<string> {
  const id = randomUUID();
  await insertRow(gateway, 'observed_prints', {
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

export async function addSightings(gateway: Pick<Gateway, 'sql'>, printId: string, ...texts: string[]): Promise<void> {
  for (const text of texts) await insertRow(gateway, 'print_sightings', { printId, at: ago(60), kind: 'PAUSED', text });
}

/** Adds the machine of a printer. */
export async function makeDevice(gateway: Pick<Gateway, 'sql'>, members: Record<string, unknown>): Promise<string> {
  const id = randomUUID();
  await insertRow(gateway, 'devices', {
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
  await insertRow(gateway, 'printer_states', { printerId, activity: 'PRINTING', heardAt: ago(1), ...members });
}

/** The planned amounts of a print, by slot. */
export const createPlan = (...slots: [slot: string, mm: string | null, grams: string | null][]): Parsed => ({
  seconds: 600,
  slots: slots.map(([slot, mm, grams]) => ({ slot, mm, grams })),
});
