// Runs operations compiled by graphql-jit 0.8.9, but only where its answer equals that of graphql-js. Remove a
// rule of `isCompilable` when graphql-jit answers its case like graphql-js.
import {
  BREAK,
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import { MAX_INPUT_ITEMS } from '../../values/page';
import { sourceOf } from './parsed-documents';
import { defaultsOf } from './variables';

export type Result = ExecutionResult<Record<string, unknown>, Record<string, unknown>>;
type Variables = Record<string, unknown> | undefined;
type Run = (context: unknown, variables: Variables) => Result | Promise<Result>;

/**
 * Characters of the documents whose functions are cached. A function takes up to 400 bytes for each: clients choose the
 * documents, and without a bound 5,000 of them ended a process with a heap of 256 MB.
 */
const MAX_CHARACTERS = 100_000;
/** The longest document that is compiled: that takes 0.01 ms for each character. The dashboard's longest has 1,500. */
const MAX_LENGTH = 5000;

/**
 * The function of an operation. The first execution is graphql-js's: compiling costs about ten of its executions, too much
 * for an operation that comes once. The floors of W2 and W3 need the compiler (1.4 times as many queries a second), and so
 * does the floor of W5 at 64 connections: graphql-js coerces the input of a record slowly.
 */
export function compiledOperations(schema: GraphQLSchema, hideSuggestions: boolean) {
  const cameOnce = new WeakSet<DocumentNode>();
  const notCompilable = new WeakSet<DocumentNode>();
  const compiled = new LRUCache<DocumentNode, Run>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_, document) => sourceOf(document).length,
  });
  return (document: DocumentNode, operation: OperationDefinitionNode, operationName: string | null): Run => {
    const cached = compiled.get(document);
    if (cached) return cached;
    const plain: Run = (contextValue, variableValues) =>
      execute({ schema, document, contextValue, variableValues, operationName, hideSuggestions }) as
        | Result
        | Promise<Result>;
    if (notCompilable.has(document)) return plain;
    if (!cameOnce.has(document)) {
      cameOnce.add(document);
      return plain;
    }
    const run = sourceOf(document).length <= MAX_LENGTH ? fast(schema, document, operation, plain) : undefined;
    if (run) compiled.set(document, run);
    else notCompilable.add(document);
    return run ?? plain;
  };
}

function fast(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  plain: Run,
): Run | undefined {
  const compiled = isCompilable(document, operation) && compileQuery(schema, document, operation.name?.value);
  if (!compiled || !isCompiledQuery(compiled)) return undefined;
  // graphql-jit refuses an input without its members that have defaults.
  const withDefaults = defaultsOf(schema, operation);
  return async (context, variables) => {
    if (hasLongList(variables)) return plain(context, variables);
    const result = (await compiled.query(undefined, context, withDefaults(variables ?? {}))) as Result;
    if (result.errors === undefined) return result;
    // Without data, the variables were refused and nothing has run: graphql-js gives their places.
    if (result.data === undefined) return plain(context, variables);
    return { ...result, errors: firstForEachNull(result).map(asGraphQLError) };
  };
}

/** A list that a rule refuses. graphql-jit would make an error for each wrong item; graphql-js ends at the 50th. */
function hasLongList(given: unknown, levels = 2): boolean {
  if (typeof given !== 'object' || given === null) return false;
  if (Array.isArray(given)) return given.length > MAX_INPUT_ITEMS;
  return levels > 0 && Object.values(given).some((value) => hasLongList(value, levels - 1));
}

/** graphql-js reports the first error for each object that errors have replaced by null, and graphql-jit reports all of them. */
function firstForEachNull({ data, errors = [] }: Result): readonly GraphQLError[] {
  if (data === null) return errors;
  const nulls = new Set<string>();
  return errors.filter(({ path = [] }) => {
    let value: unknown = data;
    const index = path.findIndex((key) => {
      value = (value as Record<string, unknown> | undefined)?.[key];
      return value === null;
    });
    const before = nulls.size;
    return nulls.add(path.slice(0, index + 1 || path.length).join('.')).size > before;
  });
}

/** graphql-jit's errors are not instances of graphql-js's class. */
function asGraphQLError(error: GraphQLFormattedError & { originalError?: Error }): GraphQLError {
  const { message, path, originalError, extensions, locations } = error;
  return Object.defineProperty(new GraphQLError(message, { path, originalError, extensions }), 'locations', {
    value: locations,
    enumerable: locations !== undefined,
  });
}

/**
 * A document with values of its own is left to graphql-js, and so is a document with conditions, or with a fragment that
 * is used again. graphql-jit would
 * - run the text of a literal as code, if the text starts with graphql-jit's internal marks;
 * - follow a fragment at each of its uses, and that again at each level above: a kilobyte can take it minutes;
 * - take two fields for one whose paths are the same when they are joined by _;
 * - take the condition of a fragment for its other uses, so that fields are missing or too many;
 * - in an input, turn a variable that is not given into null, and let null pass where the variable has a default;
 * - lose an alias, and confuse a variable, with a name that every object has;
 * - go on after a mutation that failed, and wait for ever behind a mutation whose arguments are refused.
 */
export function isCompilable(document: DocumentNode, { operation, selectionSet }: OperationDefinitionNode): boolean {
  const isMutation = operation === 'mutation';
  const [field, another] = selectionSet.selections;
  if (isMutation && (another !== undefined || field?.kind !== Kind.FIELD)) return false;
  if (document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length > 1) return false;
  const spread = new Set<string>();
  let compilable = true;
  const refuse = () => {
    compilable = false;
    return BREAK;
  };
  const refuseIf = (refused: boolean) => (refused ? refuse() : undefined);
  visit(document, {
    [Kind.DIRECTIVE]: refuse,
    [Kind.STRING]: refuse,
    [Kind.FLOAT]: refuse,
    // In a query's filter null is the same as nothing.
    [Kind.OBJECT]: () => refuseIf(isMutation),
    [Kind.FRAGMENT_SPREAD]: ({ name }) => refuseIf(spread.size === spread.add(name.value).size),
    [Kind.FIELD]: ({ name, alias }) =>
      refuseIf(
        isEverywhere(alias?.value) || alias?.value.includes('_') === true || /^_(?!_typename$)/.test(name.value),
      ),
    [Kind.VARIABLE_DEFINITION]: ({ variable, defaultValue }) =>
      refuseIf(isEverywhere(variable.name.value) || defaultValue !== undefined),
  });
  return compilable;
}

const isEverywhere = (name = '') => name in Object.prototype;
