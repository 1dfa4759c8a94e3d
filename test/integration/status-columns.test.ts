// The columns of status records: a new one that is forgotten in one of its places fails here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GraphQLInputObjectType, type GraphQLObjectType, isScalarType } from 'graphql';
import { RECORD_COLUMNS } from '../../src/cameras/camera.rows';
import { buildGraph } from '../../src/schema';
import { snake } from '../../src/values/spelling';
import { type Gateway, startGateway } from '../support/gateway';

const members = Object.keys(RECORD_COLUMNS);
const columns = ['id', ...members.map(snake)];

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway('embedded');
});
afterAll(() => gateway?.close());

const columnsOf = async (table: string) =>
  (
    await gateway.sql(`select attname::text as name from pg_attribute
      where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped order by attnum`)
  ).map(({ name }) => name);

test.each(['camera_status', 'camera_latest_status'])(
  '%s has the columns of camera.rows.ts, in one order',
  async (table) => {
    expect(await columnsOf(table)).toEqual(columns);
  },
);

test('the function set_latest_status writes every column', () => {
  const source = readFileSync(join(__dirname, '../../src/cameras/status-log.sql'), 'utf8');
  const [, set = ''] = /DO UPDATE SET(.*?)WHERE/s.exec(source) ?? [];
  expect([...set.matchAll(/"(\w+)" = EXCLUDED/g)].map(([, column]) => column)).toEqual(
    columns.filter((column) => column !== 'camera_id'),
  );
});

test.each([
  ['CameraStatus', ['id', 'nodeId', ...members]],
  ['CameraStatusInput', members],
])('the graph type %s has every member', (name, expected) => {
  const type = buildGraph().getType(name) as GraphQLObjectType | GraphQLInputObjectType;
  const fields = Object.values(type.getFields()).filter(
    (field) => isScalarType(field.type) || String(field.type).endsWith('!'),
  );
  const names = fields.map((field) => field.name).filter((field) => field !== 'camera');
  expect(names.sort()).toEqual([...expected].sort());
});

test('the service checks every member that has a range or a length', () => {
  const source = readFileSync(join(__dirname, '../../src/cameras/camera.service.ts'), 'utf8');
  const [, check = ''] = /^const RECORD = \{(.*?)^\};/ms.exec(source) ?? [];
  const unchecked = members.filter(
    // GraphQL's own types bound these two.
    (member) => !['online', 'recordedAt'].includes(member) && !check.includes(` ${member}: `),
  );
  expect(unchecked).toEqual([]);
});
