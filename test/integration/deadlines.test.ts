// When the time of a request is over, it sends no further statement, and leaves the database to others.
import { readConfig } from '../../src/config';
import { timeBudget } from '../../src/values/time-budget';
import { makeCamera } from '../support/farm';
import { expectCode, expectStatus, test, useGateway } from '../support/gateway';
import { statementsOf } from '../support/statements';

describe('many slow reads in one operation, in the built-in database', () => {
  const gateway = useGateway('embedded', {
    budget: timeBudget(1000),
    graph: readConfig({ GRAPHQL_MAX_COST: '1000000000' }).graph,
  });

  test('end with the time of their request', async () => {
    // 300 of these hold the database for some 10 s.
    await gateway.sql(
      "insert into cameras select 'cam ' || n, repeat('printer ', 100), null, now(), now() from generate_series(1, 10000) n",
    );
    const searches = Array.from(
      { length: 300 },
      (_, n) => `a${n}: cameras(filter: { search: "z${n}" }) { totalCount }`,
    );
    const read = gateway.graphql(`{ ${searches.join(' ')} }`);
    let isAnswered = false;
    const probes: string[] = [];
    const probing = (async () => {
      while (!isAnswered) {
        probes.push(String((await gateway.rest('GET', '/healthz')).status));
        await new Promise(setImmediate);
      }
    })();
    expectCode(await read, 'INTERNAL_SERVER_ERROR');
    isAnswered = true;
    await probing;
    expect(probes.length).toBeGreaterThan(2);
    expectStatus(await gateway.rest('GET', '/cameras/cam%201'), 200);
  });
});

describe('a read that waits for a lock', () => {
  const budget = { ...timeBudget(500), connectionMs: 60_000, statementMs: 60_000, silenceMs: 60_000 };
  const gateway = useGateway('server', { budget });

  test('reads nothing behind it when its request is over', async () => {
    const id = await makeCamera(gateway);
    const statements = await statementsOf(async () => {
      await gateway.sql('begin; lock table cameras in access exclusive mode');
      const query = '{ cameras { nodes { id history { id } } } }';
      expectCode(await gateway.graphql(query), 'INTERNAL_SERVER_ERROR');
      // The time of the execution began after that of the request.
      await new Promise((resolve) => setTimeout(resolve, 300));
      await gateway.sql('rollback');
      // This waits behind the list of cameras on the same connection or on another, and reads two statements.
      for (let n = 0; n < 3; n += 1) expectStatus(await gateway.rest('GET', `/cameras/${encodeURIComponent(id)}`), 200);
    });
    const sent = (name: string) => statements.filter((text) => text.includes(`/* ${name} */`)).length;
    expect([sent('cameras.page'), sent('cameras.byId'), sent('statusLog.history')]).toEqual([1, 3, 3]);
  });
});
