// Who may use the API for Spoolman's clients, its paths and methods, and the addresses of Spoolman's labels.
import { createHash } from 'node:crypto';
import type { Scope } from '../../../src/farm/graph/caller';
import { anyDatabase } from '../../support/databases';
import { PATIENT, test, useGateway } from '../../support/gateway';
import { spoolmanClient } from '../../support/spoolman-reader';

const key = (name: string, scopes: Scope[]) => ({
  name,
  scopes,
  hash: createHash('sha256').update(`key-of-${name}`).digest('hex'),
  cameraId: null,
});
const apiKeys = [
  key('spools', ['spools']),
  key('reader', ['read']),
  key('writer', ['write']),
  key('device', ['devices']),
];
const auth = { apiKeys, tokens: null };
const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});
const bearer = (name: string) => ({ authorization: `Bearer key-of-${name}` });
const NEW_VENDOR = { name: 'V' };

describe('with keys', () => {
  const gateway = useGateway(anyDatabase, { auth });
  const client = spoolmanClient(gateway);

  const callers: [string, Record<string, string>, number, number][] = [
    ['nobody', {}, 401, 401],
    ['an unknown key', bearer('x'), 401, 401],
    ['spools', bearer('spools'), 200, 200],
    ['read', bearer('reader'), 200, 403],
    ['write', bearer('writer'), 403, 200],
    ['devices', bearer('device'), 403, 403],
    ['a key as password', basic('farm', 'key-of-spools'), 200, 200],
    ['a key as password without a user', basic('', 'key-of-spools'), 401, 401],
    ['another password', basic('farm', 'secret'), 401, 401],
  ];
  for (const [name, headers, read, write] of callers)
    test(`${name}: ${read} for reading, ${write} for writing`, async () => {
      expect((await client('GET', '/info', undefined, headers)).status).toBe(read);
      const written = await client('POST', '/vendor', NEW_VENDOR, {
        ...headers,
        'idempotency-key': `k ${name}`.replaceAll(' ', ''),
      });
      expect([written.status, Object.keys(written.body)[0]]).toEqual([write, write === 200 ? 'id' : 'message']);
    });

  test('the scope spools opens nothing else', async () => {
    for (const path of ['/cameras', '/api/printjobs', '/reports/spools.csv'])
      expect((await gateway.rest('GET', path, undefined, bearer('spools'))).status).toBe(403);
    expect((await gateway.rest('POST', '/cameras', {}, bearer('spools'))).status).toBe(403);
    const viewer = await gateway.rest(
      'POST',
      '/graphql',
      { query: '{ viewer { name mayRead mayWrite } }' },
      bearer('spools'),
    );
    expect(viewer.body.data.viewer).toEqual({ name: 'spools', mayRead: false, mayWrite: false });
    const spools = await gateway.rest('POST', '/graphql', { query: '{ spools { totalCount } }' }, bearer('spools'));
    expect(spools.body.errors[0].extensions.code).toBe('FORBIDDEN');
    expect((await gateway.rest('GET', '/cameras', undefined, basic('farm', 'key-of-reader'))).status).toBe(401);
  });

  test('a page of another site may not write', async () => {
    const answer = await client('POST', '/vendor', NEW_VENDOR, { ...bearer('spools'), origin: 'https://evil.example' });
    expect([answer.status, Object.keys(answer.body)]).toEqual([403, ['message']]);
  });
});

describe('open to private networks', () => {
  const gateway = useGateway(anyDatabase, { auth, http: { ...PATIENT.http, spoolman: 'open' } });
  const client = spoolmanClient(gateway);

  test('Orca: a private address needs no key, and an unknown password does no harm', async () => {
    expect((await gateway.rest('HEAD', '/api/v1')).status).toBe(200);
    expect((await client('POST', '/vendor', NEW_VENDOR)).status).toBe(200);
    expect((await client('GET', '/vendor', undefined, basic('proxy', 'secret'))).status).toBe(200);
    expect((await client('GET', '/vendor', undefined, bearer('device'))).status).toBe(200);
  });

  test('a client behind an unknown proxy may be anywhere, so it needs a key', async () => {
    expect((await client('GET', '/vendor', undefined, { 'x-forwarded-for': '10.0.0.7' })).status).toBe(401);
    expect((await gateway.rest('GET', '/cameras')).status).toBe(401);
  });
});

describe('switched off', () => {
  const gateway = useGateway(anyDatabase, { http: { ...PATIENT.http, spoolman: 'off' } });

  test('every path answers 404', async () => {
    for (const path of ['/api/v1', '/api/v1/spool', '/api/v1/spool/1'])
      expect((await gateway.rest('GET', path)).status).toBe(404);
  });
});

describe('paths', () => {
  const gateway = useGateway(anyDatabase);
  const client = spoolmanClient(gateway);

  test('the root and /info name the version and the farm', async () => {
    const info = await client.ok('GET', '/info');
    expect(info).toMatchObject({ version: '0.27.0', debug_mode: false, db_type: 'postgres', backups_dir: '' });
    expect(info.farm).toBe((await gateway.sql('select name from change_feed'))[0].name);
    for (const path of ['', '/', '/info/']) expect(await client.ok('GET', path)).toEqual(info);
    expect(await client.ok('GET', '/health')).toEqual({ status: 'healthy' });
  });

  test('a method that a path does not have gets 405 with Allow, and a path that is not offered gets 404', async () => {
    const wrong = await client('PUT', '/vendor/1', {});
    expect([wrong.status, wrong.headers['allow']]).toEqual([405, 'GET, HEAD, PATCH, DELETE']);
    expect((await client('DELETE', '/spool')).headers['allow']).toBe('GET, HEAD, POST');
    const missing = [
      '/search',
      '/spool/group',
      '/spool/field/location',
      '/export/spools',
      '/backup',
      '/filament/1/tag',
      '/tag/decode',
      '/external/filament/search',
      '/spool//',
      '/Spool',
    ];
    for (const path of missing) {
      const answer = await client('GET', path);
      expect([path, answer.status, Object.keys(answer.body)]).toEqual([path, 404, ['message']]);
    }
  });

  test("the addresses of Spoolman's labels lead to the page of the object", async () => {
    const filament = await client.ok('POST', '/filament', { density: 1.24, diameter: 1.75 });
    const spool = await client.ok('POST', '/spool', { filament_id: filament.id });
    await gateway.sql(`insert into external_objects (source, kind, external_id, registered, spool_id, imported)
      select 'spoolman', 'SPOOL', 77, now(), id, '{}' from spools where number = ${spool.id}`);
    const to = async (path: string) => {
      const { status, headers } = await gateway.rest('GET', path);
      return [status, headers['location']];
    };
    expect(await to('/spool/show/77')).toEqual([302, `/n/${spool.id}`]);
    expect(await to('/?sel=spool:77')).toEqual([302, `/n/${spool.id}`]);
    expect(await to(`/filament/show/${filament.id}`)).toEqual([302, `/n/${filament.id}`]);
    expect(await to(`/?sel=FILAMENT%3A${filament.id}`)).toEqual([302, `/n/${filament.id}`]);
    for (const path of ['/SPOOL/SHOW/77', '/Spool/Show/77/', '/?SEL=SPOOL:77', '/?a=1&Sel=spool%3a77'])
      expect([path, ...(await to(path))]).toEqual([path, 302, `/n/${spool.id}`]);
    expect((await to('/spool/show/abc'))[0]).toBe(404);
  });
});
