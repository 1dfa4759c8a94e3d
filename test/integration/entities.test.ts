// The objects that other subgraphs name by keys: `_entities`, with the rules of `node` and of the query of each type.

import { randomUUID } from 'node:crypto';
import { readConfig } from '../../src/config';
import { ENTITIES, KEYS } from '../../src/doors/federation/entities';
import { readSubgraph } from '../../src/doors/federation/subgraph';
import { anyDatabase } from '../support/databases';
import { makeCamera, makeDevice, makeFarm, makeJob, unique } from '../support/farm';
import { expectCode, expectData, type GraphqlResponse, test, useGateway } from '../support/gateway';
import { addTarget } from '../support/notification-targets';
import { makePrint } from '../support/prints';

const NAMES = ENTITIES.map(({ name }) => name).sort();
const QUERY = `query ($keys: [_Any!]!) {
  _entities(representations: $keys) { __typename ${NAMES.map((name) => `... on ${name} { id nodeId }`).join(' ')} }
}`;

interface Named {
  __typename: string;
  id: string;
  nodeId: string;
}

describe('_entities', () => {
  const gateway = useGateway(anyDatabase);
  const entities = (...keys: unknown[]) => gateway.graphql(QUERY, { keys });
  /** The object of each item, null, or the code and the path of its error. */
  const items = ({ data, errors }: GraphqlResponse): unknown[] => {
    const failed = new Map(errors.map(({ path, extensions: { code, issues } }) => [path?.join('.'), { code, issues }]));
    return data._entities.map((one: unknown, at: number) => failed.get(`_entities.${at}`) ?? one);
  };
  const refused = (message: string, ...path: unknown[]) => ({
    code: 'BAD_USER_INPUT',
    issues: [{ path: ['representations', ...path], message }],
  });
  /** One object of each type. */
  let all: Named[] = [];
  let spool: Named;
  let other: Named;

  beforeAll(async () => {
    const farm = await makeFarm(gateway);
    const another = await makeFarm(gateway);
    const { Id: job } = await makeJob(gateway, farm);
    const device = await makeDevice(gateway, farm.printerId);
    const print = await makePrint(gateway, farm.printerId);
    const createKeyField = (field: string, id: string) =>
      `(id: ${JSON.stringify(id)}) { __typename id nodeId }`.replace(/^/, field);
    const { target } = await addTarget(gateway, { kind: 'NTFY', url: 'http://127.0.0.1:9/farm' });
    const camera = await makeCamera(gateway, { camera_id: unique('cam') });
    const { createFilament: filament } = expectData(
      await gateway.graphql(`mutation { createFilament(input: {
        name: "${unique('PLA')}", materialId: "${farm.materialId}", filamentDiameterMm: 1.75, weightTotalGrams: 1000 }) { id } }`),
    );
    const data = expectData(
      await gateway.graphql(`{
        ${createKeyField('filament', filament.id)} ${createKeyField('camera', camera)} ${createKeyField('device', device)} ${createKeyField('material', farm.materialId)} ${createKeyField('observedPrint', print)}
        ${createKeyField('printer', farm.printerId)} ${createKeyField('printJob', job)} ${createKeyField('spool', farm.spoolId)}
        ${createKeyField('notificationTarget', target.id)} ${createKeyField('other: spool', another.spoolId)}
      }`),
    );
    ({ spool, other } = data);
    delete data.other;
    all = Object.values(data);
  });

  test('each type is found by each of its keys, with the same answer as its own query, also when the query is repeated', async () => {
    expect(all.map(({ __typename }) => __typename).sort()).toEqual(NAMES);
    for (const key of KEYS) {
      const keys = all.map((one) => ({ __typename: one.__typename, [key]: one[key], printName: 'means nothing' }));
      expect(expectData(await entities(...keys))).toEqual({ _entities: all });
    }
  });

  test('order, length and repeats are kept, and a wrong key does not affect the others', async () => {
    const __typename = 'Spool';
    const types = `must be one of ${ENTITIES.map(({ name }) => name).join(', ')}`;
    const guid = 'must be a GUID such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301';
    const createNodeId = (...place: unknown[]) => Buffer.from(JSON.stringify(place)).toString('base64url');
    const five = await makeCamera(gateway, { camera_id: '5' });
    const cases: [representation: unknown, outcome: unknown][] = [
      [{ __typename, id: other.id }, other],
      [{ __typename, id: spool.id }, spool],
      [{ __typename, id: spool.id.toUpperCase() }, spool],
      [{ __typename, id: spool.id, nodeId: spool.nodeId }, spool],
      [{ __typename, id: other.id, nodeId: spool.nodeId }, null],
      [{ __typename, id: spool.id, nodeId: 'none' }, null],
      [{ __typename, id: null, nodeId: spool.nodeId }, spool],
      [{ __typename, id: randomUUID() }, null],
      [{ __typename, nodeId: 'x'.repeat(300_000) }, null],
      [{ __typename, nodeId: 7 }, null],
      [{ __typename: 'Printer', nodeId: spool.nodeId }, null],
      [{ __typename: 'Printer', id: spool.id }, null],
      [{ __typename: 'Camera', nodeId: createNodeId('__proto__', '5') }, null],
      [{ __typename: 'Camera', id: 5 }, expect.objectContaining({ id: five })],
      [{ __typename: 'Camera', id: 'x'.repeat(300_000) }, null],
      // The request is read digit for digit, because no float can hold the number.
      [{ __typename: 'Camera', id: 2 ** 64 }, null],
      [{ __typename: 'Camera', id: '' }, (at: number) => refused('must not be empty', at, 'id')],
      [{ __typename, id: 'abc' }, (at: number) => refused(guid, at, 'id')],
      [{ __typename, id: 5 }, (at: number) => refused(guid, at, 'id')],
      [{ __typename }, (at: number) => refused('must have the key id or nodeId', at)],
      [{ __typename, id: null }, (at: number) => refused('must have the key id or nodeId', at)],
      [{ __typename, id: [spool.id] }, (at: number) => refused('must have the key id or nodeId', at)],
      [{ __typename, id: 1.5 }, (at: number) => refused('must have the key id or nodeId', at)],
      ...['CameraStatus', 'Nothing', '__proto__', 'constructor', 7, null, [__typename]].map(
        (name): [unknown, unknown] => [
          { __typename: name, id: spool.id },
          (at: number) => refused(types, at, '__typename'),
        ],
      ),
      [{ id: spool.id }, (at: number) => refused(types, at, '__typename')],
      // An own property, as JSON.parse creates it.
      [
        JSON.parse(`{"__proto__": {"__typename": "Spool", "id": "${spool.id}"}}`),
        (at: number) => refused(types, at, '__typename'),
      ],
      ...['Spool', 5, true, [spool.id]].map((one): [unknown, unknown] => [
        one,
        (at: number) => refused('must be an object with __typename and a key', at),
      ]),
      [{ __typename, id: spool.id }, spool],
    ];
    const expected = cases.map(([, outcome], at) => (typeof outcome === 'function' ? outcome(at) : outcome));
    // The operation is compiled for the third execution.
    for (let time = 1; time <= 3; time += 1)
      expect(items(await entities(...cases.map(([key]) => key)))).toEqual(expected);
  });

  test('more than 10,000 representations are refused, and so is null among them', async () => {
    const key = { __typename: 'Spool', id: spool.id };
    const twice = QUERY.replace('{', '{ b: _entities(representations: $keys) { ...E }').concat(
      'fragment E on Spool { id }',
    );
    for (const [query, count, told] of [
      [QUERY, 10_001, 10_001],
      [twice, 5_001, 10_002],
    ] as const) {
      const many = await gateway.graphql(query, { keys: Array(count).fill(key) });
      const message = `The operation has ${told} items in _entities; the limit is 10000. Send the items in several operations.`;
      expect([many.status, expectCode(many, 'BAD_USER_INPUT')]).toEqual([400, message]);
    }
    expect(expectData(await gateway.graphql(twice, { keys: Array(5_000).fill(key) })).b).toHaveLength(5_000);
    expectCode(await entities(key, null), 'BAD_USER_INPUT');
    expect(expectData(await gateway.graphql(QUERY, { keys: key }))).toEqual({ _entities: [spool] });
  });
});

describe('with settings', () => {
  const { graph } = readConfig({ GRAPHQL_MAX_COST: '10', GRAPHQL_INTROSPECTION: 'false' });
  const gateway = useGateway(anyDatabase, { graph });

  test('the SDL is readable when introspection is off', async () => {
    expect(expectData(await gateway.graphql('{ _service { sdl } }'))).toEqual({ _service: { sdl: readSubgraph() } });
  });

  test('the cost counts each key and what is selected below it', async () => {
    const keys = (count: number) => Array(count).fill({ __typename: 'PrintJob', id: randomUUID() });
    const jobs = `query ($keys: [_Any!]!) {
      _entities(representations: $keys) { ... on PrintJob { spool { material { id } } } }
    }`;
    expect(expectData(await gateway.graphql(jobs, { keys: keys(3) }))).toEqual({ _entities: [null, null, null] });
    expect(expectCode(await gateway.graphql(jobs, { keys: keys(4) }), 'BAD_USER_INPUT')).toBe(
      'The operation has a cost of 12; the limit is 10. Request fewer rows or fields.',
    );
    const literal = '[{ __typename: "Spool", id: 5 }, { __typename: "Spool", id: $id }]';
    const inDocument = `query ($id: ID!) { _entities(representations: ${literal}) { __typename } }`;
    const { data, errors } = await gateway.graphql(inDocument, { id: randomUUID() });
    expect([data, errors]).toMatchObject([{ _entities: [null, null] }, [{ path: ['_entities', 0] }]]);
  });
});
