// The members that need the scope "read", found by their resolvers, and the scopes of each field at the root.
import { getNamedType, isLeafType, isObjectType, type OperationTypeNode } from 'graphql';
import type { Queryable } from '../../src/database/queryable';
import { findRights } from '../../src/farm/graph/rights';
import { createFarm, NO_SETTINGS } from '../../src/resolvers';
import { buildGraph } from '../../src/schema';

const schema = buildGraph();
const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
/** Fields of objects without a selection; a selection below a written object needs the scope "read" anyway. */
const members = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type) && !roots.includes(type) && !type.name.startsWith('__'))
  .flatMap((type) =>
    isObjectType(type)
      ? Object.values(type.getFields())
          .filter((field) => isLeafType(getNamedType(field.type)))
          .map((field) => ({ name: `${type}.${field.name}`, field, parentType: type }))
      : [],
  );

const isMarked = ({ extensions }: { extensions: Readonly<Record<string, unknown>> }) =>
  (extensions['requires'] as string[] | undefined)?.includes('read') === true;

test('a member of a written object that queries the database needs the scope "read"', async () => {
  const asked = new Error('asked');
  const database = new Proxy({} as Queryable, {
    get() {
      throw asked;
    },
  });
  const context = { now: '2026-11-01T00:00:00.000Z', resolvers: createFarm(database, NO_SETTINGS).resolvers };
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  const written = new Set(mutations.map(({ type }) => getNamedType(type)));
  const asking: string[] = [];
  for (const { name, field, parentType } of members) {
    if (!written.has(parentType)) continue;
    try {
      await field.resolve?.({ id: 'x' }, {}, context, { parentType } as never);
    } catch (error) {
      // Other errors come from the empty object.
      if (error === asked) asking.push(name);
    }
  }
  const marked = members.filter(({ field }) => isMarked(field)).map(({ name }) => name);
  expect(asking.filter((name) => !marked.includes(name))).toEqual([]);
  expect(asking.length).toBeGreaterThan(2);
  expect(marked.sort()).toEqual([
    'Camera.liveness',
    'ObservedPrint.slotsToChoose',
    'ObservedPrint.waitsBecause',
    'PrintJob.filamentBasis',
    'PrintJobPart.filamentBasis',
    'Spool.adjustedGrams',
    'Spool.comment',
    'Spool.lotNumber',
    'Spool.plannedGrams',
    'Spool.remainingGrams',
    'Spool.reportedGrams',
    'Spool.usedGrams',
  ]);
});

test('a field of another kind is not marked', () => {
  const marked = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !roots.includes(type) ? Object.values(type.getFields()).filter(isMarked) : [],
  );
  expect(marked.filter((field) => !members.some((member) => member.field === field))).toEqual([]);
});

test('each field at the root needs a scope, and all but these the usual one of its operation', () => {
  const rights = (['query', 'mutation', 'subscription'] as OperationTypeNode[]).flatMap((operation) =>
    Object.values(schema.getRootType(operation)?.getFields() ?? {}).map((field) => ({
      name: field.name,
      rights: findRights(field, operation).join(),
      usual: operation === 'mutation' ? 'write' : 'read',
    })),
  );
  const others = rights.filter(({ rights, usual }) => rights !== usual);
  expect(Object.fromEntries(others.map(({ name, rights }) => [name, rights]))).toEqual({
    viewer: '',
    notificationTarget: 'devices,read',
    notificationTargets: 'devices,read',
    addDevice: 'devices',
    updateDevice: 'devices',
    removeDevice: 'devices',
    testDevice: 'devices',
    addNotificationTarget: 'devices',
    updateNotificationTarget: 'devices',
    removeNotificationTarget: 'devices',
    testNotificationTarget: 'devices',
    resendNotification: 'devices',
    registerCamera: 'camera',
    updateCamera: 'camera',
    recordCameraStatuses: 'camera',
    importStock: 'read,write',
    readSpoolman: 'read,write',
    writeSpoolmanImport: 'read,write',
  });
  expect(rights.length).toBeGreaterThan(50);
});
