// Writes the typed documents, which every GraphQL client can read, as a plugin of GraphQL Code Generator. Each definition is
// written once, and the text of a document is kept in `loc.source.body`: a client needs no graphql package to send it. The nodes of a
// document are made when they are first read, because a page uses few of the documents that its browser loads.
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
interface Definition {
  text: string;
  makeNode: () => unknown;
  node?: unknown;
}
function documentOf<Result, Variables>(...definitions: Definition[]): TypedDocument<Result, Variables> {
  const body = definitions.map(({ text }) => text).join('\\n\\n');
  const source = { body, name: 'GraphQL request', locationOffset: { line: 1, column: 1 } };
  const loc = { start: 0, end: body.length, source };
  let nodes: unknown[] | undefined;
  const document: unknown = {
    kind: 'Document',
    get definitions() {
      nodes ??= definitions.map(getNode);
      return nodes;
    },
    loc,
  };
  return document as TypedDocument<Result, Variables>;
}
function getNode(definition: Definition): unknown {
  definition.node ??= definition.makeNode();
  return definition.node;
}`;

export function plugin(
  _schema: GraphQLSchema,
  files: { document?: DocumentNode }[],
  config: { nonOptionalTypename?: boolean },
) {
  const parsed = files.flatMap(({ document }) => document?.definitions ?? []);
  const definitions = config.nonOptionalTypename ? parsed.map(withTypenames) : parsed;
  const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION) as FragmentDefinitionNode[];
  const operations = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode[];
  return {
    prepend: ["import type { TypedDocumentNode } from '@graphql-typed-document-node/core';"],
    content: [
      PREAMBLE,
      ...fragments.map((fragment) => `const ${fragment.name.value}: Definition = ${codeFor(fragment)};`),
      ...operations.map((operation) => {
        const name = operation.name?.value ?? '';
        const type = `${name}${operation.operation.charAt(0).toUpperCase()}${operation.operation.slice(1)}`;
        const parts = [codeFor(operation), ...findFragments(operation, fragments)];
        return `export const ${name}Document = /* #__PURE__ */ documentOf<${type}, ${type}Variables>(${parts.join(', ')});`;
      }),
    ].join('\n'),
  };
}

const TYPENAME: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };

/** Adds __typename to each selection except the outermost one of an operation. */
function withTypenames(definition: DefinitionNode): DefinitionNode {
  return visit(definition, {
    [Kind.SELECTION_SET](node, _key, parent) {
      const isOutermost = parent !== undefined && 'kind' in parent && parent.kind === Kind.OPERATION_DEFINITION;
      const hasTypename = node.selections.some(
        (selection) => selection.kind === Kind.FIELD && selection.name.value === '__typename',
      );
      return isOutermost || hasTypename ? undefined : { ...node, selections: [...node.selections, TYPENAME] };
    },
  });
}

/** The code of a definition: its text, and a function that makes its node, without the positions in a file. */
function codeFor(definition: DefinitionNode): string {
  const text = print(definition);
  const node = JSON.stringify(parse(text, { noLocation: true }).definitions[0]);
  return `{ text: ${JSON.stringify(text)}, makeNode: () => (${node}) }`;
}

/** The names of the fragments that a definition uses, directly or through another fragment. */
function findFragments(
  definition: DefinitionNode,
  fragments: FragmentDefinitionNode[],
  names = new Set<string>(),
): string[] {
  visit(definition, {
    [Kind.FRAGMENT_SPREAD]({ name: { value: name } }) {
      const fragment = fragments.find((candidate) => candidate.name.value === name);
      if (fragment === undefined || names.size === names.add(name).size) return;
      findFragments(fragment, fragments, names);
    },
  });
  return [...names];
}
