// Reads beside a storm of keyed writes, as after an outage: how long the slowest of them takes.
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { type Ask, ITEMS } from './items';
import type { Target } from './targets';

const READS = ITEMS.filter(({ writes, against }) => !writes && !against);
const WRITE = ITEMS.find(({ name }) => name === 'W6');

/** By `node:http`: the start of 1,000 requests of fetch takes this process a second, in which it sends no read. */
function send(url: string, { path, method, headers, body }: Ask, more = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.request(url + path, { method, headers: { ...headers, ...more } }, async (response) => {
      const answer = await text(response);
      if (answer.startsWith('{"data":{')) resolve();
      else reject(new Error(`A request failed: ${answer}`));
    });
    request.on('error', reject).end(body);
  });
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
