// Filaments: the values that spools take from them, the values that spools keep, their stock, numbers and places.
import { randomUUID } from 'node:crypto';
import { collectChanges, summarizeChange } from '../../support/changes';
import { describeOnDatabases, isTestedAlready } from '../../support/databases';
import { type Farm, makeFarm, makeJob, unique } from '../../support/farm';
import { expectCode, expectData, type Parsed, test, useGateway } from '../../support/gateway';

const SPOOL =
  'id number spoolSerial filamentDiameterMm weightTotalGrams purchasePrice colorHex vendor tareGrams place material { id } filament { id }';

// Patterns of texts, their upper and lower case and their order.
describeOnDatabases('filaments', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  const ask = async (document: string, variables?: unknown): Promise<Parsed> =>
    expectData(await gateway.graphql(document, variables));
  const createInput = (members: object = {}) => ({
    name: unique('PLA Galaxy'),
    vendor: 'Prusament',
    materialId: farm.materialId,
    colorHex: '#1e90ff',
    filamentDiameterMm: '1.75',
    weightTotalGrams: '1000',
    tareGrams: '201.5',
    purchasePrice: '29.90',
    articleNumber: unique('PRM'),
    minimumGrams: '2000',
    ...members,
  });
  const create = 'mutation ($input: CreateFilamentInput!) { createFilament(input: $input) { id number name } }';
  const update = (input: object, ofSpools?: boolean, id?: string) =>
    gateway.graphql(
      'mutation ($id: ID!, $input: UpdateFilamentInput!, $ofSpools: Boolean! = false) { updateFilament(id: $id, input: $input, ofSpools: $ofSpools) { id vendor purchasePrice } }',
      { id, input, ...(ofSpools !== undefined && { ofSpools }) },
    );
  const newFilament = async (members: object = {}): Promise<{ id: string; number: number; name: string }> =>
    (await ask(create, { input: createInput(members) })).createFilament;
  const addSpool = (input: object) =>
    gateway.graphql(`mutation ($input: CreateSpoolInput!) { createSpool(input: $input) { ${SPOOL} } }`, {
      input: { spoolSerial: unique('SP'), ...input },
    });
  const newSpool = async (input: object): Promise<Parsed> => expectData(await addSpool(input)).createSpool;
  const readSpool = async (id: string) => (await ask(`query ($id: ID!) { spool(id: $id) { ${SPOOL} } }`, { id })).spool;
  const readIssues = ({ errors }: { errors: Parsed[] }) => errors.flatMap(({ extensions }) => extensions.issues);

  test('spools and filaments are found by number, by the address of a label, and by a part of their texts', async () => {
    const filament = await newFilament();
    const spool = await newSpool({ filamentId: filament.id, place: `Dry box ${filament.number}` });
    const lists =
      'query ($search: String, $filamentId: ID) { spools(search: $search, filamentId: $filamentId) { totalCount nodes { id } } filaments(search: $search) { totalCount nodes { id } } }';
    const found = async (search: string | null, filamentId?: string) => {
      const { spools, filaments } = await ask(lists, { search, filamentId });
      expect([spools.totalCount, filaments.totalCount]).toEqual([spools.nodes.length, filaments.nodes.length]);
      return [...filaments.nodes, ...spools.nodes].map(({ id }: Parsed) => id);
    };
    for (const alone of [
      `#${spool.number}`,
      `https://farm.example/x/n/${spool.number}\n`,
      `HTTP://10.0.0.1:4000/n/${spool.number}`,
      `# ${spool.number}`,
      `/n/${spool.number}/`,
      `httpÖ--10.0.0.1Ö4000-n-${spool.number}`,
    ]) {
      expect(await found(alone)).toEqual([spool.id]);
    }
    expect(await found(`#${filament.number}`)).toEqual([filament.id]);
    expect(await found(String(filament.number))).toEqual(expect.arrayContaining([filament.id, spool.id]));
    for (const none of ['#0', '#99999999999999999999', 'https://farm.example/n/4x'])
      expect(await found(none)).toEqual([]);
    expect(await found(filament.name.toUpperCase())).toEqual([filament.id, spool.id]);
    expect(await found(`dry BOX ${filament.number}`)).toEqual([spool.id]);
    expect((await found(null, filament.id)).filter((id) => id === spool.id)).toEqual([spool.id]);
    expectCode(await gateway.graphql('{ spools(filamentId: "x") { totalCount } }'), 'BAD_USER_INPUT');
  });

  test('places are those of spools in use, each once, in code point order; a blank place is left out', async () => {
    const { id } = await newFilament();
    for (const place of ['zz shelf', 'Ä box', 'zz shelf', '  ']) await newSpool({ filamentId: id, place });
    const gone = await newSpool({ filamentId: id, place: 'nowhere' });
    await ask('mutation ($id: ID!) { archiveSpool(id: $id) { id } }', { id: gone.id });
    const { places } = await ask('{ places }');
    expect(places.filter((one: string) => !one.startsWith('Dry box'))).toEqual(['zz shelf', 'Ä box']);
    expectCode(await addSpool({ filamentId: id, place: 'x'.repeat(101) }), 'BAD_USER_INPUT');
  });

  test('invisible white space creates no second object: texts of the inventory are tidied on every write', async () => {
    const [name, serial, vendor] = [unique('PLA Silk'), unique('SN 1'), unique('Prusa')];
    const untidy = (text: string) => ` ${text.replaceAll(' ', '\u00a0 ')}\u00a0\t`;
    const filament = await newFilament({
      name: untidy(name),
      vendor: untidy(vendor),
      articleNumber: '\ufeffA\u2003 1 ',
    });
    expect(filament.name).toBe(name);
    expectCode(await gateway.graphql(create, { input: createInput({ name, vendor: `${vendor} ` }) }), 'CONFLICT');
    const place = 'Shelf\u00a02 ';
    const spool = await newSpool({ filamentId: filament.id, spoolSerial: untidy(serial), vendor: '\u00a0', place });
    expect(spool).toMatchObject({ spoolSerial: serial, vendor, place: 'Shelf 2' });
    expectCode(await addSpool({ filamentId: filament.id, spoolSerial: `${serial}\u200b` }), 'CONFLICT');
    const change =
      'mutation ($id: ID!, $input: UpdateSpoolInput!) { updateSpool(id: $id, input: $input) { spoolSerial place vendor } }';
    const changes = { spoolSerial: `${serial} `, place: '\u00a0', vendor: 'A  B' };
    expect((await ask(change, { id: spool.id, input: changes })).updateSpool).toEqual({
      spoolSerial: serial,
      place: null,
      vendor: 'A B',
    });
    const blank = await gateway.graphql(change, { id: spool.id, input: { spoolSerial: '\u00a0' } });
    expect(readIssues(blank)).toEqual([{ path: ['input', 'spoolSerial'], message: 'must not be empty' }]);
    const material = unique('PETG');
    const addMaterial =
      'mutation ($name: String!) { createMaterial(input: { name: $name, densityGPerCm3: 1.27 }) { name } }';
    expect((await ask(addMaterial, { name: `${material}\u00a0` })).createMaterial.name).toBe(material);
    expectCode(await gateway.graphql(addMaterial, { name: material }), 'CONFLICT');
    const addPrinter = 'mutation ($name: String!) { createPrinter(input: { name: $name }) { id name } }';
    const { createPrinter } = await ask(addPrinter, { name: ' MK4 \u00a0 left ' });
    expect(createPrinter.name).toBe('MK4 left');
    // Texts that other programs wrote stay unchanged until somebody writes the text.
    await gateway.sql(`update printers set name = 'MK4 ' where id = '${createPrinter.id}'`);
    const update = 'mutation ($id: ID!) { updatePrinter(id: $id, input: {}) { name } }';
    expect((await ask(update, { id: createPrinter.id })).updatePrinter.name).toBe('MK4 ');
  });

  test('a new spool takes missing values from its filament, and keeps the values that it was given', async () => {
    const { id } = await newFilament();
    const spool = await newSpool({ filamentId: id, vendor: null, colorHex: '#000000' });
    expect(spool).toMatchObject({
      filamentDiameterMm: '1.75',
      weightTotalGrams: '1000',
      purchasePrice: '29.90',
      colorHex: '#000000',
      vendor: 'Prusament',
      tareGrams: null,
      place: null,
      material: { id: farm.materialId },
      filament: { id },
    });
    expectData(await update({ purchasePrice: '35', weightTotalGrams: '900' }, true, id));
    expect(await readSpool(spool.id)).toEqual(spool);
  });

  test('a correction of a filament changes the spools in use that still have the old value, and no other member of them', async () => {
    const { id } = await newFilament();
    const same = await newSpool({ filamentId: id });
    const own = await newSpool({ filamentId: id, colorHex: '#000000' });
    const archived = await newSpool({ filamentId: id });
    await ask('mutation ($id: ID!) { archiveSpool(id: $id) { id } }', { id: archived.id });
    const changes = { colorHex: '#FFFFFF', vendor: null, filamentDiameterMm: '2.85', purchasePrice: '99' };
    const noted = await collectChanges(gateway, async () => expectData(await update(changes, true, id)));
    expect(noted.map(summarizeChange)).toEqual([
      `FILAMENT UPDATED ${id}`,
      ...[same.id, own.id].sort().map((spool) => `SPOOL UPDATED ${spool}`),
    ]);
    const corrected = { filamentDiameterMm: '2.85', vendor: null };
    expect(await readSpool(same.id)).toEqual({ ...same, ...corrected, colorHex: '#FFFFFF' });
    expect(await readSpool(own.id)).toEqual({ ...own, ...corrected });
    expect(await readSpool(archived.id)).toEqual(archived);
    // A value that does not change is written nowhere: the spool had another colour.
    expect(
      (await collectChanges(gateway, async () => update({ colorHex: '#FFFFFF' }, true, id))).map(summarizeChange),
    ).toEqual([`FILAMENT UPDATED ${id}`]);
  });

  test('an archived filament is refused for new spools, and a filament with spools cannot be removed', async () => {
    const { id, number } = await newFilament();
    const spool = await newSpool({ filamentId: id });
    const remove = () => gateway.graphql('mutation ($id: ID!) { removeFilament(id: $id) }', { id });
    const refusal = await remove();
    expectCode(refusal, 'CONFLICT');
    await ask('mutation ($id: ID!) { archiveFilament(id: $id) { archivedAt } }', { id });
    const archived = await addSpool({ filamentId: id });
    expectCode(archived, 'BAD_USER_INPUT');
    expect(readIssues(archived)[0].path).toEqual(['input', 'filamentId']);
    expectCode(await addSpool({ filamentId: randomUUID() }), 'BAD_USER_INPUT');
    expect(readIssues(await addSpool({ filamentId: 'x', spoolSerial: '' })).map(({ path }) => path)).toEqual([
      ['input', 'spoolSerial'],
      ['input', 'filamentId'],
    ]);
    const setFilament = (spoolId: string, filamentId: string | null) =>
      gateway.graphql(
        'mutation ($id: ID!, $filamentId: ID) { updateSpool(id: $id, input: { filamentId: $filamentId }) { filament { id } } }',
        { id: spoolId, filamentId },
      );
    // Its existing number is not another number.
    expect(expectData(await setFilament(spool.id, id)).updateSpool.filament).toEqual({ id });
    expect(expectData(await setFilament(spool.id, null)).updateSpool.filament).toBeNull();
    expectCode(await setFilament(spool.id, id), 'BAD_USER_INPUT');
    expectCode(await setFilament(spool.id, randomUUID()), 'BAD_USER_INPUT');
    const byNumber = async (number: number) =>
      (
        await ask(
          `query ($number: Int!) {
            byNumber(number: $number) { __typename ... on Filament { id } ... on Spool { id } }
          }`,
          { number },
        )
      ).byNumber;
    expect(await byNumber(number)).toEqual({ __typename: 'Filament', id });
    expect(await byNumber(spool.number)).toEqual({ __typename: 'Spool', id: spool.id });
    expect(expectData(await remove()).removeFilament).toBe(id);
    expect(await byNumber(number)).toBeNull();
  });

  if (isTestedAlready(kind)) return;

  test('a spool without a filament needs material, diameter and weight', async () => {
    const answer = await addSpool({});
    expectCode(answer, 'BAD_USER_INPUT');
    expect(readIssues(answer).map(({ path }) => path.join('.'))).toEqual([
      'input.materialId',
      'input.filamentDiameterMm',
      'input.weightTotalGrams',
    ]);
  });

  test('a name is unique with its vendor, also without a vendor', async () => {
    for (const vendor of ['Fiberlogy', null]) {
      const { name } = await newFilament({ vendor });
      const answer = await gateway.graphql(create, { input: createInput({ name, vendor }) });
      expectCode(answer, 'CONFLICT');
      expect(readIssues(answer)).toEqual([
        { path: ['input', 'name'], message: 'is taken by another filament of this vendor' },
      ]);
      await newFilament({ name, vendor: 'another' });
    }
  });

  test('the stock counts spools in use: a spool below 0 takes nothing from another, and planned grams are not free', async () => {
    const { id } = await newFilament({ minimumGrams: '1400' });
    const [one, other, gone] = [
      await newSpool({ filamentId: id }),
      await newSpool({ filamentId: id, weightTotalGrams: '500' }),
      await newSpool({ filamentId: id }),
    ];
    await ask('mutation ($id: ID!) { archiveSpool(id: $id) { id } }', { id: gone.id });
    const withSpool = (spoolId: string) => ({ ...farm, spoolId });
    await makeJob(gateway, withSpool(other.id), { GramsDerived: 600 }, 'Completed');
    const { Id: job } = await makeJob(gateway, withSpool(one.id), { GramsDerived: 120.25 });
    const stock = async () =>
      (
        await ask(
          'query ($id: ID!) { filament(id: $id) { stock { spools remainingGrams plannedGrams freeGrams isLow } spools(first: 1) { totalCount nodes { id } } } }',
          { id },
        )
      ).filament;
    expect((await stock()).stock).toEqual({
      spools: 2,
      remainingGrams: '1000',
      plannedGrams: '120.25',
      freeGrams: '879.75',
      isLow: true,
    });
    expect((await stock()).spools.totalCount).toBe(3);
    // Equal is not low.
    expectData(await update({ minimumGrams: '879.75' }, undefined, id));
    expect((await stock()).stock.isLow).toBe(false);
    for (const status of ['PRINTING', 'COMPLETED']) {
      await ask(
        'mutation ($id: ID!, $status: PrintJobStatus!) { changePrintJobStatus(id: $id, status: $status) { id } }',
        {
          id: job,
          status,
        },
      );
      expect((await stock()).stock.freeGrams).toBe('879.75');
    }
    expectData(await update({ minimumGrams: '880' }, undefined, id));
    expect((await stock()).stock.isLow).toBe(true);
    await ask('mutation ($id: ID!) { archiveFilament(id: $id) { id } }', { id });
    expect((await stock()).stock.isLow).toBe(false);
  });

  test('a low filament is an alert, also while a job merely ends, and none if it equals its minimum or is archived', async () => {
    const { id, name } = await newFilament({ minimumGrams: '900.5' });
    const spool = await newSpool({ filamentId: id });
    const alerts = async () =>
      (await ask('{ alerts { kind severity message since filament { id } } }')).alerts.filter(
        (one: Parsed) => one.filament?.id === id,
      );
    expect(await alerts()).toEqual([]);
    const job = await makeJob(gateway, { ...farm, spoolId: spool.id }, { GramsDerived: 99.5 });
    expect(await alerts()).toEqual([]);
    const another = await makeJob(gateway, { ...farm, spoolId: spool.id }, { GramsDerived: 0.25 });
    const low = {
      kind: 'STOCK_LOW',
      severity: 'WARNING',
      message: `Product ${name} is low: 900.25 g free, minimum 900.5 g. Buy more of it.`,
      filament: { id },
    };
    expect(await alerts()).toEqual([{ ...low, since: another.UpdatedAt }]);
    for (const status of ['Printing', 'Completed']) {
      await gateway.rest('PATCH', `/api/printjobs/${job.Id}/status`, { Status: status });
      expect(await alerts()).toMatchObject([low]);
    }
    const rest = await makeJob(gateway, { ...farm, spoolId: spool.id }, { GramsDerived: 900.24 });
    expect(await alerts()).toMatchObject([{ severity: 'WARNING', message: expect.stringContaining(' 0.01 g ') }]);
    const last = await makeJob(gateway, { ...farm, spoolId: spool.id }, { GramsDerived: 0.01 });
    expect(await alerts()).toMatchObject([{ severity: 'CRITICAL' }]);
    for (const { Id } of [rest, last]) await gateway.rest('DELETE', `/api/printjobs/${Id}`);
    const { correctSpool } = await ask(
      'mutation ($id: ID!) { correctSpool(id: $id, input: { grams: 0.25, note: "found" }) { id } }',
      { id: spool.id },
    );
    expect(await alerts()).toEqual([]);
    await ask('mutation ($id: ID!) { takeBackAdjustment(id: $id) { id } }', { id: correctSpool.id });
    expect(await alerts()).toMatchObject([low]);
    await ask('mutation ($id: ID!) { archiveFilament(id: $id) { id } }', { id });
    expect(await alerts()).toEqual([]);
    // Without spools nothing is free.
    const empty = await newFilament({ minimumGrams: '1' });
    expect((await ask('{ alerts { filament { id } } }')).alerts).toContainEqual({ filament: { id: empty.id } });
  });

  test('the filaments come by name, then number, page by page', async () => {
    const name = unique('Page');
    const made: number[] = [];
    for (const vendor of ['c', 'a', 'b']) made.push((await newFilament({ name, vendor })).number);
    const read: number[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const { filaments }: Parsed = await ask(
        'query ($search: String, $after: String) { filaments(search: $search, first: 2, after: $after) { nodes { number } pageInfo { hasNextPage endCursor } } }',
        { search: name, after },
      );
      read.push(...filaments.nodes.map((one: Parsed) => one.number));
      ({ hasNextPage: more, endCursor: after } = filaments.pageInfo);
    }
    expect(read).toEqual(made);
  });
});

// Sequences, and the texts of errors of both drivers.
describeOnDatabases('the numbers of filaments and spools', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  const SPOOLS = 'insert into spools (id, spool_serial, filament_diameter_mm, weight_total_grams, material_id';
  const insert = (number?: number) =>
    gateway.sql(`${SPOOLS}${number === undefined ? '' : ', number'}) values (gen_random_uuid(), '${unique('SP')}', 1.75, 1000,
      '${farm.materialId}'${number === undefined ? '' : `, ${number}`}) returning id, number`);

  test('are one series, also for rows of other programs, and are never given twice', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `PLA ${n}`);
    const input = { materialId: farm.materialId, filamentDiameterMm: '1.75', weightTotalGrams: '1000' };
    const given = await Promise.all(
      names.map(async (name) => {
        const document =
          'mutation ($filament: CreateFilamentInput!, $spool: CreateSpoolInput!) { createFilament(input: $filament) { number } createSpool(input: $spool) { number } }';
        const answer = await gateway.graphql(document, {
          filament: { name, ...input },
          spool: { spoolSerial: name, ...input },
        });
        const { createFilament, createSpool } = expectData(answer);
        const [row] = await insert();
        return [createFilament.number, createSpool.number, row.number] as number[];
      }),
    );
    expect(new Set(given.flat()).size).toBe(60);
    const highest = Math.max(...given.flat());
    // Removed objects free no number, also after a restart.
    for (const table of ['spools', 'filaments']) await gateway.sql(`delete from ${table} where number = ${highest}`);
    await gateway.restart();
    const [next] = await insert();
    expect(next.number).toBeGreaterThan(highest);
  });

  test('are refused if a program sets or changes one', async () => {
    const refused = async (write: Promise<unknown>) =>
      expect(await write.then(() => 'done', String)).toContain('spools_number');
    await refused(insert(4711));
    const [row] = await insert();
    await refused(gateway.sql(`update spools set number = number + 1 where id = '${row.id}'`));
    await gateway.sql(`update spools set number = number, place = 'shelf' where id = '${row.id}'`);
  });
});
