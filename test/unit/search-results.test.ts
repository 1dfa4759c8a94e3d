// Tests what the search of the dashboard asks for, and in which order it shows the results.
import { groupResults, type Result, toVariables } from '../../src/web/search/search-results';

const makeResult = (name: string, others: Partial<Result> = {}): Result => ({
  address: `/spools/${name}`,
  name,
  details: [],
  ...others,
});

test('the number of a label searches only numbers; a label of Spoolman searches only spools and products; digits search numbers and texts; other texts search texts', () => {
  for (const label of ['#12', '/n/12/', 'https://farm.example/n/12', 'httpÖ--farm-n-12'])
    expect(toVariables(label)).toMatchObject({ number: 12, hasNumber: true, searchesTexts: false });
  expect(toVariables('12')).toMatchObject({ number: 12, hasNumber: true, searchesTexts: true });
  expect(toVariables('Bay 12')).toMatchObject({ hasNumber: false, searchesTexts: true });
  for (const label of ['WEB+SPOOLMAN:S-12', 'http://spoolman/filament/show/12'])
    expect(toVariables(label)).toMatchObject({ hasNumber: false, searchesTexts: false, searchesStock: true });
  // More than the type Int of GraphQL can hold.
  expect(toVariables('#4294967296')).toMatchObject({ number: 0, hasNumber: false, searchesTexts: false });
});

test('the best match is first: its group, then an exact name, a start, a word, any part; archived objects are last', () => {
  const spools = [
    makeResult('Old PLA'),
    makeResult('pla-9', { isArchived: true }),
    makeResult('XPLA'),
    makeResult('PLA-10'),
    makeResult('PLA-2'),
  ];
  const groups = groupResults(
    [
      { kind: 'Spools', list: '/spools', results: spools },
      { kind: 'Products', list: '/filaments', results: [] },
      { kind: 'Cameras', list: '/camera/', results: [makeResult('Splay'), makeResult('pla')] },
    ],
    'PLA',
  );
  expect(groups.map(({ value, items }) => [value, items.map(({ name }) => name)])).toEqual([
    ['Cameras', ['pla', 'Splay']],
    ['Spools', ['PLA-2', 'PLA-10', 'Old PLA', 'XPLA', 'pla-9']],
  ]);
});

test('the object with the number is first, and more than five matches lead to their list', () => {
  const others = Array.from({ length: 7 }, (_, index) => makeResult(`12-${index}`));
  const results = [...others, makeResult('Z', { details: ['#12'] })];
  const [group] = groupResults([{ kind: 'Spools', list: '/spools', results }], '12');
  expect(group?.items.map(({ name, address }) => [name, address])).toEqual([
    ['Z', '/spools/Z'],
    ...others.slice(0, 4).map(({ name, address }) => [name, address]),
    ['Show all spools that match', '/spools?search=12'],
  ]);
});
