// How operations are executed: compiled, and shared by those who ask for the same.
import { type GraphQLRequestContextResponseForOperation, type GraphQLRequestListener, HeaderMap } from '@apollo/server';
import type { GatewayInterface } from '@apollo/server-gateway-interface';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { Forbidden, GatewayError } from '../errors';
import { instantNow } from '../values/instant';
import { isCompilable } from './compilable';
import type { Context } from './context';
import { causeOf, formatError, unexpectedCause } from './errors';
import { keyOf, sha256 } from './query-texts';
import { SharedReads } from './shared-reads';
import { asDeclared, defaultsOf } from './variables';

type Result = ExecutionResult<Record<string, unknown>, Record<string, unknown>>;
/** Of a mutation, which may have been kept as it went out. */
type Written = FormattedExecutionResult<Record<string, unknown>>;
type Variables = Record<string, unknown> | undefined;
type Run = (context: Context, variables: Variables) => Result | Promise<Result>;

/**
 * Apollo hands over the operation in `responseForOperation`, its hook for answers from elsewhere, and takes one without
 * errors as it is. One with errors it is given by the gateway interface, its door for an executor of one's own, so that it
 * reports and masks them. Having all answers pass there costs 25 of a single job's 120 µs: Apollo weighs the accept header
 * anew and copies the request for each.
 */
export function executionOf(schema: GraphQLSchema): {
  gateway: GatewayInterface;
  responseForOperation: NonNullable<GraphQLRequestListener<Context>['responseForOperation']>;
} {
  const compiled = compiledOperations(schema);
  const reads = new SharedReads<Result>();
  const withErrors = new WeakMap<Context, Promise<Result>>();

  const executed = (
    { document, source, request, contextValue, operationName }: GraphQLRequestContextResponseForOperation<Context>,
    operation: OperationDefinitionNode,
  ): Promise<Result> => {
    const run = compiled(document, operation, operationName);
    const variables = request.variables && asDeclared(schema, operation, request.variables);
    const rest = () => [String(operationName), JSON.stringify(variables) ?? ''];
    if (operation.operation !== 'query') return mutate(contextValue, () => [sha256(source), ...rest()], run, variables);
    const key = keyOf([contextValue.caller.readRights, source, ...rest()].join(' '));
    // Whoever begins the execution lends it the context, with the moment at which it begins.
    return reads.run(key, async () => run({ ...contextValue, now: instantNow() }, variables));
  };

  return {
    async responseForOperation(request) {
      const { operation, contextValue } = request;
      // The document has no such operation, whatever Apollo's type says.
      if (operation === undefined) return null;
      const outcome = executed(request, operation);
      try {
        const result = await outcome;
        if (result.errors === undefined) return { http: NO_HEAD, body: { kind: 'single', singleResult: result } };
      } catch {
        // The gateway interface is given it as it is.
      }
      withErrors.set(contextValue, outcome);
      return null;
    },
    gateway: {
      onSchemaLoadOrUpdate(callback) {
        callback({ apiSchema: schema, coreSupergraphSdl: '' });
        return () => {};
      },
      async load() {
        return {
          executor: async ({ document, request, context }) =>
            withErrors.get(context as Context) ??
            // No such operation: graphql-js words that as Apollo expects it.
            (execute({ schema, document, operationName: request.operationName }) as Result),
        };
      },
      async stop() {},
    },
  };
}

const NO_HEAD = { status: undefined, headers: new HeaderMap() };

async function mutate(context: Context, asked: () => string[], run: Run, variables: Variables): Promise<Result> {
  try {
    const { data, errors } = await context.write<Written>(asked, async (farm) => {
      const result = await run({ ...context, farm }, variables);
      return farm === context.farm ? result : toKeep(result);
    });
    return { data, errors: errors?.map((error) => (error instanceof GraphQLError ? error : asGraphQLError(error))) };
  } catch (error) {
    return refused(error as Error);
  }
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
function toKeep(result: Result): Written {
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
    const compiled = isCompilable(document, operation) && compileQuery(schema, document, operation.name?.value);
    // graphql-jit would refuse an input without them.
    const withDefaults = defaultsOf(schema, operation);
    const fast: Run =
      compiled && isCompiledQuery(compiled)
        ? async (context, variables) => {
            const result = (await compiled.query(undefined, context, withDefaults(variables ?? {}))) as Result;
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
