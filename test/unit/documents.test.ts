// The store of parsed documents with the bound on its size, and the turns of long documents.
import { parse } from 'graphql';
import { parsedDocuments, turns } from '../../src/graphql/documents';

test('documents are kept within 10 MB, their texts included', async () => {
  const store = parsedDocuments();
  const long = ' '.repeat(1_000_000);
  for (let n = 0; n < 40; n += 1) await store.set(String(n), parse(`{ a }${long}`));
  const kept = store.keys().length;
  expect([kept, await store.get('39')]).toEqual([10, expect.objectContaining({ kind: 'Document' })]);
});

test('of long documents that come at once, each has a turn of the event loop for itself', async () => {
  let loop = 0;
  const count = () => {
    loop += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const turn = turns();
  const at = await Promise.all(Array.from({ length: 5 }, () => turn().then(() => loop)));
  clearImmediate(next);
  expect(new Set(at).size).toBe(5);
});
