// Answers that callers share: two callers with equal scopes ask for every field at the same moment, and each gets the answer for that caller.
import { createHash } from 'node:crypto';
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
} from 'graphql';
import { readConfig } from '../../src/config';
import { buildGraph } from '../../src/schema';
import { holdClock } from '../support/clock';
import { anyDatabase } from '../support/databases';
import { type Farm, jobRequest, makeCamera, makeDevice, makeFarm, recordStatuses } from '../support/farm';
import { expectStatus, type Gateway, test, useGateway } from '../support/gateway';
import { addTarget } from '../support/notification-targets';
import { makePrint } from '../support/prints';

const schema = buildGraph();
const createKey = (name: string) => ({
  name,
  scopes: ['read' as const],
  cameraId: null,
  secret: `secret-of-${name}`,
  hash: createHash('sha256').update(`secret-of-${name}`).digest('hex'),
});
const CALLERS = ['one', 'two'].map(createKey);
/** The depth of selections. Every type of the schema is fewer levels away from a query. */
const DEPTH = 4;

describe('two callers with equal rights', () => {
  const { graph, devices } = readConfig({
    DEVICE_KEY: 'd1'.repeat(32),
    GRAPHQL_MAX_ALIASES: '100000',
    GRAPHQL_MAX_COST: '1000000000',
    GRAPHQL_MAX_TOKENS: '100000',
  });
  const gateway = useGateway(anyDatabase, {
    graph,
    devices,
    auth: { apiKeys: [...CALLERS, { ...createKey('writer'), scopes: ['read', 'write', 'devices'] }], tokens: null },
  });
  afterAll(() => jest.useRealTimers());
  const ask = async (query: string, secret: string) =>
    (await gateway.rest('POST', '/graphql', { query }, { authorization: `Bearer ${secret}` })).body;

  test('each caller gets the answer of that caller to each field of the schema, also when both ask at the same moment', async () => {
    const rest: Gateway['rest'] = (method, path, body) =>
      gateway.rest(method, path, body, { authorization: 'Bearer secret-of-writer' });
    const graphql: Gateway['graphql'] = async (query, variables) => {
      const answer = await rest('POST', '/graphql', { query, variables });
      return { ...answer, data: answer.body?.data, errors: answer.body?.errors ?? [] };
    };
    const writing = { ...gateway, rest, graphql };
    const farm = await makeFarm(writing);
    const camera = await makeCamera(writing);
    await recordStatuses(writing, camera, [{ online: false }]);
    const job = expectStatus(await writing.rest('POST', '/api/printjobs', jobRequest(farm)), 201).body.Id as string;
    const print = await makePrint(gateway, farm.printerId, { jobId: job });
    const device = await makeDevice(writing, farm.printerId);
    const { target } = await addTarget(writing, { url: 'http://10.0.0.9/' });
    const objects = { camera, printJob: job, observedPrint: print, device, notificationTarget: target.id };
    const given = givenTo(farm, objects);
    // Only the caller differs: no answer changes with the time.
    holdClock();
    const query = schema.getQueryType() as GraphQLObjectType;
    const asked = new Set<string>();
    const differing: string[] = [];
    for (const field of Object.values(query.getFields())) {
      const document = `{ ${createCall(field, query, given, 1, asked)} }`;
      const alone: string[] = [];
      for (const { secret } of CALLERS) alone.push(JSON.stringify(await ask(document, secret)));
      if (alone[0] !== alone[1]) differing.push(field.name);
      // Several requests of each caller, because waiting requests share an execution.
      const together = await Promise.all(
        Array.from({ length: 4 }, (_, n) => ask(document, (CALLERS[n % 2] as (typeof CALLERS)[number]).secret)),
      );
      expect(together.map((answer) => JSON.stringify(answer))).toEqual(together.map((_, n) => alone[n % 2]));
    }
    expect(differing).toEqual(['viewer']);
    const every = Object.values(schema.getTypeMap()).filter(
      (type): type is GraphQLObjectType =>
        isObjectType(type) &&
        !type.name.startsWith('__') &&
        type !== schema.getMutationType() &&
        type !== schema.getSubscriptionType() &&
        // No query leads to it.
        ![
          'DeviceTest',
          'MissingMaterial',
          'NotificationTest',
          'RecordedPlan',
          'StockImport',
          'StockImportChange',
          'StockImportRow',
          'WrittenNotificationTarget',
        ].includes(type.name),
    );
    const fields = every.flatMap((type) => Object.keys(type.getFields()).map((name) => `${type.name}.${name}`));
    expect(fields.filter((name) => !asked.has(name))).toEqual([]);
  });
});

/** The required arguments of a field. */
function givenTo(farm: Farm, others: Record<string, string>) {
  const ids: Record<string, string> = {
    ...others,
    printer: farm.printerId,
    spool: farm.spoolId,
    material: farm.materialId,
  };
  const nodeId = Buffer.from(JSON.stringify(['Camera', ids['camera']])).toString('base64url');
  return (field: string, argument: string): string => {
    if (argument === 'id') return JSON.stringify(ids[field]);
    if (argument === 'nodeId') return JSON.stringify(nodeId);
    if (argument === 'from') return '"2026-01-01T00:00:00Z"';
    if (argument === 'to') return '"2026-01-02T00:00:00Z"';
    return '"1"';
  };
}

function createCall(
  field: GraphQLField<unknown, unknown>,
  parent: GraphQLNamedType,
  given: ReturnType<typeof givenTo>,
  depth: number,
  asked: Set<string>,
): string {
  asked.add(`${parent.name}.${field.name}`);
  const values = field.args.filter(isRequiredArgument).map(({ name }) => `${name}: ${given(field.name, name)}`);
  const type = getNamedType(field.type);
  const alias = `${parent.name}_${field.name}`;
  return `${alias}: ${field.name}${values.length > 0 ? `(${values.join()})` : ''} ${isLeafType(type) ? '' : createSelection(type, given, depth, asked)}`;
}

function createSelection(
  type: GraphQLNamedType,
  given: ReturnType<typeof givenTo>,
  depth: number,
  asked: Set<string>,
): string {
  if (isInterfaceType(type) || isUnionType(type)) {
    const selections = schema
      .getPossibleTypes(type)
      .map((one) => `... on ${one.name} ${createSelection(one, given, depth, asked)}`);
    return `{ __typename ${selections.join(' ')} }`;
  }
  const fields = Object.values((type as GraphQLObjectType).getFields());
  // Fields with a selection are left out at the last level.
  const selected = fields.filter((field) => depth < DEPTH || isLeafType(getNamedType(field.type)));
  return `{ __typename ${selected.map((field) => createCall(field, type, given, depth + 1, asked)).join(' ')} }`;
}
