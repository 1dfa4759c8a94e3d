// The plugin of GraphQL Code Generator that writes the typed documents, as every GraphQL client reads them. Each definition is
// written once, and the text of a document is kept in `loc.source.body`: a client needs no graphql package to send it.
import {
  type DefinitionNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  visit,
} from 'graphql';

const PREAMBLE = `
export type TypedDocument<Result, Variables> = TypedDocumentNode<Result, Variables> & {
  readonly loc: { readonly source: { readonly body: string } };
};
type Definition = [text: string, node: unknown];
function documentOf<Result, Variables>(...definitions: Definition[]): TypedDocument<Result, Variables> {
  const body = definitions.map(([text]) => text).join('\\n\\n');
  const source = { body, name: 'GraphQL request', locationOffset: { line: 1, column: 1 } };
  const loc = { start: 0, end: body.length, source };
  const document: unknown = { kind: 'Document', definitions: definitions.map(([, node]) => node), loc };
  return document as TypedDocument<Result, Variables>;
}`;

export function plugin(
  _schema: GraphQLSchema,
  files: { document?: DocumentNode }[],
  config: { nonOptionalTypename?: boolean },
) {
  const given = files.flatMap(({ document }) => document?.definitions ?? []);
  const definitions = config.nonOptionalTypename ? given.map(withTypenames) : given;
  const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION) as FragmentDefinitionNode[];
  const operations = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode[];
  return {
    prepend: ["import type { TypedDocumentNode } from '@graphql-typed-document-node/core';"],
    content: [
      PREAMBLE,
      ...fragments.map((fragment) => `const ${fragment.name.value}: Definition = ${written(fragment)};`),
      ...operations.map((operation) => {
        const name = operation.name?.value ?? '';
        const type = `${name}${operation.operation.charAt(0).toUpperCase()}${operation.operation.slice(1)}`;
        const parts = [written(operation), ...used(operation, fragments)];
        return `export const ${name}Document = /* #__PURE__ */ documentOf<${type}, ${type}Variables>(${parts.join(', ')});`;
      }),
    ].join('\n'),
  };
}

const TYPENAME: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };

/** The definition with __typename in each selection but the operation's own. */
function withTypenames(definition: DefinitionNode): DefinitionNode {
  return visit(definition, {
    [Kind.SELECTION_SET](node, _key, parent) {
      const isOwn = parent !== undefined && 'kind' in parent && parent.kind === Kind.OPERATION_DEFINITION;
      const hasIt = node.selections.some((one) => one.kind === Kind.FIELD && one.name.value === '__typename');
      return isOwn || hasIt ? undefined : { ...node, selections: [...node.selections, TYPENAME] };
    },
  });
}

/** A definition as its text and its node, whose positions in a file are left out. */
function written(definition: DefinitionNode): string {
  const text = print(definition);
  return JSON.stringify([text, parse(text, { noLocation: true }).definitions[0]]);
}

/** The names of the fragments that a definition uses, directly or by another fragment. */
function used(definition: DefinitionNode, fragments: FragmentDefinitionNode[], names = new Set<string>()): string[] {
  visit(definition, {
    [Kind.FRAGMENT_SPREAD]({ name: { value: name } }) {
      const fragment = fragments.find((one) => one.name.value === name);
      if (fragment === undefined || names.size === names.add(name).size) return;
      used(fragment, fragments, names);
    },
  });
  return [...names];
}
