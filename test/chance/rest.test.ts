// Generated requests at every REST path: each is answered, never with 500, and a refusal has its one shape and no effect.

import { pascal } from '../../src/doors/rest/casing';
import { createRestRoutes } from '../../src/doors/rest/routes';
import { describeOnDatabases } from '../support/databases';
import { makeCamera, makeFarm, makeJob, STATUSES } from '../support/farm';
import { expectError, formatExchange, test, useGateway } from '../support/gateway';
import fc from '../support/generated';
import { anything, type Kind, mostly, nullValue, objectValue, rightValue, textValue, type Value } from './values';
import { checkProperty, watchTables, wellFormedRefusal } from './watch';

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
  const create = {
    ...update,
    StartedAt: member('instant'),
    DataSource: named('Mqtt', 'printerapi', 'MANUAL'),
    FilamentDiameterAtPrintMm: member('decimal'),
    MaterialDensityAtPrint: member('decimal'),
  };
  const bodies: Record<string, Record<string, fc.Arbitrary<Value>>> = {
    'POST /cameras': { camera_id: member('name'), friendly_name: member('name'), mac_address: member('name') },
    'POST /api/printjobs': create,
    'PUT /api/printjobs/:id': update,
    'PATCH /api/printjobs/:id/status': { Status: named(...STATUSES, 'pRiNtInG') },
  };

  const broken = fc.oneof(
    fc.constantFrom('', '{', '[]', 'null', '{"a":1,}', '\ufeff{}', '{}{}', '{"a":01}', '{"a":NaN}', '"\\u12"', '\0'),
    fc.constantFrom('['.repeat(100_000), `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`),
    anything.map(({ json }) => json),
    fc.string({ unit: 'binary' }),
  );

  /** Nearly always the members of the document, of which one may be missing, doubled or unknown. */
  function createBody(members: Record<string, fc.Arbitrary<Value>> = {}): fc.Arbitrary<string | undefined> {
    const whole = fc.record(members).map((values) => Object.entries(values));
    const bent = fc
      .tuple(whole, fc.nat(), anything, fc.constantFrom('left out', 'null', 'doubled', 'added'))
      .map(([values, at, value, how]) => {
        const [name] = values[at % values.length] ?? ['id'];
        const others = values.filter(([other]) => other !== name);
        if (how === 'left out') return others;
        if (how === 'null') return [...others, [name, nullValue] as const];
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
    // A lone surrogate has no percent-encoding.
    fc.string({ unit: 'binary', maxLength: 30 }).map((text) => encodeURIComponent(text.toWellFormed())),
    fc.constantFrom('', '%', '%zz', '%00', '%ff', '%c0%af', '%ed%a0%80', '..', '%2e%2e', '%2F', ';', '*', ':id', '-1'),
    fc.constantFrom('a'.repeat(300), 'a'.repeat(5000), '%F0%9F%98%80'),
    fc.uuid(),
  );
  const parameter = fc.tuple(
    fc.constantFrom('PageNumber', 'pageSize', 'PRINTERID', 'SpoolId', 'status', 'x', '', '%', '__proto__'),
    fc.oneof(fc.constantFrom('0', '20', '99999999999999999999', '1.5', '+'), known('printer'), known('spool'), segment),
  );
  const search = fc
    .array(parameter, { maxLength: 4 })
    .map((pairs) => pairs.map((pair, at) => `${at === 0 ? '?' : '&'}${pair.join('=')}`).join(''));
  const requests = createRestRoutes(pascal).map(({ method, path }) => {
    const id = known(path.startsWith('/cameras') ? 'camera' : 'job').map(encodeURIComponent);
    const some = fc.oneof({ weight: 4, arbitrary: id }, { weight: 1, arbitrary: segment });
    return fc.record({
      method: fc.constant<string>(method),
      path: fc.tuple(some, search).map(([id, query]) => path.replace(':id', () => id) + query),
      body: createBody(bodies[`${method} ${path}`]),
      type: fc.constantFrom('application/json', 'text/plain', 'x', 'multipart/form-data'),
    });
  });

  test('get well-formed answers, and change nothing if they are refused', async () => {
    const tables = await watchTables(gateway);
    const seen: Record<string, number> = {};
    await checkProperty(
      fc.asyncProperty(fc.oneof(...requests), async ({ method, path, body, type }) => {
        const answer = await gateway.rest(method, path, body, { 'content-type': type });
        seen[answer.status] = (seen[answer.status] ?? 0) + 1;
        if (answer.status >= 500) throw new Error(`a request must not fail inside\n${formatExchange(answer)}`);
        if (answer.status < 400) return tables.written();
        wellFormedRefusal(answer, expectError(answer, answer.status));
        await tables.expectUnchanged(answer);
      }),
      // Otherwise the generator no longer produces useful input.
      () => [200, 201, 400].every((status) => status in seen),
    );
  });
});
