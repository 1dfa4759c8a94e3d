// How the texts of documents are handed over and kept: never as keys that a client could make slow, and within bounds.
import { parse } from 'graphql';
import { handedOver, keyOf, parsedDocuments, textsById } from '../../src/graphql/query-texts';

/** V8 takes the length of a longer string for its hash. */
const LONGEST_HASHED = 16_383;

const texts = textsById(() => {
  throw new Error('asked for a persisted query');
});

test('a text is found by the id that it is handed over with', async () => {
  const text = '{ cameras { totalCount } }';
  const { query, extensions } = handedOver(text);
  expect(query).toBeUndefined();
  expect(await texts.get(`apq:${extensions?.['persistedQuery'].sha256Hash}`)).toBe(text);
});

test.each([1, 100, 8192, 8193, LONGEST_HASHED, 100_000])(
  'a text of %d characters is no key whose hash is its length',
  (length) => {
    const text = `#${' '.repeat(length - 1)}`;
    const { query, extensions } = handedOver(text);
    const id: string = extensions?.['persistedQuery'].sha256Hash ?? '';
    // Apollo puts a hash of the schema before it.
    expect(id.length + 200).toBeLessThan(LONGEST_HASHED);
    expect(query === undefined ? id.endsWith(text) : query === text).toBe(true);
    expect(keyOf(text).length).toBeLessThan(LONGEST_HASHED);
  },
);

test('texts of one length have keys of their own', () => {
  const long = ' '.repeat(100_000);
  expect(keyOf(`${long}1`)).not.toBe(keyOf(`${long}2`));
});

test('documents are kept within 30 MB, their texts included', async () => {
  const store = parsedDocuments();
  const long = ' '.repeat(1_000_000);
  for (let n = 0; n < 40; n += 1) await store.set(String(n), parse(`{ a }${long}`));
  const kept = store.keys().length;
  expect([kept, await store.get('39')]).toEqual([31, expect.objectContaining({ kind: 'Document' })]);
});
