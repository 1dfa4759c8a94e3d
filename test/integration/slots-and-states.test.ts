// The current slots and states of printers, and the subscription to states over every transport.
import { type App, createApp } from '../../src/app';
import { createClient } from '../../src/client/client';
import { TIMES } from '../../src/composition/foundation';
import type { Activity } from '../../src/farm/print-rules/print.model';
import { isSilentState } from '../../src/farm/printer-states/printer-state.rows';
import { PrinterStateStore } from '../../src/farm/printer-states/printer-state.store';
import { PrinterStatesDocument } from '../../src/generated/operations';
import { Prisma } from '../../src/generated/prisma/client';
import { instantNow } from '../../src/values/instant';
import { collectChanges, summarizeChange } from '../support/changes';
import { anyDatabase, type FreshDatabase, freshDatabase } from '../support/databases';
import { ago, expectNow, type Farm, makeFarm } from '../support/farm';
import {
  expectCode,
  expectData,
  type Gateway,
  type GraphqlResponse,
  PATIENT,
  type Parsed,
  test,
  useGateway,
} from '../support/gateway';
import { makeDevice, makePrint, setState } from '../support/prints';
import { has, inTime, until } from '../support/waiting';
import { connectTo, type Transport } from '../support/watching-client';

const LOAD =
  'mutation ($p: ID!, $slot: String! = "tool:0", $s: ID) { loadSpool(printerId: $p, slot: $slot, spoolId: $s) { id } }';
const EMPTY = { slot: 'tool:0', spool: null, loadedAt: null, reported: null };

describe('the slots of a printer', () => {
  const gateway = useGateway(anyDatabase);
  let one: Farm;
  let two: Farm;
  beforeEach(async () => {
    [one, two] = [await makeFarm(gateway), await makeFarm(gateway)];
  });
  const load = async (printer: string, spool: string | null, slot?: string) =>
    expectData(await gateway.graphql(LOAD, { p: printer, s: spool, slot })).loadSpool;
  const readSlots = async (id: string): Promise<Parsed[]> => {
    const query = `query ($id: ID!) { printer(id: $id) { slots { slot spool { id } loadedAt reported } } }`;
    return expectData(await gateway.graphql(query, { id })).printer.slots;
  };
  const brief = async (id: string) => (await readSlots(id)).map(({ slot, spool }) => `${slot} ${spool?.id ?? '-'}`);

  test('are one empty slot at first, and the spool is in it once it is loaded', async () => {
    expect(await readSlots(one.printerId)).toEqual([EMPTY]);
    const since = Date.now();
    expect(await load(one.printerId, one.spoolId)).toEqual({ id: one.printerId });
    const [slot] = await readSlots(one.printerId);
    expect(slot).toEqual({ ...EMPTY, spool: { id: one.spoolId }, loadedAt: expect.any(String) });
    expectNow(slot.loadedAt, since);
    const query = 'query ($id: ID!) { spool(id: $id) { loadedIn { slot loadedAt printer { id } spool { id } } } }';
    expect(expectData(await gateway.graphql(query, { id: one.spoolId })).spool.loadedIn).toEqual({
      slot: 'tool:0',
      loadedAt: slot.loadedAt,
      printer: { id: one.printerId },
      spool: { id: one.spoolId },
    });
    // The same load again is no change.
    await gateway.sql(`update slot_loads set "from" = '2020-01-01Z'`);
    await load(one.printerId, one.spoolId);
    expect((await readSlots(one.printerId))[0].loadedAt).toBe('2020-01-01T00:00:00.000Z');
  });

  test('come in numeric order, and are the slots that the machine reports if it reports any', async () => {
    for (const slot of ['ams:0:10', 'tool:0', 'ext:0', 'ams:0:2']) await load(one.printerId, one.spoolId, slot);
    expect(await brief(one.printerId)).toEqual([`ams:0:2 ${one.spoolId}`, 'ams:0:10 -', 'ext:0 -', 'tool:0 -']);
    await gateway.sql(
      `insert into printer_slots (printer_id, slot, reported) values ('${two.printerId}', 'ams:0:0', 'PLA, red')`,
    );
    await load(two.printerId, two.spoolId, 'ams:0:0');
    await load(two.printerId, null, 'ams:0:0');
    expect(await readSlots(two.printerId)).toEqual([{ ...EMPTY, slot: 'ams:0:0', reported: 'PLA, red' }]);
  });

  test('have a spool once: it is moved, replaced by another, and stays unique when several requests load it at once', async () => {
    await load(one.printerId, one.spoolId);
    await load(two.printerId, one.spoolId, 'tool:1');
    expect(await brief(one.printerId)).toEqual(['tool:0 -']);
    await load(two.printerId, two.spoolId, 'tool:1');
    expect(await brief(two.printerId)).toEqual(['tool:0 -', `tool:1 ${two.spoolId}`]);
    const places = Array.from(
      { length: 12 },
      (_, n) => [n % 2 ? one.printerId : two.printerId, `tool:${n % 4}`] as const,
    );
    await Promise.all(places.map(([printer, slot]) => load(printer, one.spoolId, slot)));
    expect(await gateway.sql(`select from slot_loads where spool_id = '${one.spoolId}' and "to" is null`)).toHaveLength(
      1,
    );
  });

  test('are at most 64, whoever adds them and however many at once', async () => {
    const places = Array.from({ length: 70 }, (_, n) => `ams:${n}:0`);
    const full = async (answers: GraphqlResponse[]) => {
      const refused = answers.filter(({ errors }) => errors.length > 0);
      for (const answer of refused) {
        expect(expectCode(answer, 'BAD_USER_INPUT')).toBe(
          'slot must be a slot that the printer already has, because the printer has 64 slots, which is the maximum',
        );
      }
      expect([answers.length - refused.length, (await readSlots(one.printerId)).length]).toEqual([64, 64]);
    };
    await full(
      await Promise.all(places.map((slot) => gateway.graphql(LOAD, { p: one.printerId, s: one.spoolId, slot }))),
    );
    // Existing slots still accept spools.
    const [{ slot }] = (await readSlots(one.printerId)) as [Parsed];
    await load(one.printerId, two.spoolId, slot);
    const insert = (printerId: string) =>
      gateway
        .sql(`insert into printer_slots (printer_id, slot) values ('${printerId}', 'ext:9')`)
        .then(() => 'written', String);
    expect(await insert(one.printerId)).toContain('printer_slots_at_most');
    expect(await insert(two.printerId)).toBe('written');
  });

  test('refuse an archived spool or printer, and are emptied when either is archived', async () => {
    await load(one.printerId, one.spoolId);
    const run = async (mutation: string) => expectData(await gateway.graphql(`mutation { ${mutation} }`));
    await run(`archiveSpool(id: "${two.spoolId}") { id }`);
    await run(`archivePrinter(id: "${one.printerId}") { id }`);
    for (const [p, s, member] of [
      [two.printerId, two.spoolId, 'spoolId'],
      [one.printerId, one.spoolId, 'printerId'],
    ] as const) {
      const answer = await gateway.graphql(LOAD, { p, s });
      expect(expectCode(answer, 'BAD_USER_INPUT')).toContain(`${member} must be the id of`);
      expect(answer.errors[0]?.extensions['issues']).toMatchObject([{ path: [member] }]);
    }
    expect(await brief(one.printerId)).toEqual([`tool:0 ${one.spoolId}`]);
    await load(one.printerId, null);
    expect(await brief(one.printerId)).toEqual(['tool:0 -']);
  });

  test('are members of the printer and of the spool, so that a change of them is a change of both', async () => {
    const collectSummaries = async (step: () => Promise<unknown>) =>
      (await collectChanges(gateway, step)).map(summarizeChange).sort();
    const changed = (...ids: string[]) =>
      ids.map((id) => `${id === one.spoolId ? 'SPOOL' : 'PRINTER'} UPDATED ${id}`).sort();
    expect(await collectSummaries(() => load(one.printerId, one.spoolId))).toEqual(changed(one.printerId, one.spoolId));
    expect(await collectSummaries(() => load(one.printerId, one.spoolId))).toEqual([]);
    const moved = new Set(await collectSummaries(() => load(two.printerId, one.spoolId)));
    expect([...moved].sort()).toEqual(changed(one.printerId, two.printerId, one.spoolId));
    expect(
      await collectSummaries(() =>
        gateway.sql(`update printer_slots set reported = 'PLA' where printer_id = '${two.printerId}'`),
      ),
    ).toEqual(changed(two.printerId, one.spoolId));
    const gone = await collectSummaries(() => gateway.sql(`delete from spools where id = '${one.spoolId}'`));
    // The spool was in the other printer before.
    expect(gone).toEqual([...changed(one.printerId, two.printerId), `SPOOL DELETED ${one.spoolId}`]);
    expect(await collectSummaries(() => gateway.sql(`delete from printers where id = '${two.printerId}'`))).toEqual([
      `PRINTER DELETED ${two.printerId}`,
    ]);
  });
});

const STATE = `state { activity progress progressBasis remainingSec layer layers printName message heardAt stale print { id } }`;

describe('the state of a printer', () => {
  const gateway = useGateway(anyDatabase);
  const readState = async (id: string): Promise<Parsed> =>
    expectData(await gateway.graphql(`query ($id: ID!) { printer(id: $id) { ${STATE} } }`, { id })).printer.state;

  test('is what was written, and null without a device or before its first report', async () => {
    const { printerId } = await makeFarm(gateway);
    expect(await readState(printerId)).toBeNull();
    const lastMessageAt = ago(1);
    const shown = {
      activity: 'PRINTING',
      progress: 0.125,
      progressBasis: 'FILE',
      remainingSec: 70,
      layer: 3,
      layers: 24,
      printName: 'Benchy',
      message: 'Nozzle is cold',
    };
    const printId = await makePrint(gateway, printerId);
    await setState(gateway, printerId, { ...shown, heardAt: lastMessageAt, printId });
    expect(await readState(printerId)).toBeNull();
    const device = await makeDevice(gateway, { printerId, lastMessageAt: null });
    expect(await readState(printerId)).toEqual({
      ...shown,
      heardAt: lastMessageAt,
      stale: false,
      print: { id: printId },
    });
    await gateway.sql(`delete from devices where id = '${device}'`);
    expect(await readState(printerId)).toBeNull();
  });

  test('keeps the time since when its activity has been the same, until the activity or the cause of a pause changes', async () => {
    const { printerId } = await makeFarm(gateway);
    const subject = await makeDevice(gateway, { printerId, lastMessageAt: null });
    await gateway.sql(`insert into leases values ('${subject}', '${subject}', 'h', 1, now() + interval '30 s')`);
    const store = new PrinterStateStore(gateway.database());
    const shown = {
      progress: null,
      progressBasis: null,
      remainingSec: null,
      layer: null,
      layers: null,
      printName: null,
    };
    const none = { ...shown, message: null, isPausedByUser: false, printId: null, figures: null };
    const write = async (state: {
      activity: Activity;
      heardAt: string;
      isPausedByUser?: boolean;
      message?: string;
    }) => {
      const lease = { subject, holder: 'h', number: '1' };
      await store.write([{ lease, state: { printerId, ...none, ...state } }]);
      const query = 'query ($id: ID!) { printer(id: $id) { state { activity activitySince isPausedByUser } } }';
      return Object.values(expectData(await gateway.graphql(query, { id: printerId })).printer.state);
    };
    const [first, second, third, fourth] = [ago(90), ago(60), ago(30), ago(10)] as const;
    expect(await write({ activity: 'PRINTING', heardAt: first })).toEqual(['PRINTING', first, false]);
    expect(await write({ activity: 'PRINTING', heardAt: second, message: 'Hot' })).toEqual(['PRINTING', first, false]);
    expect(await write({ activity: 'PAUSED', heardAt: third })).toEqual(['PAUSED', third, false]);
    const byUser = { activity: 'PAUSED', isPausedByUser: true } as const;
    expect(await write({ ...byUser, heardAt: fourth })).toEqual(['PAUSED', fourth, true]);
    // The clock of the gateway was set back by a minute.
    expect(await write({ ...byUser, heardAt: second })).toEqual(['PAUSED', second, true]);
    await gateway.sql(`update printer_states set activity_since = now() + interval '1 hour'`);
    expect(await write({ ...byUser, heardAt: third })).toEqual(['PAUSED', third, true]);
    // Another gateway connects in the pause, and the printer does not name the user again.
    expect(await write({ activity: 'PAUSED', heardAt: fourth })).toEqual(['PAUSED', third, true]);
    expect(await write({ activity: 'OFFLINE', heardAt: fourth })).toEqual(['OFFLINE', fourth, false]);
    expect(await write({ activity: 'PAUSED', heardAt: fourth })).toEqual(['PAUSED', fourth, true]);
    expect(await write({ activity: 'PAUSED', heardAt: fourth, message: 'Out of filament' })).toEqual([
      'PAUSED',
      fourth,
      false,
    ]);
    expect(await write({ ...byUser, heardAt: fourth })).toEqual(['PAUSED', fourth, true]);
    // A gateway of an older version writes no pause by a user.
    await gateway.sql(`update printer_states set activity = 'PRINTING' where printer_id = '${printerId}'`);
    expect(await write({ activity: 'PRINTING', heardAt: fourth })).toEqual(['PRINTING', fourth, false]);
    expect(await write({ activity: 'PAUSED', heardAt: fourth })).toEqual(['PAUSED', fourth, false]);
  });

  test('is stale if the printer is offline, or silent for longer than its kind allows', async () => {
    const { printerId } = await makeFarm(gateway);
    const device = await makeDevice(gateway, { printerId, lastMessageAt: ago(60) });
    const set = (columns: string) => gateway.sql(`update devices set ${columns} where id = '${device}'`);
    const isSilent = () =>
      gateway.database().json(
        'test.isSilent',
        Prisma.sql`select to_json(${isSilentState(instantNow())}) as value
          from printer_states s join devices d on d.printer_id = s.printer_id where s.printer_id = ${printerId}::uuid`,
      );
    await setState(gateway, printerId, { heardAt: ago(90) });
    expect(await readState(printerId)).toMatchObject({
      activity: 'PRINTING',
      progress: null,
      print: null,
      stale: true,
    });
    expect(await isSilent()).toBe('true');
    // The machine reported again, with the same values.
    const lastMessageAt = ago(2);
    await set(`last_message_at = '${lastMessageAt}'`);
    expect(await readState(printerId)).toMatchObject({ heardAt: lastMessageAt, stale: false });
    expect(await isSilent()).toBe('false');
    await set(`last_message_at = '${ago(100)}', kind = 'BAMBU'`);
    expect(await readState(printerId)).toMatchObject({ stale: false });
    expect(await isSilent()).toBe('false');
    await set(`last_message_at = '${ago(200)}'`);
    await setState(gateway, printerId, { heardAt: ago(200) });
    expect(await readState(printerId)).toMatchObject({ stale: true });
    expect(await isSilent()).toBe('true');
    await setState(gateway, printerId, { activity: 'OFFLINE', heardAt: ago(1) });
    expect(await readState(printerId)).toMatchObject({ activity: 'OFFLINE', stale: true });
    // The controlling program reports, and says so.
    await setState(gateway, printerId, { activity: 'OFFLINE', heardAt: ago(1), message: 'Connection error' });
    expect(await readState(printerId)).toMatchObject({ activity: 'OFFLINE', stale: false });
  });
});

/** In production the interval is a second. */
const QUICK = { ...TIMES, statesMs: 50 };

describe('the subscription to states', () => {
  let fresh: FreshDatabase;
  let app: App;
  let url: string;
  let gateway: Gateway;
  beforeAll(async () => {
    fresh = await freshDatabase(anyDatabase);
    app = await createApp({ ...PATIENT, port: 0, database: fresh.target }, 'CLIENTS', QUICK);
    url = await app.listen();
    gateway = {
      graphql: async (query: string, variables?: unknown) => {
        const { payload, statusCode } = await app.inject({
          method: 'POST',
          url: '/graphql',
          payload: { query, variables },
        });
        return { status: statusCode, errors: [], ...JSON.parse(payload) };
      },
      sql: (text: string) => app.database.prisma.$queryRawUnsafe(text),
    } as unknown as Gateway;
  });
  afterAll(async () => {
    await app.close();
    await fresh.drop();
  });

  const QUERY = `subscription ($printerIds: [ID!]) {
  printerStateChanged(printerIds: $printerIds) { id state { activity progress stale } } }`;

  /** The printers of this test; the gateway is shared by all tests. */
  let own: string[] = [];
  beforeEach(() => {
    own = [];
  });

  /** A printer with a device and a state. */
  async function machine(members: Record<string, unknown> = {}): Promise<string> {
    const { printerId } = await makeFarm(gateway);
    await makeDevice(gateway, { printerId, lastMessageAt: null });
    await setState(gateway, printerId, { heardAt: ago(-3600), ...members });
    own.push(printerId);
    return printerId;
  }

  /** What a subscription received, each as `id activity progress`. */
  function watching(transport: Transport, printerIds?: string[]) {
    const got: string[] = [];
    const { results, cut } = connectTo(url, transport, QUERY, { printerIds });
    const ended = (async () => {
      for await (const { data, errors } of results) {
        const { id, state } = data?.printerStateChanged ?? {};
        if (!errors && !own.includes(id)) continue;
        got.push(errors ? JSON.stringify(errors) : `${id} ${state?.activity} ${state?.progress} ${state?.stale}`);
      }
    })().catch(() => {});
    const untilGot = (texts: string[]) =>
      until(
        `it gets ${texts.join(', and ')}`,
        () => got,
        () => texts.every((text) => got.includes(text)),
      );
    const stop = () => {
      cut();
      return inTime('the subscription ends', ended, () => got);
    };
    return { got, untilGot, stop };
  }

  for (const transport of ['WebSocket', 'event stream'] as const) {
    test(`${transport}: the newest states first, then each newer one, of the requested printers`, async () => {
      const [one, two] = [await machine({ progress: 0.1 }), await machine({ activity: 'IDLE' })];
      const [all, some] = [watching(transport), watching(transport, [two.toUpperCase()])];
      await all.untilGot([`${one} PRINTING 0.1 false`, `${two} IDLE null false`]);
      await some.untilGot([`${two} IDLE null false`]);
      await gateway.sql(`update printer_states set progress = 0.2 where printer_id = '${one}'`);
      await all.untilGot([`${one} PRINTING 0.2 false`]);
      await gateway.sql(`update printer_states set activity = 'PAUSED' where printer_id = '${two}'`);
      await Promise.all([all.untilGot([`${two} PAUSED null false`]), some.untilGot([`${two} PAUSED null false`])]);
      // A hidden part of a state is no change, and a printer without a device has no state.
      await gateway.sql(`update devices set last_message_at = now() where printer_id = '${two}'`);
      await gateway.sql(`delete from devices where printer_id = '${one}'`);
      await all.untilGot([`${one} undefined undefined undefined`]);
      expect(some.got).toEqual([`${two} IDLE null false`, `${two} PAUSED null false`]);
      expect(all.got).toHaveLength(5);
      await Promise.all([all.stop(), some.stop()]);
    });
  }

  test('a printer is sent when its state becomes stale, and a removed printer is not', async () => {
    const [one, two] = [await machine(), await machine()];
    const all = watching('WebSocket');
    await all.untilGot([`${one} PRINTING null false`, `${two} PRINTING null false`]);
    await gateway.sql(`delete from printers where id = '${two}'`);
    await gateway.sql(`update printer_states set heard_at = now() - interval '1 hour' where printer_id = '${one}'`);
    await all.untilGot([`${one} PRINTING null true`]);
    expect(all.got).toHaveLength(3);
    await all.stop();
  });

  test('the typed client needs no cursor, and gets the newest states again after a cut', async () => {
    const printer = await machine({ progress: 0.5 });
    const client = createClient({ url: `${url}/graphql` });
    const seen: Parsed[] = [];
    const stop = new AbortController();
    const watched = (async () => {
      for await (const { printerStateChanged } of client.subscribe(PrinterStatesDocument, {}, { signal: stop.signal }))
        if (printerStateChanged.id === printer) seen.push(printerStateChanged);
    })();
    await until('the state of the printer has arrived', () => seen, has({ length: 1 }));
    expect(seen[0]).toMatchObject({ id: printer, state: { activity: 'PRINTING', progress: 0.5, stale: false } });
    const { port } = new URL(url);
    await app.close();
    await gateway.sql('select 1').catch(() => {});
    app = await createApp({ ...PATIENT, port: Number(port), database: fresh.target }, 'CLIENTS', QUICK);
    await app.listen();
    await until('it has arrived again after the cut', () => seen, has({ length: 2 }));
    expect(seen[1]).toEqual(seen[0]);
    stop.abort();
    await inTime('the client ends its subscription', watched);
  });

  test('a malformed id, a list that is too long, and a caller that requests too much are refused', async () => {
    const refused = async (query: string, printerIds?: string[]) => {
      const { results } = connectTo(url, 'event stream', query, { printerIds });
      return JSON.stringify((await inTime('the refusal comes', results.next())).value.errors);
    };
    expect(await refused(QUERY, ['x'])).toContain('BAD_USER_INPUT');
    expect(await refused(QUERY, Array(1001).fill('x'))).toContain('at most 1000 items');
    const jobs = 'subscription { printerStateChanged { jobs(first: 200) { nodes { id } } } }';
    expect(await refused(jobs)).toContain('limit of a subscription is 200');
  });
});
