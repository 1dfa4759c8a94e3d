// The sentences about faults of devices: one for each fault, and by kind where a person must do something else.
import type { GraphQLEnumType } from 'graphql';
import { buildGraph } from '../../src/schema';
import { describeMachineFault } from '../../src/wire/fault-sentences';

const schema = buildGraph();
const namesOf = (name: string) => (schema.getType(name) as GraphQLEnumType).getValues().map((one) => one.name as never);
const KINDS = namesOf('DeviceKind');
const FAULTS = namesOf('DeviceFault');

test.each(KINDS)('%s: each fault has its own sentence, which says what to do', (kind) => {
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

test('where the key is found is told by kind', () => {
  expect(new Set(KINDS.map((kind) => describeMachineFault('CREDENTIALS_REFUSED' as never, kind))).size).toBe(
    KINDS.length,
  );
});
