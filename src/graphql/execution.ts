// How operations are executed: compiled, and shared by those who ask for the same.
import type { GatewayInterface } from '@apollo/server-gateway-interface';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { Forbidden, GatewayError } from '../errors';
import { isCompilable } from './compilable';
import type { Context } from './context';
import { causeOf, formatError, unexpectedCause } from './errors';
import { SharedReads } from './shared-reads';
import { asDeclared } from './variables';

type Result = ExecutionResult<Record<string, unknown>, Record<string, unknown>>;
type Variables = Record<string, unknown> | undefined;
type Run = (context: Context, variables: Variables) => Result | Promise<Result>;

/** The gateway interface is Apollo's door for an executor of one's own: plugins, limits, errors and masking stay its own. */
export function executionOf(schema: GraphQLSchema): GatewayInterface {
  const compiled = compiledOperations(schema);
  const reads = new SharedReads<Result>();
  return {
    onSchemaLoadOrUpdate(callback) {
      callback({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => {};
    },
    async load() {
      return {
        executor: async ({ document, operation, operationName, queryHash, request, context }) => {
          // The document has no such operation, whatever Apollo's type says; graphql-js words that as Apollo expects it.
          if (operation === undefined)
            return execute({ schema, document, operationName: request.operationName }) as Result;
          const run = compiled(document, operation, operationName);
          const variables = request.variables && asDeclared(schema, operation, request.variables);
          const asked = () => [queryHash, String(operationName), JSON.stringify(variables) ?? ''];
          if (operation.operation !== 'query') return mutate(context as Context, asked, run, variables);
          const key = [(context as Context).caller.readRights, ...asked()].join(' ');
          // Whoever begins the execution lends it the context, with the moment at which it begins.
          return reads.run(key, async () => run({ ...(context as Context), now: new Date().toISOString() }, variables));
        },
      };
    },
    async stop() {},
  };
}

async function mutate(context: Context, asked: () => string[], run: Run, variables: Variables): Promise<Result> {
  const { data, errors } = await context
    .write(asked, async (farm) => {
      const result = await run({ ...context, farm }, variables);
      return farm === context.farm ? result : toKeep(result);
    })
    .catch(refused);
  return { data, errors: errors?.map((error) => (error instanceof GraphQLError ? error : asGraphQLError(error))) };
}

/** Nothing was executed, because the variables do not fit. */
class NotExecuted extends Error {
  constructor(readonly result: Result) {
    super();
  }
}

/** An idempotency key that cannot be used is an answer like other refusals; what else is thrown here went wrong inside. */
function refused(error: Error): Result {
  if (error instanceof NotExecuted) return error.result;
  if (!(error instanceof GatewayError)) throw error;
  return { data: null, errors: [new GraphQLError(error.message, { originalError: error })] };
}

/**
 * A result as it goes out, so that it can be kept and given again. What went wrong inside is thrown, so that nothing is
 * kept; so is a want of rights, which the same caller may have the next time.
 */
function toKeep(result: Result) {
  const { data, errors } = result;
  if (data === undefined) throw new NotExecuted(result);
  for (const error of errors ?? []) {
    const cause = causeOf(error);
    if (unexpectedCause(error) !== undefined || cause instanceof Forbidden) throw cause;
  }
  return { data, errors: errors?.map((error) => formatError(error.toJSON(), error)) };
}

/**
 * Operations as functions compiled by graphql-jit, kept as long as Apollo keeps their document. The first execution is
 * graphql-js's: compiling costs about ten of its executions, too much for an operation that comes once. (Recording a
 * status: 173 → 148 µs of Node's time.)
 */
function compiledOperations(schema: GraphQLSchema) {
  const known = new WeakMap<DocumentNode, Map<string | null, Run | undefined>>();
  return (document: DocumentNode, operation: OperationDefinitionNode, operationName: string | null): Run => {
    const runs = known.get(document) ?? new Map<string | null, Run | undefined>();
    known.set(document, runs);
    const run = runs.get(operationName);
    if (run !== undefined) return run;
    const plain: Run = (contextValue, variableValues) =>
      execute({ schema, document, contextValue, variableValues, operationName }) as Result | Promise<Result>;
    if (!runs.has(operationName)) {
      runs.set(operationName, undefined);
      return plain;
    }
    const compiled = isCompilable(schema, document, operation) && compileQuery(schema, document, operation.name?.value);
    const fast: Run =
      compiled && isCompiledQuery(compiled)
        ? async (context, variables) => {
            const result = (await compiled.query(undefined, context, variables ?? {})) as Result;
            if (result.errors === undefined) return result;
            // Variables that do not fit: graphql-js words it as Apollo expects it. Of several errors it tells fewer.
            const again = result.data === undefined || (operation.operation === 'query' && result.errors.length > 1);
            return again ? plain(context, variables) : { ...result, errors: result.errors.map(asGraphQLError) };
          }
        : plain;
    runs.set(operationName, fast);
    return fast;
  };
}

/** For errors that are no instances of graphql-js's class, as graphql-jit's: Apollo takes those for something unexpected. */
function asGraphQLError(error: GraphQLFormattedError & { originalError?: Error }): GraphQLError {
  const { message, path, originalError, extensions, locations } = error;
  return Object.defineProperty(new GraphQLError(message, { path, originalError, extensions }), 'locations', {
    value: locations,
    enumerable: locations !== undefined,
  });
}

/** From here on a text is sent as bytes: below, one write of text with the head before it is cheaper. */
const LARGE = 4096;

const texts = new WeakMap<object, string>();

/**
 * One text for one result: the requests that wait for a shared read are answered with the same object, which is written
 * as JSON once, and, when it is large, turned into bytes once (240 KB for 64 dashboards: 0.6 ms each). Apollo and its
 * integration hand on whatever this answers.
 */
export function stringifyResult(value: ExecutionResult): string {
  const shared = value.data != null && value.errors === undefined && value.extensions === undefined;
  let text = shared ? texts.get(value.data as object) : undefined;
  if (text === undefined) {
    text = `${JSON.stringify(value)}\n`;
    if (text.length >= LARGE) text = Buffer.from(text) as unknown as string;
    if (shared) texts.set(value.data as object, text);
  }
  return text;
}
