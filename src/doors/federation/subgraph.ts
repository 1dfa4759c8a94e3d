// Makes two schemas from the schema of the graph: the subgraph for a supergraph, and the schema for apps, without federation.
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

/** The newest version that all composers of supergraphs accept: subscriptions need 2.4, and one composer refuses 2.10. */
const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable"])`;

/** The names that every subgraph has. Composers add them, so the SDL does not contain them. */
const FEDERATION_NAMES = ['_Any', '_Entity', '_Service', '_entities', '_service'];
/**
 * The names of the query `node`, which are not in the subgraph. A router may send a root field that two subgraphs have to either of
 * them, but a subgraph finds only its own objects by nodeId.
 */
const NODE_NAMES = ['Node', 'node'];
/** A type that other subgraphs also have. */
const SHARED_TYPE = 'PageInfo';

/** Makes the schema for apps, without the names of federation, because strict code generators refuse names that start with _. */
export function createAppSchema(schema: GraphQLSchema): GraphQLSchema {
  const { definitions } = parse(printSchema(schema));
  return buildASTSchema({
    kind: Kind.DOCUMENT,
    definitions: definitions
      .filter(isForApps)
      .map((one) =>
        one.kind === Kind.OBJECT_TYPE_DEFINITION && one.name.value === 'Query'
          ? { ...one, fields: (one.fields ?? []).filter(isForApps) }
          : one,
      ),
  });
}

const isForApps = (node: DefinitionNode | { name: { value: string } }) =>
  !('name' in node && node.name && FEDERATION_NAMES.includes(node.name.value));

export function createSubgraph(schema: GraphQLSchema): string {
  const { definitions } = parse(printSchema(lexicographicSortSchema(schema)));
  const kept = definitions.filter(isForSubgraph).map(toSubgraphDefinition);
  return `${LINK}\n\n${print({ kind: Kind.DOCUMENT, definitions: kept })}\n`;
}

const isForSubgraph = (node: DefinitionNode | { name: { value: string } }) =>
  isForApps(node) && !('name' in node && node.name && NODE_NAMES.includes(node.name.value));

function toSubgraphDefinition(definition: DefinitionNode): DefinitionNode {
  if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return definition;
  const { name, fields = [], interfaces = [] } = definition;
  return {
    ...definition,
    interfaces: interfaces.filter(isForSubgraph),
    // Only Query has fields of federation. A field with the same name in another type belongs to that type.
    fields: name.value === 'Query' ? fields.filter(isForSubgraph) : fields,
    directives: makeDirectives(definition),
  };
}

function makeDirectives({ name }: ObjectTypeDefinitionNode): ConstDirectiveNode[] {
  const written = isEntity(name.value)
    ? KEYS.map((key) => `@key(fields: "${key}")`)
    : name.value === SHARED_TYPE
      ? ['@shareable']
      : [];
  const [made] = parse(`type T ${written.join(' ')} { f: ID }`).definitions as ObjectTypeDefinitionNode[];
  return [...(made?.directives ?? [])];
}

let text: string | undefined;

/** The generated schema of the subgraph. It is read only when it is needed, because the command that generates it imports this file. */
export function readSubgraph(): string {
  text ??= readFileSync(require.resolve('print-farm-gateway/subgraph.graphql'), 'utf8');
  return text;
}
