// The store of parsed documents, and the bound on its size.
import { parse } from 'graphql';
import { parsedDocuments } from '../../src/doors/graphql/parsed-documents';

test('documents are kept within 10 MB, their texts included', async () => {
  const store = parsedDocuments();
  const long = ' '.repeat(1_000_000);
  for (let n = 0; n < 40; n += 1) await store.set(String(n), parse(`{ a }${long}`));
  const kept = store.keys().length;
  expect([kept, await store.get('39')]).toEqual([10, expect.objectContaining({ kind: 'Document' })]);
});
