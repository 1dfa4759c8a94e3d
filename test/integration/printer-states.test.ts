// The subscription to states of printers: the newest of each at once, then each newer one, by every way.
import { type App, createApp } from '../../src/app';
import { createClient } from '../../src/client/client';
import { PrinterStatesDocument } from '../../src/generated/operations';
import { anyDatabase, type FreshDatabase, freshDatabase } from '../support/databases';
import { ago, makeFarm } from '../support/farm';
import { type Gateway, PATIENT, type Parsed } from '../support/gateway';
import { makeDevice, setState } from '../support/prints';
import { until } from '../support/waiting';
import { connectTo, type Transport } from '../support/watching';

let fresh: FreshDatabase;
let app: App;
let url: string;
let gateway: Gateway;
beforeEach(async () => {
  fresh = await freshDatabase(anyDatabase);
  app = await createApp({ ...PATIENT, port: 0, database: fresh.target });
  url = await app.listen();
  gateway = {
    rest: async (method: string, path: string, payload: object) => {
      const { payload: text, statusCode } = await app.inject({ method: method as 'POST', url: path, payload });
      return { status: statusCode, body: JSON.parse(text), text };
    },
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
afterEach(async () => {
  await app.close();
  await fresh.drop();
});

const QUERY = `subscription ($printerIds: [ID!]) {
  printerStateChanged(printerIds: $printerIds) { id state { activity progress stale } } }`;

/** A printer with a device and a state. */
async function machine(members: Record<string, unknown> = {}): Promise<string> {
  const { printerId } = await makeFarm(gateway);
  await makeDevice(gateway, { printerId, lastMessageAt: null });
  await setState(gateway, printerId, { heardAt: ago(-3600), ...members });
  return printerId;
}

/** What a subscription got, each as `id activity progress`. */
function watching(transport: Transport, printerIds?: string[]) {
  const got: string[] = [];
  const { results, cut } = connectTo(url, transport, QUERY, { printerIds });
  const ended = (async () => {
    for await (const { data, errors } of results) {
      const { id, state } = data?.printerStateChanged ?? {};
      got.push(errors ? JSON.stringify(errors) : `${id} ${state?.activity} ${state?.progress} ${state?.stale}`);
    }
  })().catch(() => {});
  const untilGot = (texts: string[]) =>
    until(
      () => texts.every((text) => got.includes(text)),
      () => got.join('\n'),
    );
  const stop = () => {
    cut();
    return ended;
  };
  return { got, untilGot, stop };
}

for (const transport of ['WebSocket', 'event stream'] as const) {
  test(`${transport}: the newest states at once, then each newer one, of the printers that were asked for`, async () => {
    const [one, two] = [await machine({ progress: 0.1 }), await machine({ activity: 'IDLE' })];
    const [all, own] = [watching(transport), watching(transport, [two.toUpperCase()])];
    await all.untilGot([`${one} PRINTING 0.1 false`, `${two} IDLE null false`]);
    await own.untilGot([`${two} IDLE null false`]);
    await gateway.sql(`update printer_states set progress = 0.2 where printer_id = '${one}'`);
    await all.untilGot([`${one} PRINTING 0.2 false`]);
    await gateway.sql(`update printer_states set activity = 'PAUSED' where printer_id = '${two}'`);
    await Promise.all([all.untilGot([`${two} PAUSED null false`]), own.untilGot([`${two} PAUSED null false`])]);
    // What is not shown of a state is no change, and a printer without a device has no state.
    await gateway.sql(`update devices set last_message_at = now() where printer_id = '${two}'`);
    await gateway.sql(`delete from devices where printer_id = '${one}'`);
    await all.untilGot([`${one} undefined undefined undefined`]);
    expect(own.got).toEqual([`${two} IDLE null false`, `${two} PAUSED null false`]);
    expect(all.got).toHaveLength(5);
    await Promise.all([all.stop(), own.stop()]);
  });
}

test('a printer comes when its state becomes stale, and one that is removed does not', async () => {
  const [one, two] = [await machine(), await machine()];
  const all = watching('WebSocket');
  await all.untilGot([`${one} PRINTING null false`, `${two} PRINTING null false`]);
  await gateway.sql(`delete from printers where id = '${two}'`);
  await gateway.sql(`update printer_states set heard_at = now() - interval '1 hour' where printer_id = '${one}'`);
  await all.untilGot([`${one} PRINTING null true`]);
  expect(all.got).toHaveLength(3);
  await all.stop();
});

test('the typed client asks for no cursor, and gets the newest states again after a cut', async () => {
  const printer = await machine({ progress: 0.5 });
  const client = createClient({ url: `${url}/graphql` });
  const seen: Parsed[] = [];
  const stop = new AbortController();
  const watched = (async () => {
    for await (const { printerStateChanged } of client.subscribe(PrinterStatesDocument, {}, { signal: stop.signal }))
      seen.push(printerStateChanged);
  })();
  await until(() => seen.length === 1);
  expect(seen[0]).toMatchObject({ id: printer, state: { activity: 'PRINTING', progress: 0.5, stale: false } });
  const { port } = new URL(url);
  await app.close();
  await gateway.sql('select 1').catch(() => {});
  app = await createApp({ ...PATIENT, port: Number(port), database: fresh.target });
  await app.listen();
  await until(() => seen.length === 2);
  expect(seen[1]).toEqual(seen[0]);
  stop.abort();
  await watched;
});

test('an id that is none, a list that is too long, and a caller that asks for much are refused', async () => {
  const refused = async (query: string, printerIds?: string[]) => {
    const { results } = connectTo(url, 'event stream', query, { printerIds });
    const { value } = await results.next();
    return value.errors[0];
  };
  expect(await refused(QUERY, ['x'])).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
  expect(
    (
      await refused(
        QUERY,
        Array.from({ length: 1001 }, () => 'x'),
      )
    ).message,
  ).toContain('at most 1000 items');
  const jobs = 'subscription { printerStateChanged { jobs(first: 200) { nodes { id } } } }';
  expect((await refused(jobs)).message).toMatch(/limit of a subscription is 200/);
});
