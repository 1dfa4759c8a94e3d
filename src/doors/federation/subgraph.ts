// Makes two schemas from the schema of the graph: one for composers of a supergraph, and one for apps, without federation.
import { readFileSync } from 'node:fs';
import {
  buildASTSchema,
  type ConstDirectiveNode,
  type DefinitionNode,
  type GraphQLSchema,
  Kind,
  lexicographicSortSchema,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  printSchema,
} from 'graphql';
import { isEntity, KEYS } from './entities';

/** All composers take this version: subscriptions need 2.4, and 2.10 is refused by one of them. */
const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable"])`;

/** These belong to every subgraph, and composers add them. */
const OF_FEDERATION = ['_Any', '_Entity', '_Service', '_entities', '_service'];
/**
 * A root field that two subgraphs have is resolved by either of them, and no subgraph has the ids of another one. So the
 * nodes of this one are no nodes of a supergraph.
 */
const OF_NODE = ['Node', 'node'];
/** Other subgraphs have the same type. */
const SHARED = 'PageInfo';

/** The schema for apps: strict generators of code stop at names that begin with _. */
export function createAppSchema(schema: GraphQLSchema): GraphQLSchema {
  const { definitions } = parse(printSchema(schema));
  return buildASTSchema({
    kind: Kind.DOCUMENT,
    definitions: definitions
      .filter(isOfApps)
      .map((one) =>
        one.kind === Kind.OBJECT_TYPE_DEFINITION && one.name.value === 'Query'
          ? { ...one, fields: (one.fields ?? []).filter(isOfApps) }
          : one,
      ),
  });
}

const isOfApps = (node: DefinitionNode | { name: { value: string } }) =>
  !('name' in node && node.name && OF_FEDERATION.includes(node.name.value));

export function createSubgraph(schema: GraphQLSchema): string {
  const { definitions } = parse(printSchema(lexicographicSortSchema(schema)));
  const kept = definitions.filter(isKept).map(asOfSubgraph);
  return `${LINK}\n\n${print({ kind: Kind.DOCUMENT, definitions: kept })}\n`;
}

const isKept = (node: DefinitionNode | { name: { value: string } }) =>
  isOfApps(node) && !('name' in node && node.name && OF_NODE.includes(node.name.value));

function asOfSubgraph(definition: DefinitionNode): DefinitionNode {
  if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return definition;
  const { name, fields = [], interfaces = [] } = definition;
  return {
    ...definition,
    interfaces: interfaces.filter(isKept),
    // A type with a field of its own named as one of federation keeps it.
    fields: name.value === 'Query' ? fields.filter(isKept) : fields,
    directives: directivesOf(definition),
  };
}

function directivesOf({ name }: ObjectTypeDefinitionNode): ConstDirectiveNode[] {
  const written = isEntity(name.value)
    ? KEYS.map((key) => `@key(fields: "${key}")`)
    : name.value === SHARED
      ? ['@shareable']
      : [];
  const [made] = parse(`type T ${written.join(' ')} { f: ID }`).definitions as ObjectTypeDefinitionNode[];
  return [...(made?.directives ?? [])];
}

let text: string | undefined;

/** The schema of the subgraph as it was generated. It is read late, because the command that generates it imports this file too. */
export function subgraphText(): string {
  text ??= readFileSync(require.resolve('print-farm-gateway/subgraph.graphql'), 'utf8');
  return text;
}
