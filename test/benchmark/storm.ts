// Reads beside a storm of keyed writes, as after an outage: how long the slowest of them takes.
import { randomUUID } from 'node:crypto';
import { type Ask, ITEMS } from './items';
import type { Target } from './targets';

const READS = ITEMS.filter(({ writes, against }) => !writes && !against);
const WRITE = ITEMS.find(({ name }) => name === 'W6');

async function send(url: string, { path, headers, ...ask }: Ask, more = {}): Promise<void> {
  const response = await fetch(url + path, { ...ask, headers: { ...headers, ...more } });
  const text = await response.text();
  if (!text.startsWith('{"data":{')) throw new Error(`A request failed: ${text}`);
}

export async function storm({ name, url, size }: Target, writes: number): Promise<string> {
  if (WRITE === undefined) throw new Error('There is no item that writes');
  const began = performance.now();
  let isOver = false;
  const storm = Promise.all(
    Array.from({ length: writes }, (_, n) => send(url, WRITE.ask(n, size), { 'idempotency-key': randomUUID() })),
  ).finally(() => {
    isOver = true;
  });
  const waits: number[] = [];
  while (!isOver) {
    const item = READS[waits.length % READS.length];
    const from = performance.now();
    if (item) await send(url, item.ask(waits.length, size));
    waits.push(performance.now() - from);
  }
  await storm;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  return `${name}: ${writes} keyed writes at once took ${seconds} s; of ${waits.length} reads beside them the slowest took ${Math.max(...waits).toFixed(0)} ms`;
}
