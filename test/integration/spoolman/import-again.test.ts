// A further import of the same Spoolman: no doubles, changes on both sides, reused ids, and another Spoolman.
import { describeOnDatabases } from '../../support/databases';
import { type FakeObject, FakeSpoolman, fakeFilament, fakeSpool, fakeVendor } from '../../support/fake-spoolman';
import { expectData, test, useGateway } from '../../support/gateway';
import { importAll, read, row, spoolOf, write } from '../../support/spoolman-imports';

describeOnDatabases('importing a Spoolman again', (kind) => {
  const gateway = useGateway(kind, {});
  let fake: FakeSpoolman;
  let filament: FakeObject;
  beforeEach(async () => {
    fake = await FakeSpoolman.start();
    filament = fakeFilament(1, { vendor: fakeVendor(1, { name: 'Again' }), name: 'Red' });
    fake.vendors = [fakeVendor(1, { name: 'Again' })];
    fake.filaments = [filament];
  });
  afterEach(() => fake.close());

  const update = async (id: string, input: object) =>
    expectData(
      await gateway.graphql(
        'mutation ($id: ID!, $input: UpdateSpoolInput!) { updateSpool(id: $id, input: $input) { id } }',
        { id, input },
      ),
    );
  const first = async (source: string, spools: FakeObject[]) => {
    fake.spools = spools;
    await importAll(gateway, { url: fake.url, source });
  };

  test('an unchanged Spoolman changes nothing, and has nothing to write', async () => {
    await first('same', [fakeSpool(1, filament, { used_weight: 10, tags: [{ uid: 'A001' }] })]);
    const again = await read(gateway, { url: fake.url, source: 'same' });
    expect(again).toMatchObject({ creates: 0, updates: 0, same: 3, kept: 0, confirm: null });
  });

  test('a member that has changed there is written, one that has changed in both stays', async () => {
    const spool = { location: 'A', comment: 'x', price: 10, tags: [{ uid: 'B001' }, { uid: 'B002' }] };
    await first('both', [fakeSpool(101, filament, spool)]);
    const { id } = await spoolOf(gateway, 'both-101');
    await update(id, { place: 'Here', purchasePrice: '11' });
    const changed = { ...spool, location: 'There', comment: 'y', tags: [{ uid: 'B002' }, { uid: 'B003' }] };
    fake.spools = [fakeSpool(101, filament, changed)];
    const again = await importAll(gateway, { url: fake.url, source: 'both' });
    expect(row(again, 'SPOOL', 101)).toMatchObject({
      action: 'UPDATE',
      reason: 'Changed here and in Spoolman, so the value here stays: place.',
      changes: [
        { member: 'comment', from: 'x', to: 'y' },
        { member: 'tags', from: 'B001, B002', to: 'B002, B003' },
      ],
    });
    expect(await spoolOf(gateway, 'both-101')).toMatchObject({ place: 'Here', purchasePrice: '11' });
    expect(await gateway.sql(`select uid from spool_tags where spool_id = '${id}' order by uid`)).toEqual([
      { uid: 'B002' },
      { uid: 'B003' },
    ]);
    const third = await read(gateway, { url: fake.url, source: 'both' });
    expect(row(third, 'SPOOL', 101)).toMatchObject({ action: 'KEPT', changes: [] });
    expect(third.confirm).toBeNull();
  });

  test('a changed colour of a filament is also that of its spools, and a new filament of a spool brings its members', async () => {
    await first('colour', [fakeSpool(111, filament), fakeSpool(112, filament)]);
    const [blue, petg] = [
      fakeFilament(1, { ...filament, color_hex: '0000FF' }),
      fakeFilament(2, { name: 'Other', material: 'PETG', density: 1.27, color_hex: '00FF00', diameter: 2.85 }),
    ];
    fake.filaments = [blue, petg];
    fake.spools = [fakeSpool(111, blue), fakeSpool(112, petg)];
    await importAll(gateway, { url: fake.url, source: 'colour' });
    expect(await spoolOf(gateway, 'colour-111')).toMatchObject({ colorHex: '#0000FF', vendor: 'Again' });
    expect(await spoolOf(gateway, 'colour-112')).toMatchObject({
      colorHex: '#00FF00',
      vendor: null,
      material: { name: 'PETG' },
      filament: { name: 'Other' },
    });
  });

  test('what is left follows Spoolman until something is counted here', async () => {
    await first('left', [fakeSpool(121, filament), fakeSpool(122, filament, { used_weight: 100 })]);
    fake.spools = [fakeSpool(121, filament, { used_weight: 50 }), fakeSpool(122, filament, { used_weight: 1500 })];
    const again = await importAll(gateway, { url: fake.url, source: 'left' });
    expect(row(again, 'SPOOL', 121).changes).toEqual([{ member: 'remainingGrams', from: '1000', to: '950' }]);
    expect(await spoolOf(gateway, 'left-121')).toMatchObject({
      remainingGrams: '950',
      adjustments: { nodes: [{ kind: 'WEIGHED', netGrams: '950', note: 'Spoolman' }] },
    });
    expect(await spoolOf(gateway, 'left-122')).toMatchObject({ remainingGrams: '0' });
    const { id } = await spoolOf(gateway, 'left-121');
    expectData(
      await gateway.graphql('mutation ($id: ID!) { weighSpool(id: $id, input: { netGrams: "900" }) { id } }', {
        id,
      }),
    );
    fake.spools = [fakeSpool(121, filament, { used_weight: 500 }), fakeSpool(122, filament, { used_weight: 1500 })];
    expect(await read(gateway, { url: fake.url, source: 'left' })).toMatchObject({ updates: 0, confirm: null });
  });

  test('an object that is missing stays, and an id with another time is another spool with another number', async () => {
    await first('gone', [fakeSpool(131, filament), fakeSpool(132, filament)]);
    fake.spools = [fakeSpool(131, filament, { registered: '2025-09-09T09:09:09Z' })];
    const again = await importAll(gateway, { url: fake.url, source: 'gone' });
    expect(again).toMatchObject({ creates: 1, gone: 2 });
    const { number } = row(again, 'SPOOL', 131);
    expect(number).not.toBe(131);
    expect(await spoolOf(gateway, 'gone-131')).toMatchObject({ number: 131 });
    expect(await spoolOf(gateway, 'gone-131-2')).toMatchObject({ number });
    expect(await spoolOf(gateway, 'gone-132')).toMatchObject({ number: 132, archivedAt: null });
  });

  test('another Spoolman needs its own source', async () => {
    await first('one', [fakeSpool(141, filament)]);
    const other = fakeFilament(1, { registered: '2024-01-01T00:00:00Z', name: 'Not yours' });
    fake.vendors = [];
    fake.filaments = [other];
    fake.spools = [fakeSpool(141, other, { registered: '2024-01-01T00:00:00Z' })];
    const wrong = await read(gateway, { url: fake.url, source: 'one' });
    expect(wrong).toMatchObject({ state: 'FAILED', confirm: null });
    expect(wrong.message).toContain('another Spoolman');
    expect(wrong.message).not.toContain('Not yours');
    await importAll(gateway, { url: fake.url, source: 'two' });
    expect(await spoolOf(gateway, 'two-141')).toBeDefined();
  });

  test('a spool that changes here after the preview fails the import', async () => {
    await first('late', [fakeSpool(151, filament), fakeSpool(152, filament)]);
    fake.spools = [fakeSpool(151, filament, { comment: 'new' }), fakeSpool(152, filament, { comment: 'new' })];
    const shown = await read(gateway, { url: fake.url, source: 'late' });
    expect(shown.updates).toBe(2);
    await update((await spoolOf(gateway, 'late-151')).id, { place: 'Moved' });
    // A member that the import does not change is no obstacle.
    expect((await write(gateway, shown)).state).toBe('WRITTEN');
    fake.spools = [fakeSpool(151, filament, { location: 'B' }), fakeSpool(152, filament, { location: 'B' })];
    const second = await read(gateway, { url: fake.url, source: 'late' });
    await update((await spoolOf(gateway, 'late-152')).id, { place: 'Moved' });
    expect((await write(gateway, second)).state).toBe('FAILED');
    expect(await spoolOf(gateway, 'late-151')).toMatchObject({ place: 'Moved' });
  });
});
