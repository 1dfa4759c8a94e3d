// The WebSockets of Spoolman's API, scans of tags, and what programs report as used, as real clients send them.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Parsed } from '../../support/gateway';
import { type ListeningGateway, listenInProcess } from '../../support/listening-gateway';
import { inTime, until } from '../../support/waiting';

describe('the WebSockets of the API for Spoolman', () => {
  let gateway: ListeningGateway;
  const sockets: WebSocket[] = [];
  let filamentId = 0;

  const send = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${gateway.url}/api/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, text, json: text === '' ? null : (JSON.parse(text) as Parsed) };
  };
  const open = async (path: string, headers: Record<string, string> = {}) => {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/api/v1${path}`, { headers });
    sockets.push(socket);
    const came: Parsed[] = [];
    socket.on('message', (data) => came.push(JSON.parse(String(data))));
    await inTime(`${path} is open`, once(socket, 'open'));
    return { socket, came };
  };
  /** @returns the status of a refused handshake */
  const refused = async (path: string, headers: Record<string, string> = {}): Promise<number> => {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/api/v1${path}`, { headers });
    sockets.push(socket);
    socket.on('error', () => {});
    const [, response] = await inTime('the handshake is refused', once(socket, 'unexpected-response'));
    socket.terminate();
    return response.statusCode;
  };
  const createSpool = async (members: object = {}) =>
    (await send('POST', '/spool', { filament_id: filamentId, ...members })).json as Parsed;
  const hasMessage = (came: Parsed[], type: string, resource: string, id: number) => () =>
    came.find((one) => one.type === type && one.resource === resource && one.payload.id === id);

  beforeAll(async () => {
    gateway = await listenInProcess();
    const filament = { name: 'Black', material: 'PLA', density: 1.24, diameter: 1.75, weight: 1000, spool_weight: 200 };
    filamentId = (await send('POST', '/filament', filament)).json.id;
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.terminate();
  });
  afterAll(() => gateway?.stop());

  test('a change is sent to the sockets of all objects, of the kind and of the object, as GET answers it', async () => {
    const spool = await createSpool();
    const other = await createSpool();
    const all = await open('/');
    const kind = await open('/spool');
    const one = await open(`/spool/${spool.id}`);
    const foreign = await open(`/spool/${other.id}`);
    await send('PATCH', `/spool/${spool.id}`, { comment: 'dry me' });
    for (const { came } of [all, kind, one]) {
      const message = await until('the change is sent', hasMessage(came, 'updated', 'spool', spool.id));
      expect(message.date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(message.payload).toEqual((await send('GET', `/spool/${spool.id}`)).json);
    }
    expect(foreign.came).toEqual([]);
  });

  test('a new object is added, and a removed object is deleted with its id', async () => {
    const { came } = await open('/');
    const spool = await createSpool();
    await until('it is added', hasMessage(came, 'added', 'spool', spool.id));
    await send('DELETE', `/spool/${spool.id}`);
    await until('it is deleted', hasMessage(came, 'deleted', 'spool', spool.id));
    const { json: vendor } = await send('POST', '/vendor', { name: 'Fiberlogy' });
    await until('a vendor is added', hasMessage(came, 'added', 'vendor', vendor.id));
  });

  test('a changed filament or vendor changes the spools that contain it', async () => {
    const { json: vendor } = await send('POST', '/vendor', { name: 'Prusament' });
    const filament = { name: 'Red', vendor_id: vendor.id, material: 'PLA', density: 1.24, diameter: 1.75 };
    const { json: red } = await send('POST', '/filament', filament);
    const spool = await createSpool({ filament_id: red.id });
    const { came } = await open('/');
    await send('PATCH', `/filament/${red.id}`, { comment: 'new' });
    const isNew = ({ payload }: Parsed) => payload.id === spool.id && payload.filament?.comment === 'new';
    await until('the spool shows the comment of its filament', () => came.find(isNew));
    await send('PATCH', `/vendor/${vendor.id}`, { comment: 'CZ' });
    await until('the vendor is sent', hasMessage(came, 'updated', 'vendor', vendor.id));
    const isOfVendor = ({ payload }: Parsed) => payload.id === spool.id && payload.filament?.vendor?.comment === 'CZ';
    await until('the spool shows the comment of the vendor', () => came.find(isOfVendor));
  });

  test('a text is answered, at most once in a second', async () => {
    const { socket, came } = await open('/spool');
    for (let count = 0; count < 10; count += 1) socket.send('ping');
    await until('the text is answered', () => came[0]);
    await createSpool();
    await until('a change follows', () => came.find(({ type }) => type === 'added'));
    expect(came.filter(({ status }) => status === 'healthy')).toHaveLength(1);
  });

  test('a path without changes has no socket, and a page of another site gets none', async () => {
    expect(await refused('/location')).toBe(404);
    expect(await refused('/spool', { origin: 'https://elsewhere.example' })).toBe(403);
    await open('/spool/999999');
  });

  test('a scan is answered and sent to the sockets of its reader, once in three seconds', async () => {
    const spool = await createSpool();
    await send('POST', `/spool/${spool.id}/tag`, { uid: '04:a2:b3:c4', format: 'NTAG' });
    const all = await open('/tag/scan');
    const mine = await open('/tag/scan/bench-1');
    const foreign = await open('/tag/scan/bench-2');
    const changes = await open('/');
    const scan = { uid: '04a2b3c4', reader_id: 'bench-1', name: 'Bench' };
    const first = await send('POST', '/tag/scan', scan);
    expect(first).toMatchObject({ status: 200, json: { uid: '04A2B3C4', matched_spool_id: spool.id } });
    expect(first.json.spool).toEqual((await send('GET', `/spool/${spool.id}`)).json);
    expect((await send('POST', '/tag/scan', scan)).status).toBe(200);
    const unknown = await send('POST', '/tag/scan', { uid: '99', reader_id: 'bench-1' });
    expect(unknown.text).toContain('"matched_spool_id":null,"matched_filament_id":null');
    const hasBoth =
      ({ came }: { came: Parsed[] }) =>
      () =>
        came.length >= 2 || null;
    await until('all scans are sent', hasBoth(all));
    await until('the scans of the reader are sent', hasBoth(mine));
    expect(mine.came.map(({ payload }) => payload.uid)).toEqual(['04A2B3C4', '99']);
    expect(JSON.stringify(mine.came)).not.toContain('null');
    expect(foreign.came).toEqual([]);
    expect(changes.came.filter(({ type }) => type === 'scanned')).toEqual([]);
    expect((await send('GET', '/tag/reader')).json).toMatchObject([{ reader_id: 'bench-1', name: 'Bench' }]);
    expect((await send('POST', '/tag/scan', { uid: '1', reader_id: 'a b' })).status).toBe(422);
    expect((await send('POST', '/tag/scan', { uid: 'xyz' })).status).toBe(400);
  });

  test('use_length counts exactly, and the spool is sent', async () => {
    const spool = await createSpool();
    const { came } = await open(`/spool/${spool.id}`);
    const moonraker = { 'user-agent': 'Moonraker/v0.9' };
    for (let count = 0; count < 5; count += 1)
      expect((await send('PUT', `/spool/${spool.id}/use`, { use_length: 200.08 }, moonraker)).status).toBe(200);
    const { json: used } = await send('GET', `/spool/${spool.id}`);
    expect(used.used_length).toBeCloseTo(1000.4, 1);
    expect(used.first_used).toBeDefined();
    await until('the spool is sent', () => came.find(({ payload }) => payload.used_weight === used.used_weight));
    expect(await send('PUT', `/spool/${spool.id}/use`, { use_length: 1, use_weight: 1 })).toMatchObject({
      status: 400,
    });
    expect(await send('PUT', `/spool/${spool.id}/use`, {})).toMatchObject({ status: 400 });
    expect(await send('PUT', '/spool/999999/use', { use_length: 1 })).toMatchObject({ status: 404 });
    const undone = await send('PUT', `/spool/${spool.id}/use`, { use_length: -5000, use_weight: null }, moonraker);
    expect(undone.json).toMatchObject({ used_weight: 0 });
  });

  test('measure is a weighing, and without a tare it says what to enter', async () => {
    const spool = await createSpool();
    const measured = await send('PUT', `/spool/${spool.id}/measure`, { weight: 950 });
    expect(measured.json).toMatchObject({ remaining_weight: 750, used_weight: 250 });
    const bare = { name: 'Bare', material: 'PLA', density: 1.24, diameter: 1.75 };
    const { json: filament } = await send('POST', '/filament', bare);
    const untared = await createSpool({ filament_id: filament.id });
    const answer = await send('PUT', `/spool/${untared.id}/measure`, { weight: 950 });
    expect(answer.status).toBe(400);
    expect(answer.json.message).toMatch(/empty spool/);
  });
});
