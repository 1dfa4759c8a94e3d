/**
 * What an answer holds is counted while it is made: by graphql-js, by compiled operations, and for all answers together.
 *
 * @jest-environment node
 */
import {
  execute,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { AnswerSizes } from '../../src/doors/graphql/answer-size';
import { createRunner } from '../../src/doors/graphql/compiled';
import { countLists } from '../../src/doors/graphql/counted-lists';

const reads: number[] = [];
const Item: GraphQLObjectType = new GraphQLObjectType({
  name: 'Item',
  fields: () => ({
    name: { type: GraphQLString },
    one: { type: Item, resolve: () => ({}) },
    items: {
      type: new GraphQLNonNull(new GraphQLList(Item)),
      args: { first: { type: GraphQLInt } },
      resolve: async (_source, { first }) => {
        reads.push(first);
        return Array.from({ length: first ?? 10 }, () => ({ name: 'x'.repeat(1000) }));
      },
    },
    held: { type: new GraphQLList(Item), resolve: () => [{}, {}, {}] },
    priced: { type: Item, extensions: { cost: { priceOfEach: () => 1000 } }, resolve: () => ({}) },
  }),
});
const schema = new GraphQLSchema({ query: Item });
countLists(schema);

const MB = 2 ** 20;
const sizes = (cost: number, heap = 1024 * MB) => new AnswerSizes(cost, heap);

async function outcomes(text: string, of: AnswerSizes): Promise<unknown[]> {
  const document = parse(text);
  const operation = document.definitions[0] as OperationDefinitionNode;
  const runOf = createRunner(schema, false);
  const told: unknown[] = [];
  // The second execution is compiled.
  for (let time = 1; time <= 2; time += 1) {
    const run = runOf(document, operation, null);
    const context = {};
    try {
      told.push((await of.runWithinLimits(context, () => run(context, {}))).errors ?? 'answered');
    } catch (error) {
      told.push((error as Error).message);
    }
  }
  return told;
}

const TOO_DEAR = (cost: number) =>
  `The response has a higher cost than ${cost}, the limit of one operation. Request fewer objects at a time.`;

test.each([
  // A list is an object too.
  ['{ items(first: 9) { name } }', 10],
  ['{ items(first: 9) { one { one { name } } } }', 1 + 9 * 3],
  ['{ items(first: 9) { items(first: 2) { name } } }', 1 + 9 + 9 * 3],
  ['{ items(first: 9) { held { name } } }', 1 + 9 + 9 * 4],
  ['{ items(first: 9) { a: name b: name } }', 1 + 9 * 3],
  ['{ items(first: 9) { a: items(first: 2) { name } b: items(first: 2) { name } } }', 1 + 9 + 9 * 6],
  ['{ items(first: 9) { ...A } } fragment A on Item { ...B one { name } } fragment B on Item { held { name } }', 55],
  ['{ items(first: 9) { priced { name } } }', 1 + 18 + 9000],
])('%s costs %i', async (text, cost) => {
  expect(await outcomes(text, sizes(cost))).toEqual(['answered', 'answered']);
  expect(await outcomes(text, sizes(cost - 1))).toEqual(Array(2).fill(TOO_DEAR(cost - 1)));
});

test('the amount that is read at a time is bounded, and nothing more is read for an answer that is too large', async () => {
  const text = '{ items(first: 5000) { items(first: 50) { name } } }';
  reads.length = 0;
  expect(await outcomes(text, sizes(20_000))).toEqual(Array(2).fill(TOO_DEAR(20_000)));
  expect(reads).toHaveLength(2 * 1001);
});

test('the memory of the process bounds an answer too: alone, all answers together, and their texts', async () => {
  // 10,240 objects, and 2,621,440 characters.
  const small = sizes(1e9, 40 * MB);
  expect(await outcomes('{ items(first: 11000) { one { name } } }', small)).toEqual(
    Array(2).fill(expect.stringMatching(/^The gateway has no memory for a response with more than 10240 objects/)),
  );
  expect(await outcomes('{ items(first: 2500) { name } }', small)).toEqual(['answered', 'answered']);
  expect(await outcomes('{ items(first: 3000) { name } }', small)).toEqual(
    Array(2).fill('The response would have more than 2621440 characters. Request fewer rows or fields at a time.'),
  );
  const query = parse('{ items(first: 3000) { one { __typename } } }');
  const run = (context: object) => execute({ schema, document: query, contextValue: context });
  const both = [{}, {}].map((context) => small.runWithinLimits(context, () => run(context)));
  const [one, other] = await Promise.allSettled(both);
  expect([one, other].map((each) => each?.status).sort()).toEqual(['fulfilled', 'rejected']);
  expect((await outcomes('{ items(first: 3000) { one { __typename } } }', small))[1]).toBe('answered');
});

test('an answer that is refused after a write says that the write is stored', async () => {
  const context = {};
  const run = () => execute({ schema, document: parse('{ items { name } }'), contextValue: context });
  await expect(sizes(5).runWithinLimits(context, run, true)).rejects.toMatchObject({
    message: `${TOO_DEAR(5)} The changes of this mutation are stored.`,
    extensions: { http: { status: 400 } },
  });
});
