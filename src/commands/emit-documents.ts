// Writes the typed GraphQL documents of the client package and of the dashboard to src/generated. Each definition is written
// once, and the text of a document is in `loc.source.body`, so that a client needs no graphql package to send it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typesOfOperations from '@graphql-codegen/typescript-operations';
import {
  buildSchema,
  type DefinitionNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  printSchema,
  visit,
} from 'graphql';

const CONFIG = {
  useTypeImports: true,
  enumType: 'string-literal',
  skipTypename: true,
  arrayInputCoercion: false,
  strictScalars: true,
  scalars: {
    ID: 'string',
    _Any: 'unknown',
    DateTime: 'string',
    Decimal: { input: 'string | number', output: 'string' },
  },
};

const OUTPUTS = {
  'operations.ts': { operations: filesIn('src/client/operations'), schema: '', config: CONFIG },
  'web-operations.ts': {
    operations: ['src/client/operations/import.graphql', ...filesIn('src/web/operations')],
    // The dashboard reads jobs with `_entities`, which is not in the schema for clients.
    schema: `
      scalar _Any
      union _Entity = Camera | Device | Material | NotificationTarget | ObservedPrint | PrintJob | Printer | Spool
      extend type Query { _entities(representations: [_Any!]!): [_Entity]! }`,
    // Apollo's cache identifies an object by its __typename. It would add the field itself and so send texts that are not in the manifest.
    config: { ...CONFIG, skipTypename: false, nonOptionalTypename: true, skipTypeNameForRoot: true },
  },
};

function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
}

/** The name of a file in src/generated. */
export type DocumentsFile = keyof typeof OUTPUTS;
export const DOCUMENTS_FILES = Object.keys(OUTPUTS) as DocumentsFile[];

export function documentsText(file: DocumentsFile): Promise<string> {
  const { operations, schema, config } = OUTPUTS[file];
  const schemaAst = buildSchema(readFileSync('src/generated/schema.graphql', 'utf8') + schema);
  return codegen({
    filename: file,
    schema: parse(printSchema(schemaAst)),
    schemaAst,
    documents: operations.map((location) => ({ location, document: parse(readFileSync(location, 'utf8')) })),
    config,
    plugins: [{ types: {} }, { documents: {} }],
    pluginMap: { types: typesOfOperations, documents: { plugin: typedDocuments } },
  });
}

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

function typedDocuments(
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

/** The code of a definition: its text and its node, without the positions in a file. */
function codeFor(definition: DefinitionNode): string {
  const text = print(definition);
  return JSON.stringify([text, parse(text, { noLocation: true }).definitions[0]]);
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

async function writeDocuments(): Promise<void> {
  for (const file of DOCUMENTS_FILES) writeFileSync(join('src/generated', file), await documentsText(file));
}

if (require.main === module) void writeDocuments();
