// The fields that need the right to read, found by their resolvers, and the extension that says so before a write.
import { getNamedType, isLeafType, isObjectType } from 'graphql';
import type { Queryable } from '../../src/database/queryable';
import { Caller } from '../../src/doors/auth/caller';
import { Forbidden } from '../../src/errors';
import { farmOn, NO_SETTINGS } from '../../src/farm';
import { buildGraph } from '../../src/schema';

const schema = buildGraph();
const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
/** The fields of objects that have no selection: a selection below a written object needs the right to read anyway. */
const members = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type) && !roots.includes(type) && !type.name.startsWith('__'))
  .flatMap((type) =>
    isObjectType(type)
      ? Object.values(type.getFields())
          .filter((field) => isLeafType(getNamedType(field.type)))
          .map((field) => ({ name: `${type}.${field.name}`, field, parentType: type }))
      : [],
  );

test('a member is marked `reads` if and only if its resolver asks for the right to read', async () => {
  const context = {
    caller: new Caller('key writer', ['write']),
    resolvers: farmOn({} as Queryable, NO_SETTINGS).resolvers,
  };
  const refused: string[] = [];
  for (const { name, field, parentType } of members) {
    try {
      await field.resolve?.({}, {}, context, { parentType } as never);
    } catch (error) {
      // Other errors come from the missing database and the empty object.
      if (error instanceof Forbidden) refused.push(name);
    }
  }
  const marked = members.filter(({ field }) => field.extensions['reads'] === true).map(({ name }) => name);
  expect(refused.sort()).toEqual(marked.sort());
  expect(marked.sort()).toEqual([
    'Camera.liveness',
    'ObservedPrint.waitsBecause',
    'PrintJob.filamentBasis',
    'PrintJobPart.filamentBasis',
    'Spool.plannedGrams',
    'Spool.remainingGrams',
    'Spool.usedGrams',
  ]);
});

test('a field of another kind is not marked', () => {
  const marked = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) ? Object.values(type.getFields()).filter(({ extensions }) => extensions['reads']) : [],
  );
  expect(marked.filter((field) => !members.some((member) => member.field === field))).toEqual([]);
});
