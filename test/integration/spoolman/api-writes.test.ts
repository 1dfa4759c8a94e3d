// What Spoolman's clients write through the API: whole requests or nothing, by the rules of the farm.
import { describeOnDatabases } from '../../support/databases';
import { type Parsed, test, useGateway } from '../../support/gateway';
import { spoolmanClient } from '../../support/spoolman-reader';

describeOnDatabases("writes of Spoolman's clients", (kind) => {
  const gateway = useGateway(kind);
  const client = spoolmanClient(gateway);

  const addFilament = (members: object = {}): Promise<Parsed> =>
    client.ok('POST', '/filament', { density: 1.24, diameter: 1.75, material: 'PLA', ...members });
  const addSpool = async (members: object = {}): Promise<Parsed> =>
    client.ok('POST', '/spool', { filament_id: (await addFilament()).id, ...members });
  const weighings = async (id: number): Promise<Parsed[]> =>
    gateway.sql(`select kind, net_grams::text as net, note from spool_adjustments where spool_id =
      (select id from spools where number = ${id}) order by id`);

  test('KlipperScreen: a PATCH of a weight is a weighing, and a value that is left already is none', async () => {
    const spool = await addSpool({ initial_weight: 1000 });
    expect(await weighings(spool.id)).toEqual([]);
    const changed = await client.ok('PATCH', `/spool/${spool.id}`, { remaining_weight: '700.5' });
    expect([changed.remaining_weight, changed.used_weight]).toEqual([700.5, 299.5]);
    const { used_weight: _, ...shown } = changed;
    await client.ok('PATCH', `/spool/${spool.id}`, shown);
    await client.ok('PATCH', `/spool/${spool.id}`, { used_weight: 299.5 });
    expect(await weighings(spool.id)).toEqual([{ kind: 'WEIGHED', net: '700.5', note: "Spoolman's API" }]);
    expect((await client.ok('PATCH', `/spool/${spool.id}`, { used_weight: 1200 })).remaining_weight).toBe(0);
    expect((await client('PATCH', `/spool/${spool.id}`, { used_weight: 1, remaining_weight: 1 })).status).toBe(400);
  });

  test('Happy Hare: a body without a content type changes only the keys of extra that it names', async () => {
    for (const key of ['printer_name', 'mmu_gate_map'])
      await client.ok('POST', `/field/spool/${key}`, {
        name: key,
        field_type: key === 'printer_name' ? 'text' : 'integer',
      });
    const spool = await addSpool({ extra: { printer_name: '"a"' } });
    const body = JSON.stringify({ extra: { mmu_gate_map: '3' }, location: 'MMU' });
    const changed = await client('PATCH', `/spool/${spool.id}`, body);
    expect(changed.body).toMatchObject({ location: 'MMU', extra: { printer_name: '"a"', mmu_gate_map: '3' } });
    const emptied = await client.ok('PATCH', `/spool/${spool.id}`, { location: '', comment: null });
    expect(emptied.location).toBeUndefined();
  });

  test('a request writes all members or none', async () => {
    const spool = await addSpool();
    for (const wrong of [
      { extra: { unknown_key: '1' } },
      { archived: 'maybe' },
      { remaining_weight: -1 },
      { filament_id: 2_000_000 },
    ]) {
      const refused = await client('PATCH', `/spool/${spool.id}`, { location: 'X', comment: 'Y', ...wrong });
      expect([refused.status, Object.keys(refused.body)]).toEqual([400, ['message']]);
    }
    expect(await client.ok('GET', `/spool/${spool.id}`)).toEqual(spool);
  });

  test('another filament brings its material, diameter, colour and vendor', async () => {
    const vendor = await client.ok('POST', '/vendor', { name: 'Polymaker' });
    const other = await addFilament({
      vendor_id: vendor.id,
      color_hex: '00ff00',
      diameter: 2.85,
      density: 1.3,
      name: 'G',
    });
    const changed = await client.ok('PATCH', `/spool/${(await addSpool()).id}`, { filament_id: String(other.id) });
    expect(changed.filament).toEqual(other);
  });

  test('a change of a filament is also written into its spools', async () => {
    const spool = await addSpool();
    const body = { color_hex: 'ABCDEF', density: '1.27', name: 'New', settings_bed_temp: 55 };
    const filament = await client.ok('PATCH', `/filament/${spool.filament.id}`, body);
    expect(filament).toMatchObject({ color_hex: 'ABCDEF', density: 1.27, material: 'PLA', name: 'New' });
    expect((await client.ok('GET', `/spool/${spool.id}`)).filament).toEqual(filament);
    expect(await client.ok('PATCH', `/filament/${filament.id}`, filament)).toEqual(filament);
  });

  test('a filament has one colour or several with their direction', async () => {
    const filament = await addFilament({ multi_color_hexes: 'ff0000,#00FF0080', multi_color_direction: 'coaxial' });
    expect(filament).toMatchObject({ multi_color_hexes: 'FF0000,00FF0080', multi_color_direction: 'coaxial' });
    expect(filament.color_hex).toBeUndefined();
    expect(await client.ok('PATCH', `/filament/${filament.id}`, filament)).toEqual(filament);
    const single = await client.ok('PATCH', `/filament/${filament.id}`, {
      multi_color_hexes: '',
      multi_color_direction: '',
      color_hex: '0000FF',
    });
    expect([single.color_hex, single.multi_color_hexes]).toEqual(['0000FF', undefined]);
    expect(
      (
        await client('POST', '/filament', {
          density: 1,
          diameter: 1,
          color_hex: '000000',
          multi_color_hexes: '000000,111111',
        })
      ).status,
    ).toBe(400);
    expect((await client('POST', '/filament', { diameter: 1.75 })).status).toBe(400);
  });

  test('a name that the vendor has already is made unique', async () => {
    const vendor = await client.ok('POST', '/vendor', { name: 'Twice' });
    const made = [];
    for (let n = 0; n < 4; n += 1) made.push(await addFilament({ vendor_id: vendor.id, name: 'Basic' }));
    const names = made.map(({ name }) => name);
    expect(names).toEqual(['Basic', 'Basic PLA', 'Basic PLA 1.75', `Basic PLA 1.75 #${made[3].id}`]);
    expect((await addFilament({ material: null, density: 1.9 })).material).toBe('Unknown');
  });

  test('a vendor keeps its name, and stays while something has it', async () => {
    const vendor = await client.ok('POST', '/vendor', { name: 'Sunlu' });
    expect(await client.ok('POST', '/vendor', { name: 'Sunlu', comment: 'again' })).toEqual(vendor);
    expect((await client('PATCH', `/vendor/${vendor.id}`, { name: 'Other' })).status).toBe(409);
    expect(await client.ok('PATCH', `/vendor/${vendor.id}`, { name: 'Sunlu', empty_spool_weight: 133 })).toMatchObject({
      empty_spool_weight: 133,
    });
    const { id } = await addFilament({ vendor_id: vendor.id, name: 'S' });
    expect((await client('DELETE', `/vendor/${vendor.id}`)).status).toBe(409);
    expect(await client.ok('DELETE', `/filament/${id}`)).toEqual({ message: 'Success!' });
    expect(await client.ok('DELETE', `/vendor/${vendor.id}`)).toEqual({ message: 'Success!' });
    expect((await client('GET', `/vendor/${vendor.id}`)).status).toBe(404);
  });

  test('a spool without a filament is shown with one of its own, which cannot be changed', async () => {
    await gateway.sql(`insert into spools (id, spool_serial, material_id, filament_diameter_mm, weight_total_grams, tare_grams, created_at, updated_at)
      select gen_random_uuid(), 'alone', (select id from materials order by name limit 1), 1.75, 800, 120, now(), now()`);
    const [{ number }] = await gateway.sql(`select number from spools where spool_serial = 'alone'`);
    const spool = await client.ok('GET', `/spool/${number}`);
    expect(spool.filament).toMatchObject({ id: number, weight: 800, spool_weight: 120 });
    expect(await client.ok('GET', `/filament/${number}`)).toEqual(spool.filament);
    for (const method of ['PATCH', 'DELETE'])
      expect((await client(method, `/filament/${number}`, { name: 'x' })).status).toBe(409);
    expect((await client.ok('PATCH', `/spool/${number}`, { filament_id: number, comment: 'c' })).comment).toBe('c');
  });

  test('a spool is archived, restored and removed by the rules of the farm', async () => {
    const spool = await addSpool({ archived: 1 });
    expect(spool.archived).toBe(true);
    expect((await client.ok('PATCH', `/spool/${spool.id}`, { archived: false })).archived).toBe(false);
    expect((await client('DELETE', `/filament/${spool.filament.id}`)).status).toBe(409);
    expect(await client.ok('DELETE', `/spool/${spool.id}`)).toEqual({ message: 'Success!' });
    for (const id of [spool.id, 0, -1, 2_147_483_648, '99999999999999999999'])
      expect((await client('GET', `/spool/${id}`)).status).toBe(404);
    for (const wrong of ['x', '1.5']) expect((await client('GET', `/spool/${wrong}`)).status).toBe(422);
    const broken = await client('GET', '/spool/%zz');
    expect([broken.status, Object.keys(broken.body)]).toEqual([400, ['message']]);
    for (const wrong of ['[]', '{', '', '3']) expect((await client('PATCH', '/spool/1', wrong)).status).toBe(422);
  });

  test('a serial that is the number of a new spool does not stop it', async () => {
    const { id } = await addSpool();
    await gateway.sql(`update spools set spool_serial = '${id + 2}' where number = ${id}`);
    const { id: next } = await client.ok('POST', '/spool', { filament_id: (await addFilament()).id });
    expect(next).toBe(id + 2);
    expect((await gateway.sql(`select spool_serial as serial from spools where number = ${next}`))[0].serial).toBe(
      `${next}-2`,
    );
  });

  test('older readers: UIDs in extra become tags once, and no UID stops a request', async () => {
    await client.ok('POST', '/field/spool/card_uids', { name: 'Cards', field_type: 'text' });
    const first = await addSpool({ extra: { card_uids: '"04:11:22:33, 00000000,abc,zz, DE-AD-BE-EF"' } });
    expect(first.tags.map(({ uid }: Parsed) => uid).sort()).toEqual(['04112233', 'DEADBEEF']);
    const second = await addSpool({ extra: { card_uids: '"04112233"' } });
    expect(second.tags).toEqual([]);
    const many = Array.from({ length: 20 }, (_, n) => `AABBCC${10 + n}`).join(',');
    expect((await client.ok('PATCH', `/spool/${second.id}`, { extra: { card_uids: `"${many}"` } })).tags).toHaveLength(
      16,
    );
  });

  test('SpoolmanScale: a tag has one spool, which the refusal names, and a spool has 16 tags at most', async () => {
    const [one, two] = [await addSpool(), await addSpool({ archived: true })];
    const link = (id: number, uid: string, format?: string) => client('POST', `/spool/${id}/tag`, { uid, format });
    const linked = await link(one.id, '0x04 ff-EE:01', 'NTAG');
    expect([linked.status, linked.body]).toEqual([201, { uid: '04FFEE01', format: 'ntag', added: expect.any(String) }]);
    expect((await link(one.id, '04ffee01')).body).toEqual(linked.body);
    const taken = await link(two.id, '04FFEE01');
    expect([taken.status, taken.body]).toEqual([409, { message: expect.any(String), spool_id: one.id }]);
    for (let n = 0; n < 15; n += 1) expect((await link(one.id, `C0FFEE${10 + n}`)).status).toBe(201);
    expect((await link(one.id, 'C0FFEE99')).status).toBe(400);
    expect((await link(one.id, '04FFEE01', 'bambu-tray')).body.format).toBe('bambu-tray');
    expect((await link(one.id, 'xyz')).status).toBe(400);
    expect((await link(2_000_000, '04FFEE02')).status).toBe(404);
    const unlink = (id: number) => client('DELETE', `/spool/${id}/tag/04:ff:ee:01`);
    expect((await unlink(two.id)).status).toBe(404);
    const unlinked = await unlink(one.id);
    expect([unlinked.status, unlinked.text]).toEqual([204, '']);
    expect((await link(two.id, '04FFEE01')).status).toBe(201);
    expect((await client.ok('GET', '/spool?tag=04FFEE01&allow_archived=1'))[0].id).toBe(two.id);
    expect(await client.ok('GET', '/spool?tag=04FFEE01')).toEqual([]);
  });

  test('a write with an idempotency key is executed once, and a refused one is undone', async () => {
    const filament_id = (await addFilament()).id;
    const send = (key: string, body: object) => client('POST', '/spool', body, { 'idempotency-key': key });
    const first = await send('a', { filament_id, location: 'Once' });
    expect((await send('a', { filament_id, location: 'Once' })).body).toEqual(first.body);
    expect((await send('a', { filament_id, location: 'Twice' })).status).toBe(422);
    expect((await send('b', { filament_id, location: 'Gone', archived: 'maybe' })).status).toBe(400);
    expect(await client.ok('GET', '/spool?location=Gone')).toEqual([]);
    expect(await client.ok('GET', '/spool?location=Once')).toHaveLength(1);
  });
});
