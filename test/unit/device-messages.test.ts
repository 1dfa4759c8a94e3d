// The messages about faults of devices: one for each fault, and one for each kind if a user must do something else.
import type { GraphQLEnumType } from 'graphql';
import { buildGraph } from '../../src/schema';
import { describeMachineFault } from '../../src/wire/fault-sentences';

const schema = buildGraph();
const listNames = (name: string) =>
  (schema.getType(name) as GraphQLEnumType).getValues().map((one) => one.name as never);
const KINDS = listNames('DeviceKind');
const FAULTS = listNames('DeviceFault');

test.each(KINDS)('%s: each fault has a sentence, which says what to do', (kind) => {
  const sentences = FAULTS.map((fault) => describeMachineFault(fault, kind));
  expect(new Set(sentences).size).toBe(FAULTS.length);
  expect(FAULTS.length).toBe(17);
  for (const sentence of sentences) {
    expect(sentence).toMatch(/^[A-Z].+[:.] .+\.$/);
    expect(sentence).toMatch(
      /\b(check|correct|enter|give|let|compare|generate|restart|restore|update|test|save|remove)\b/i,
    );
  }
});

test('the message says for each kind where to find the key', () => {
  expect(new Set(KINDS.map((kind) => describeMachineFault('CREDENTIALS_REFUSED' as never, kind))).size).toBe(
    KINDS.length,
  );
});
