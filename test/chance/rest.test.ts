// Generated requests at every REST path: answered in time, never with 500, and a refusal has its one shape and no effect.

import { restRoutes } from '../../src/rest/routes';
import { pascal } from '../../src/values/spelling';
import { describeOnDatabases } from '../support/databases';
import { makeCamera, makeFarm, makeJob, STATUSES } from '../support/farm';
import { expectError, shownExchange, test, useGateway } from '../support/gateway';
import fc from '../support/generated';
import { anything, type Kind, mostly, nullValue, objectValue, rightValue, textValue, type Value } from './values';
import { holds, inTime, watchTables, wellFormedRefusal } from './watch';

interface Request {
  method: string;
  path: string;
  body: string | undefined;
  type: string | undefined;
}

describeOnDatabases('generated REST requests', (kind) => {
  const gateway = useGateway(kind);
  const ids = { camera: [] as string[], printer: [] as string[], spool: [] as string[], job: [] as string[] };

  beforeAll(async () => {
    for (const spool of [{}, { price: null }, { weight: '0' }, { diameter: '0.0000000000000000000000000001' }]) {
      const farm = await makeFarm(gateway, spool);
      ids.printer.push(farm.printerId);
      ids.spool.push(farm.spoolId);
      for (const status of STATUSES) ids.job.push((await makeJob(gateway, farm, {}, status)).Id);
      ids.camera.push(await makeCamera(gateway));
    }
  });

  const known = (what: keyof typeof ids) => fc.nat().map((at) => ids[what][at % ids[what].length] as string);
  const member = (kind: Kind) => mostly(rightValue(kind));
  const link = (what: keyof typeof ids) => mostly(known(what).map(textValue));
  const named = (...names: string[]) => mostly(fc.constantFrom(...names).map(textValue));

  const update = {
    PrinterId: link('printer'),
    SpoolId: link('spool'),
    PrintName: member('text'),
    GcodeFilePath: member('text'),
    MmExtruded: member('decimal'),
    GramsDerived: member('decimal'),
    CostPerPrint: member('decimal'),
    Notes: member('text'),
    AutoDeriveGrams: member('boolean'),
  };
  const bodies: Record<string, Record<string, fc.Arbitrary<Value>>> = {
    'POST /cameras': { camera_id: member('name'), friendly_name: member('name'), mac_address: member('name') },
    'POST /api/printjobs': {
      ...update,
      StartedAt: member('instant'),
      DataSource: named('Mqtt', 'printerapi', 'MANUAL'),
      FilamentDiameterAtPrintMm: member('decimal'),
      MaterialDensityAtPrint: member('decimal'),
    },
    'PUT /api/printjobs/:id': update,
    'PATCH /api/printjobs/:id/status': { Status: named(...STATUSES, 'pRiNtInG') },
  };

  const broken = fc.oneof(
    fc.constantFrom('', ' ', '{', '{}', '[]', 'null', '1', '"x"', '{"a":}', '{"a":1,}', "{'a':1}", '\ufeff{}', '{}{}'),
    fc.constantFrom('{"PrinterId":"x","printerId":"y"}', '{"Status":"Queued"', '{"a":01}', '{"a":NaN}', '"\\u12"'),
    fc.constantFrom('['.repeat(100_000), `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`, '\0', '{"a":"\n"}'),
    anything.map(({ json }) => json),
    fc.string({ unit: 'binary' }),
  );

  /** Nearly always the members of the document, of which one may be missing, doubled or called otherwise. */
  function bodyOf(members: Record<string, fc.Arbitrary<Value>> | undefined): fc.Arbitrary<string | undefined> {
    if (members === undefined) return fc.option(broken, { nil: undefined, freq: 3 });
    const right = fc.record(members).map((values) => Object.entries(values));
    const spelled = fc.constantFrom<((name: string) => string)[]>(
      (name) => name,
      (name) => name.toLowerCase(),
      (name) => name.toUpperCase(),
      (name) => name[0]?.toLowerCase() + name.slice(1),
    );
    const whole = fc
      .tuple(right, spelled)
      .map(([values, spell]) => values.map(([name, value]) => [spell(name), value] as const));
    const bent = fc
      .tuple(whole, fc.nat(), anything, fc.constantFrom('left out', 'null', 'doubled', 'added'))
      .map(([values, at, value, how]) => {
        const index = at % values.length;
        const [name] = values[index] as readonly [string, Value];
        if (how === 'left out') return values.filter((_, other) => other !== index);
        if (how === 'null') return values.with(index, [name, nullValue]);
        return [...values, [how === 'doubled' ? name : '__proto__', value] as const];
      });
    return fc.oneof(
      { weight: 6, arbitrary: whole.map((values) => objectValue(values).json) },
      { weight: 3, arbitrary: bent.map((values) => objectValue(values).json) },
      { weight: 1, arbitrary: broken },
      { weight: 1, arbitrary: fc.constant(undefined) },
    );
  }

  const segment = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }).map(encodeURIComponentLoosely),
    fc.constantFrom(
      '',
      '%',
      '%zz',
      '%00',
      '%ff',
      '%c0%af',
      '%ed%a0%80',
      '..',
      '.',
      '%2e%2e',
      '%2F',
      'a%2Fb',
      ';',
      '*',
      ':id',
    ),
    fc.constantFrom(
      'a'.repeat(300),
      'a'.repeat(5000),
      '%F0%9F%98%80',
      '00000000-0000-0000-0000-000000000000',
      '-1',
      '1',
    ),
    fc.uuid(),
  );
  const idFor = (path: string) =>
    fc.oneof(
      { weight: 4, arbitrary: known(path.startsWith('/cameras') ? 'camera' : 'job').map(encodeURIComponent) },
      { weight: 1, arbitrary: segment },
    );

  const parameter = fc.tuple(
    fc.constantFrom('PageNumber', 'pageSize', 'PRINTERID', 'SpoolId', 'status', 'x', '', '%', '__proto__'),
    fc.oneof(
      fc.constantFrom(
        '0',
        '1',
        '-1',
        '20',
        '1000000',
        '99999999999999999999',
        '1e3',
        '1.5',
        '',
        '+',
        '%',
        '%00',
        'Queued',
      ),
      fc.oneof(known('printer'), known('spool')),
      segment,
    ),
  );
  const search = fc.oneof(
    fc.constant(''),
    fc
      .array(parameter, { minLength: 1, maxLength: 4 })
      .map((pairs) => `?${pairs.map((pair) => pair.join('=')).join('&')}`),
  );

  const documented: fc.Arbitrary<Request>[] = restRoutes(pascal).map(({ method, path }) =>
    fc.record({
      method: fc.constant<string>(method),
      path: fc.tuple(idFor(path), search).map(([id, query]) => path.replace(':id', () => id) + query),
      body: bodyOf(bodies[`${method} ${path}`]),
      type: fc.constantFrom(
        undefined,
        'application/json',
        'text/plain',
        'application/x-www-form-urlencoded',
        'x',
        'multipart/form-data',
      ),
    }),
  );
  const other: fc.Arbitrary<Request> = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'),
    path: fc
      .tuple(
        fc.array(fc.oneof(segment, fc.constantFrom('api', 'printjobs', 'cameras', 'status')), { maxLength: 4 }),
        search,
      )
      .map(([segments, query]) => `/${segments.join('/')}${query}`),
    body: fc.option(broken, { nil: undefined }),
    type: fc.constantFrom(undefined, 'application/json'),
  });

  test('are answered in time and in shape, and change nothing when they are refused', async () => {
    const tables = await watchTables(gateway);
    const seen: Record<string, number> = {};
    const OUTCOMES = [200, 201, 400];
    const request = fc.oneof(...documented.map((arbitrary) => ({ weight: 3, arbitrary })), {
      weight: 2,
      arbitrary: other,
    });
    await holds(
      fc.asyncProperty(request, async ({ method, path, body, type }) => {
        // A page or a script, which is no REST answer.
        fc.pre(!/^\/(graphql|index|styles|icon|web|openapi|healthz|readyz|metrics|playground|\?|$)/.test(path));
        const answer = await inTime(
          gateway.rest(method, path, body, type === undefined ? {} : { 'content-type': type }),
        );
        seen[answer.status] = (seen[answer.status] ?? 0) + 1;
        if (answer.status >= 500) throw new Error(`a request must not fail inside\n${shownExchange(answer)}`);
        if (answer.status < 400) return tables.written();
        if (method !== 'HEAD') wellFormedRefusal(answer, expectError(answer, answer.status));
        await tables.expectUnchanged(answer);
      }),
      { isEnough: () => OUTCOMES.every((status) => status in seen) },
    );
    // All kinds of outcome have been met, or the generator has gone blind.
    for (const status of OUTCOMES) expect(seen).toHaveProperty([String(status)]);
  });
});

/** A lone surrogate has no percent-encoding. */
function encodeURIComponentLoosely(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
