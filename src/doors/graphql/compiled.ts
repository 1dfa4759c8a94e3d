// Decides which operations run compiled by graphql-jit 0.8.9: only those for which graphql-jit returns the same as graphql-js.
// Remove a rule of `isCompilable` when graphql-jit handles its case like graphql-js.
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
import { createDefaultsFiller } from './variables';

export type Result = ExecutionResult<Record<string, unknown>, Record<string, unknown>>;
type Variables = Record<string, unknown> | undefined;
type Run = (context: unknown, variables: Variables) => Result | Promise<Result>;

/**
 * The maximum number of characters of all documents whose compiled functions are cached. A function takes up to 400 bytes for each
 * character, and clients choose the documents: without a limit, 5,000 documents ended a process with a heap of 256 MB.
 */
const MAX_CACHED_CHARACTERS = 100_000;
/** The longest document that is compiled, because compiling takes 0.01 ms per character. The dashboard's longest has 1,500. */
const MAX_COMPILED_LENGTH = 5000;

/**
 * Finds the function that runs an operation. graphql-js runs the first execution, because compiling takes as long as about ten
 * executions, which is too much for an operation that is sent once. The floors of W2 and W3 need the compiler (1.4 times as many
 * queries a second), and so does the floor of W5 at 64 connections, because graphql-js coerces the input of a record slowly.
 */
export function createRunner(schema: GraphQLSchema, hideSuggestions: boolean) {
  const executedOnce = new WeakSet<DocumentNode>();
  const notCompilable = new WeakSet<DocumentNode>();
  const compiled = new LRUCache<DocumentNode, Run>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (_, document) => sourceOf(document).length,
  });
  return (document: DocumentNode, operation: OperationDefinitionNode, operationName: string | null): Run => {
    const cached = compiled.get(document);
    if (cached) return cached;
    const runByGraphqlJs: Run = (contextValue, variableValues) =>
      execute({ schema, document, contextValue, variableValues, operationName, hideSuggestions }) as
        | Result
        | Promise<Result>;
    if (notCompilable.has(document)) return runByGraphqlJs;
    if (!executedOnce.has(document)) {
      executedOnce.add(document);
      return runByGraphqlJs;
    }
    const run =
      sourceOf(document).length <= MAX_COMPILED_LENGTH
        ? compile(schema, document, operation, runByGraphqlJs)
        : undefined;
    if (run) compiled.set(document, run);
    else notCompilable.add(document);
    return run ?? runByGraphqlJs;
  };
}

function compile(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  runByGraphqlJs: Run,
): Run | undefined {
  const compiled = isCompilable(document, operation) && compileQuery(schema, document, operation.name?.value);
  if (!compiled || !isCompiledQuery(compiled)) return undefined;
  // graphql-jit refuses an input without its members that have defaults.
  const addDefaults = createDefaultsFiller(schema, operation);
  return async (context, variables) => {
    if (hasLongList(variables)) return runByGraphqlJs(context, variables);
    const result = (await compiled.query(undefined, context, addDefaults(variables ?? {}))) as Result;
    if (result.errors === undefined) return result;
    // If there is no data, the variables were refused and nothing was executed. graphql-js reports where the faults are.
    if (result.data === undefined) return runByGraphqlJs(context, variables);
    return { ...result, errors: keepFirstErrorPerNull(result).map(toGraphQLError) };
  };
}

/** Whether a list is longer than allowed. graphql-jit would make an error for each wrong item; graphql-js stops at the 50th. */
function hasLongList(given: unknown, levels = 2): boolean {
  if (typeof given !== 'object' || given === null) return false;
  if (Array.isArray(given)) return given.length > MAX_INPUT_ITEMS;
  return levels > 0 && Object.values(given).some((value) => hasLongList(value, levels - 1));
}

/** Keeps the errors that graphql-js would report: the first error of each object that became null. graphql-jit reports all errors. */
function keepFirstErrorPerNull({ data, errors = [] }: Result): readonly GraphQLError[] {
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
function toGraphQLError(error: GraphQLFormattedError & { originalError?: Error }): GraphQLError {
  const { message, path, originalError, extensions, locations } = error;
  return Object.defineProperty(new GraphQLError(message, { path, originalError, extensions }), 'locations', {
    value: locations,
    enumerable: locations !== undefined,
  });
}

/**
 * Whether graphql-jit may run a document. graphql-js runs documents with literals, conditions, or a fragment that is used more than
 * once, because graphql-jit would
 * - run the text of a literal as code, if the text starts with graphql-jit's internal marks;
 * - expand a fragment at each of its uses, on every level, so that a document of one kilobyte can take minutes;
 * - confuse two fields whose paths are the same when they are joined by _;
 * - apply the condition of one use of a fragment to its other uses, so that fields are missing or superfluous;
 * - in an input, turn a missing variable into null, and accept null for a variable that has a default;
 * - lose an alias, or confuse a variable, if its name is a member of every JavaScript object;
 * - continue after a mutation that failed, and wait for ever behind a mutation whose arguments are refused.
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
    // In the filter of a query, null means the same as a missing member.
    [Kind.OBJECT]: () => refuseIf(isMutation),
    [Kind.FRAGMENT_SPREAD]: ({ name }) => refuseIf(spread.size === spread.add(name.value).size),
    [Kind.FIELD]: ({ name, alias }) =>
      refuseIf(
        isMemberOfEveryObject(alias?.value) ||
          alias?.value.includes('_') === true ||
          /^_(?!_typename$)/.test(name.value),
      ),
    [Kind.VARIABLE_DEFINITION]: ({ variable, defaultValue }) =>
      refuseIf(isMemberOfEveryObject(variable.name.value) || defaultValue !== undefined),
  });
  return compilable;
}

const isMemberOfEveryObject = (name = '') => name in Object.prototype;
