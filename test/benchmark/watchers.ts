// Opens many clients of one subscription in a separate process: URL, number, query. It prints the delays when its input ends.
import { WebSocket } from 'ws';

const [url = '', count = '', query = ''] = process.argv.slice(2);
const delays = new Map<string, { times: number; last: number }>();
let watching = 0;

function open(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    socket.on('error', reject);
    socket.on('close', (code, reason) => console.log(`closed ${code} ${reason}`));
    socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init' })));
    socket.on('message', (data) => {
      const text = String(data);
      if (text.startsWith('{"type":"connection_ack"')) {
        socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
        watching += 1;
        resolve();
        return;
      }
      // The benchmark's own clock wrote recordedAt: gateway, competitor and clients are on one machine.
      const [, id, at] = /"id":"(\d+)","recordedAt":"([^"]+)"/.exec(text) ?? [];
      if (id === undefined || at === undefined) return;
      const seen = delays.get(id) ?? { times: 0, last: 0 };
      delays.set(id, { times: seen.times + 1, last: Date.now() - Date.parse(at) });
    });
  });
}

async function main(): Promise<void> {
  for (let begun = 0; begun < Number(count); begun += 100) {
    await Promise.all(Array.from({ length: Math.min(100, Number(count) - begun) }, open));
  }
  console.log(`${watching} are watching`);
}

process.stdin.on('end', () => {
  const all = [...delays.values()];
  console.log(
    `RESULT ${JSON.stringify({ changes: all.length, deliveries: all.map(({ times }) => times), delays: all.map(({ last }) => last) })}`,
  );
  process.exit(0);
});
process.stdin.resume();
void main();
