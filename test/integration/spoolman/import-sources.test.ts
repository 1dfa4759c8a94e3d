// Where an import reads: files of every form, logins, and Spoolmans that are hostile, wrong or change while they are read.
import { createHash } from 'node:crypto';
import { describeOnce } from '../../support/databases';
import { FakeSpoolman, fakeFilament, fakeSpool, fakeVendor } from '../../support/fake-spoolman';
import { expectCode, type Gateway, test, useGateway } from '../../support/gateway';
import { importAll, READ, read, row, spoolOf } from '../../support/spoolman-imports';

describeOnce('sources of an import', (kind) => {
  const gateway = useGateway(kind, {});
  let fake: FakeSpoolman;
  beforeEach(async () => {
    fake = await FakeSpoolman.start();
  });
  afterEach(() => fake.close());

  const failure = async (input: object) => {
    const failed = await read(gateway, input);
    expect(failed).toMatchObject({ state: 'FAILED', confirm: null });
    return failed.message;
  };
  const refused = async (input: object) => expectCode(await gateway.graphql(READ, { input }), 'BAD_USER_INPUT');

  test('a CSV of spools alone is enough', async () => {
    const csv = [
      'archived,comment,extra.lot,filament.density,filament.diameter,filament.id,filament.material,filament.name,filament.registered,filament.vendor.id,filament.vendor.name,filament.vendor.registered,filament.weight,id,registered,tags,used_weight',
      `False,'=1+1,"""A""",1.24,1.75,5,PLA,Csv,2025-01-31 08:30:00,8,Csv vendor,2025-01-31 08:30:00.5,750,201,2025-01-31 08:30:00.123456,"C001,C002",12.5`,
      'True,,,1.24,1.75,5,PLA,Csv,2025-01-31 08:30:00,8,Csv vendor,2025-01-31 08:30:00.5,750,202,2025-01-31 08:30:00,,0',
    ].join('\r\n');
    const shown = await importAll(gateway, { files: [csv], source: 'csv' });
    expect(shown).toMatchObject({ creates: 4, gone: 0 });
    expect(await spoolOf(gateway, 'csv-201')).toMatchObject({
      number: 201,
      vendor: 'Csv vendor',
      remainingGrams: '737.5',
      createdAt: '2025-01-31T08:30:00.123Z',
    });
    expect(await spoolOf(gateway, 'csv-202')).toMatchObject({ archivedAt: expect.any(String) });
    expect(await gateway.sql('select comment, extra from spools where number = 201')).toEqual([
      { comment: '=1+1', extra: { lot: '"A"' } },
    ]);
    expect(await gateway.sql(`select field_type from extra_fields where key = 'lot'`)).toEqual([
      { field_type: 'text' },
    ]);
    expect(await read(gateway, { files: [csv], source: 'csv' })).toMatchObject({ same: 4, confirm: null });
  });

  test('flat JSON and the answers of lists are read, and files are added to an import', async () => {
    const flat = [
      {
        id: 211,
        registered: '2025-01-31 08:30:00',
        'filament.id': 6,
        'filament.registered': '2025-01-31 08:30:00',
        'filament.density': 1.24,
        'filament.diameter': 1.75,
        initial_weight: 800,
        used_weight: 0.1,
        'extra.size': '3',
      },
    ];
    const shown = await read(gateway, { files: [JSON.stringify(flat)], source: 'json' });
    expect(row(shown, 'FILAMENT', 6)).toMatchObject({ reason: 'Its weight is unknown, so 800 g are assumed.' });
    const more = [fakeSpool(212, fakeFilament(7, { vendor: fakeVendor(9) }))];
    const both = await read(gateway, { files: [JSON.stringify(more)], into: shown.id, source: 'json' });
    expect(both).toMatchObject({ id: shown.id, state: 'READY', creates: 5 });
    // The lists of the filaments and vendors come after the spools that have them inside.
    const listed = [fakeFilament(7, { vendor: fakeVendor(9), comment: 'listed' }), fakeFilament(8)];
    await read(gateway, { files: [JSON.stringify(listed)], into: shown.id, source: 'json' });
    const all = await read(gateway, { files: [JSON.stringify([fakeVendor(9)])], into: shown.id, source: 'json' });
    expect(all).toMatchObject({ creates: 6, refused: 0 });
    expect(row(all, 'FILAMENT', 7).changes).toContainEqual({ member: 'comment', from: null, to: 'listed' });
    const twice = await read(gateway, { files: [JSON.stringify(more)], into: shown.id, source: 'json' });
    expect(row(twice, 'SPOOL', 212)).toMatchObject({ action: 'REFUSED', reason: 'The id appears twice.' });
  });

  test('a file that is no export is refused with a sentence', async () => {
    expect(await failure({ files: ['{"a": 1}'] })).toContain('File 1 is no list of objects');
    expect(await failure({ files: ['[1'] })).toContain('File 1 is not valid JSON');
    expect(await failure({ files: ['name;other\nx;y'] })).toContain('no column id');
    await refused({ files: [] });
    await refused({});
    await refused({ url: fake.url, files: ['[]'] });
    await refused({ files: ['[]'], login: { token: 'x' } });
    await refused({ files: ['[]'], source: 'Wrong Source' });
  });

  test('a login goes to the host of the url in one header, and is shown nowhere', async () => {
    const basic = `Basic ${Buffer.from('u:se:cret').toString('base64')}`;
    for (const [name, value, login] of [
      ['x-api-key', 'secret-1', { apiKey: 'secret-1' }],
      ['authorization', 'Bearer secret-2', { token: 'secret-2' }],
      ['authorization', basic, { username: 'u', password: 'se:cret' }],
    ] as const) {
      fake.login = { name, value };
      const shown = await read(gateway, { url: fake.url, login, source: 'login' });
      expect(shown.state).toBe('READY');
      expect(await failure({ url: fake.url, source: 'login' })).toMatch(/asks for a login.*export files/);
      const message = await failure({ url: fake.url, login: { apiKey: 'wrong-secret' }, source: 'login' });
      expect(message).toMatch(/rejects this login.*export files/);
      expect(message).not.toContain('a text of the answer');
    }
    const [{ all }] = await gateway.sql(`select json_agg(to_json(i))::text as all from spoolman_imports i`);
    expect(all).not.toMatch(/secret|cret/);
    await refused({ url: fake.url, login: { token: 'a', apiKey: 'b' } });
    await refused({ url: fake.url, login: { username: 'a' } });
    await refused({ url: fake.url.replace('//', '//user:pass@') });
  });

  test('addresses are those of devices, and redirects are not followed', async () => {
    await refused({ url: 'http://8.8.8.8' });
    await refused({ url: 'ftp://127.0.0.1' });
    await refused({ url: 'http://169.254.169.254/latest' });
    fake.handle = (_request, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
      return true;
    };
    expect(await failure({ url: fake.url })).toContain('redirects to another address');
    expect(fake.requests).toHaveLength(1);
  });

  test('nonsense, an error and a huge answer fail the import without a word of them', async () => {
    for (const [body, sentence] of [
      ['<html>SECRET</html>', 'Another program than Spoolman'],
      ['{"version": 5, "text": "SECRET"}', 'Another program than Spoolman'],
      ['[[[[', 'Another program than Spoolman'],
      [Buffer.alloc(17 << 20, 32), 'sends more than the gateway reads'],
    ] as const) {
      fake.handle = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
        return true;
      };
      const message = await failure({ url: fake.url });
      expect(message).toContain(sentence);
      expect(message).not.toContain('SECRET');
    }
    fake.handle = (_request, response) => {
      response.writeHead(500).end('SECRET');
      return true;
    };
    expect(await failure({ url: fake.url })).toContain('answers with an error');
  });

  test('a list that changes while it is read is read again, at most three times', async () => {
    const filament = fakeFilament(1);
    fake.filaments = [filament];
    fake.spools = Array.from({ length: 1500 }, (_, at) => fakeSpool(at + 1, filament));
    let changes = 1;
    fake.handle = (request) => {
      if (request.url?.includes('offset=999') && changes-- > 0) fake.spools.shift();
      return undefined;
    };
    expect(await read(gateway, { url: fake.url, source: 'moving' })).toMatchObject({ state: 'READY', creates: 1500 });
    changes = 100;
    expect(await failure({ url: fake.url, source: 'moving' })).toContain('changed while they were read');
    expect(fake.requests.filter(({ url }) => url.includes('spool?') && url.includes('offset=999'))).toHaveLength(6);
  });

  test('a Spoolman that never ends is given up at the bound', async () => {
    fake.handle = (request, response) => {
      const offset = Number(/vendor\?.*offset=(\d+)/.exec(request.url ?? '')?.[1] ?? Number.NaN);
      if (Number.isNaN(offset)) return undefined;
      const page = Array.from({ length: 1000 }, (_, at) => fakeVendor(offset + at + 1));
      response.writeHead(200).end(JSON.stringify(page));
      return true;
    };
    expect(await failure({ url: fake.url, source: 'endless' })).toContain('It has more than 5,000 vendors');
  });
});

describeOnce('rights of an import', (kind) => {
  const key = (name: string, scopes: ('read' | 'write' | 'devices')[]) => ({
    name,
    scopes,
    hash: createHash('sha256').update(`key-of-${name}`).digest('hex'),
    cameraId: null,
  });
  const gateway: Gateway = useGateway(kind, {
    auth: { apiKeys: [key('writer', ['read', 'write']), key('reader', ['read'])], tokens: null },
  });

  test('files need read and write, and a url also devices', async () => {
    const ask = async (name: string, input: object) =>
      (await gateway.rest('POST', '/graphql', { query: READ, variables: { input } }, { 'x-api-key': `key-of-${name}` }))
        .body;
    expect((await ask('reader', { files: ['[]'] })).errors[0].extensions.code).toBe('FORBIDDEN');
    expect((await ask('writer', { url: 'http://127.0.0.1:1' })).errors[0].extensions.code).toBe('FORBIDDEN');
    expect((await ask('writer', { files: ['[]'] })).data.readSpoolman.state).toBe('READING');
  });
});
