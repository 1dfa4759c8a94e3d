// Starts the servers that are measured, each on its own database with the rows of the benchmark.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openDatabase } from '../../src/database/database';
import { startChild } from '../support/child-process';
import { runGateway } from '../support/running-gateway';
import { BRIEF, COMPETITOR_TABLES, fill, GROWN, type Size, WIDE } from './dataset';

export interface Target {
  name: string;
  size: Size;
  url: string;
  pid: number;
  coldStartMs: number;
  stop(): Promise<unknown>;
}

async function freshDatabase(serverUrl: string, name: string): Promise<string> {
  const url = new URL(serverUrl);
  await withClient(serverUrl, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}`);
  });
  url.pathname = `/${name}`;
  return url.toString();
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

const NOW = new Date();

/** What the gateway may be measured beside; with --brief it is of the brief size too. */
export const BESIDE: Record<string, (serverUrl: string, size: Size) => Promise<Target>> = {
  competitor: startCompetitor,
  grown: (serverUrl, size) => startGateway('grown', serverUrl, size === BRIEF ? BRIEF : GROWN),
  wide: (serverUrl, size) => startGateway('wide', serverUrl, size === BRIEF ? BRIEF : WIDE),
  embedded: startEmbedded,
};

export async function startGateway(name: string, serverUrl: string, size: Size): Promise<Target> {
  const database = await freshDatabase(serverUrl, `bench_${name}`);
  // The first start migrates; the time of that is not the time of a start.
  await (await runGateway({ DATABASE_URL: database })).stop();
  await withClient(database, (client) => fill((sql) => client.query(sql), size, NOW));
  return startFilled(name, database, size);
}

async function startEmbedded(_serverUrl: string, size: Size): Promise<Target> {
  const path = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const database = await openDatabase({ kind: 'directory', path });
  await fill((sql) => database.prisma.$executeRawUnsafe(sql), size, NOW);
  await database.close();
  const target = await startFilled('embedded', `file:${path}`, size);
  return { ...target, stop: () => target.stop().finally(() => rmSync(path, { recursive: true })) };
}

async function startFilled(name: string, database: string, size: Size): Promise<Target> {
  const began = performance.now();
  const gateway = await runGateway({ DATABASE_URL: database, NODE_ENV: 'production' });
  await (await fetch(`${gateway.url}/healthz`)).text();
  const coldStartMs = performance.now() - began;
  return { name, size, url: gateway.url, pid: gateway.pid, coldStartMs, stop: () => gateway.stop() };
}

export async function startCompetitor(serverUrl: string, size: Size): Promise<Target> {
  const database = await freshDatabase(serverUrl, 'bench_competitor');
  await withClient(database, async (client) => {
    await client.query(COMPETITOR_TABLES);
    await fill((sql) => client.query(sql), size, NOW);
  });
  const began = performance.now();
  const child = startChild(join(__dirname, 'competitor.ts'), [database], { NODE_ENV: 'production' });
  await child.waitForOutput('is ready');
  const url = /http:\S+/.exec(child.output)?.[0] as string;
  const coldStartMs = performance.now() - began;
  const stop = () => {
    child.kill('SIGTERM');
    return child.ended;
  };
  return { name: 'competitor', size, url, pid: child.pid, coldStartMs, stop };
}

/** In MB. Only Linux reports it. */
export function memoryOf(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** In seconds, of all threads since the start. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
