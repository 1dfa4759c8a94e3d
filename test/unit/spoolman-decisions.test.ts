// What objects of a Spoolman become, without a database: values, names, materials, tags and weights.
import { compareMembers } from '../../src/farm/spoolman-import/again';
import { decideImport } from '../../src/farm/spoolman-import/decide';
import type { ImportPlan, ImportRow } from '../../src/farm/spoolman-import/import-plan';
import { ReadObjects } from '../../src/farm/spoolman-import/read-objects';
import type { StockHere } from '../../src/farm/spoolman-import/stock-here';
import { type FakeObject, fakeFilament, fakeSpool, fakeVendor } from '../support/fake-spoolman';

const EMPTY: StockHere = {
  materials: [],
  vendors: new Map(),
  filaments: new Map(),
  spools: new Map(),
  externals: new Map(),
  serials: new Set(),
  tagOwners: new Map(),
  fields: new Map(),
};

type Decided = ImportPlan & { rows: ImportRow[] };

async function decide(filaments: FakeObject[], spools: FakeObject[], here: Partial<StockHere> = {}): Promise<Decided> {
  const objects = new ReadObjects();
  for (const filament of filaments) objects.add('FILAMENT', filament);
  for (const spool of spools) objects.add('SPOOL', spool);
  const read = { source: 's', isFromUrl: false, fields: null, objects: objects.finish() };
  const rows: ImportRow[] = [];
  const add = (row: ImportRow) => rows.push(row);
  return { ...(await decideImport(read, { ...EMPTY, ...here }, 'import', '2026-01-01T00:00:00.000Z', add)), rows };
}

const filamentsOf = ({ rows }: Decided) => rows.flatMap(({ write }) => write?.filament ?? []);
const spoolsOf = ({ rows }: Decided) => rows.filter(({ kind }) => kind === 'SPOOL');

test('a material is found by its name in any case and its density, else it is added, with its density if the name is taken', async () => {
  const pla = { id: 'm', name: 'pla', densityGPerCm3: '1.24', isArchived: false };
  const plan = await decide(
    [
      fakeFilament(1),
      fakeFilament(2, { density: 1.27 }),
      fakeFilament(3, { density: '1.270' }),
      fakeFilament(4, { material: undefined, density: 1 }),
    ],
    [],
    { materials: [pla] },
  );
  expect(plan.materials.map(({ name, densityGPerCm3 }) => [name, densityGPerCm3])).toEqual([
    ['PLA 1.27', '1.27'],
    ['Unknown', '1'],
  ]);
  const [first, second, third] = filamentsOf(plan);
  expect(first?.materialId).toBe('m');
  expect(second?.materialId).toBe(third?.materialId);
});

test('a name that a filament of the vendor has gets the material, then the diameter, then the id', async () => {
  const same = (id: number, members: FakeObject = {}) =>
    fakeFilament(id, { name: 'Red', vendor: fakeVendor(1), ...members });
  const plan = await decide([same(1), same(2), same(3), same(4), same(5, { vendor: undefined })], []);
  expect(filamentsOf(plan).map(({ name }) => name)).toEqual([
    'Red',
    'Red PLA',
    'Red PLA 1.75',
    'Red PLA 1.75 #4',
    'Red',
  ]);
  const unnamed = await decide([fakeFilament(8, { name: undefined, material: undefined })], []);
  expect(filamentsOf(unnamed)[0]?.name).toBe('Filament 8');
});

test('what is left is the weight less what was used, with 2 decimals, half to even', async () => {
  const filament = fakeFilament(1);
  const used = async (members: FakeObject) =>
    spoolsOf(await decide([filament], [fakeSpool(1, filament, members)]))[0]?.write?.netGrams;
  expect(await used({ used_weight: 0 })).toBeUndefined();
  expect(await used({ used_weight: 0.005 })).toBe('1000');
  expect(await used({ used_weight: 0.015 })).toBe('999.98');
  expect(await used({ used_weight: 1200 })).toBe('0');
  expect(await used({ used_weight: undefined, remaining_weight: 400.5 })).toBe('400.5');
});

test('a UID that several spools have goes to the one in use, and to none if several are in use', async () => {
  const filament = fakeFilament(1);
  const tags = (...uids: string[]) => uids.map((uid) => ({ uid }));
  const plan = await decide(
    [filament],
    [
      fakeSpool(1, filament, { tags: tags('AA', 'BB'), archived: true }),
      fakeSpool(2, filament, { tags: tags('AA', 'CC') }),
      fakeSpool(3, filament, { tags: tags('CC', 'DD'), extra: { card_uids: '"12345678,1234,00000000"' } }),
    ],
    { tagOwners: new Map([['DD', 'somebody']]) },
  );
  expect(spoolsOf(plan).map(({ write }) => write?.addedTags?.map(({ uid }) => uid))).toEqual([
    ['BB'],
    ['AA'],
    ['12345678'],
  ]);
  expect(spoolsOf(plan).map(({ reason }) => reason)).toEqual([
    'The tag AA is left out, because spool 2 has it too and is in use.',
    'The tag CC is left out, because several spools in use have it.',
    'The tag CC is left out, because several spools in use have it. The tag DD is left out, because another spool here has it.',
  ]);
});

test('colours lose what the farm cannot keep, and the row says so', async () => {
  const plan = await decide(
    [
      fakeFilament(1, { color_hex: 'ff000080' }),
      fakeFilament(2, { color_hex: 'red' }),
      fakeFilament(3, {
        color_hex: undefined,
        multi_color_hexes: 'FF0000,00FF00',
        multi_color_direction: 'longitudinal',
      }),
    ],
    [],
  );
  expect(plan.rows.map(({ reason }) => reason)).toEqual([
    'The transparency of its colour is lost.',
    'Its colour is left out, because it is no colour.',
    null,
  ]);
  expect(filamentsOf(plan).map(({ colorHex, colorArrangement }) => [colorHex, colorArrangement])).toEqual([
    ['#FF0000', null],
    [null, null],
    ['#FF0000', 'LONGITUDINAL'],
  ]);
});

test('a member is written if it has changed there and not here; after both have changed it stays until they are equal', () => {
  const before = { values: { a: '1' }, written: {} };
  const compare = (there: string | null, here: string | null) =>
    compareMembers([{ name: 'a', there, target: there, here }], before);
  expect(compare('2', '1')).toMatchObject({ changes: [{ member: 'a', from: '1', to: '2' }], kept: [] });
  expect(compare('1', '3')).toMatchObject({ changes: [], kept: [] });
  expect(compare('2', '3')).toMatchObject({ changes: [], kept: ['a'], imported: { values: { a: '1' } } });
  expect(compare('2', '2')).toMatchObject({ changes: [], kept: [], imported: { values: { a: '2' } } });
  expect(compare(null, '1')).toMatchObject({ changes: [{ member: 'a', from: '1', to: null }] });
});
