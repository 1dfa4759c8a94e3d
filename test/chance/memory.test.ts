// Clients choose the texts of operations, and the memory of the process must not grow with their number.
import { ask } from '../support/requests';
import { runGateway } from '../support/running-gateway';

const TEXTS = 300;

/** Compiled, 250 of these filled the heap. */
const text = (n: number) => {
  const cameras = Array.from({ length: 20 }, (_, i) => `a${n}x${i}: camera(id: $id) { id lastStatus { online fps } }`);
  return `query ($id: ID!) { ${cameras.join(' ')} }`;
};

test('a process with a small heap survives many operations that are sent twice', async () => {
  const gateway = await runGateway({ NODE_OPTIONS: '--max-old-space-size=120' });
  let next = 0;
  const client = async () => {
    while (next < TEXTS) {
      const query = text(next++);
      for (let time = 0; time < 2; time += 1) {
        const { body } = await ask(gateway, '/graphql', { query, variables: { id: 'none' } });
        expect(Object.keys(body)).toEqual(['data']);
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  expect(await gateway.stop()).toBe(0);
}, 120_000);
