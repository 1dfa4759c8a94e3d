// How operations are executed: compiled, and shared by those who ask for the same.
import type { GatewayInterface } from '@apollo/server-gateway-interface';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Context } from './context';
import { SharedReads } from './shared-reads';

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
          const variables = request.variables as Variables;
          if (operation.operation !== 'query') return run(context as Context, variables);
          const key = `${queryHash} ${operationName} ${JSON.stringify(variables)}`;
          // Whoever begins the execution lends it the context, with the moment at which it begins.
          return reads.run(key, async () => run({ ...(context as Context), now: new Date().toISOString() }, variables));
        },
      };
    },
    async stop() {},
  };
}

/**
 * Operations as functions compiled by graphql-jit, kept as long as Apollo keeps their document. The first execution is
 * graphql-js's: compiling costs about ten of its executions, too much for an operation that comes once.
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
    const compiled = compileQuery(schema, document, operation.name?.value);
    const query: Run = isCompiledQuery(compiled)
      ? async (context, variables) => {
          const result = (await compiled.query(undefined, context, variables ?? {})) as Result;
          // Variables that do not fit: graphql-js words it as Apollo expects it.
          if (result.data === undefined) return plain(context, variables);
          return result.errors === undefined ? result : { ...result, errors: result.errors.map(asGraphQLError) };
        }
      : plain;
    runs.set(operationName, query);
    return query;
  };
}

/** graphql-jit has an error class of its own, which Apollo takes for something unexpected. */
function asGraphQLError({ message, path, originalError, locations }: GraphQLError): GraphQLError {
  const error = new GraphQLError(message, { path, originalError });
  return Object.defineProperty(error, 'locations', { value: locations, enumerable: locations !== undefined });
}

/**
 * One text for one result: the waiting requests of a shared read are answered with the same object, which is written as
 * JSON once.
 */
export function sharedStringify(): (value: ExecutionResult) => string {
  const texts = new WeakMap<object, string>();
  return (value) => {
    if (value.data == null || value.errors !== undefined || value.extensions !== undefined)
      return `${JSON.stringify(value)}\n`;
    let text = texts.get(value.data);
    if (text === undefined) {
      text = `${JSON.stringify(value)}\n`;
      texts.set(value.data, text);
    }
    return text;
  };
}
