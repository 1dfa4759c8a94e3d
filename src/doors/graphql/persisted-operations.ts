// The persisted operations: those of the manifest that `npm run codegen` writes, and those of other apps' manifests.
import type { ApolloServer } from '@apollo/server';
import { type GraphQLSchema, parse, validate } from 'graphql';
import { NotPersisted } from '../../errors';
import own from '../../generated/persisted-operations.json';
import type { PersistedOperation } from './operation-manifest';

/** PERSISTED_ONLY: these operations run, by their text or by their id, and no others. */
export class PersistedOperations {
  private readonly bodies: ReadonlyMap<string, string>;
  private readonly texts: ReadonlySet<string>;

  constructor(others: readonly PersistedOperation[]) {
    this.bodies = new Map([...own.operations, ...others].map(({ id, body }) => [id, body]));
    this.texts = new Set(this.bodies.values());
  }

  /** Clients may send only the id, as with automatic persisted queries. They cannot add operations. */
  readonly cache: ApolloServer['cache'] = {
    // Apollo puts a prefix before the hash.
    get: async (key) => this.bodies.get(key.slice(key.lastIndexOf(':') + 1)),
    set: async () => {},
    delete: async () => {},
  };

  /** Called before the document is parsed, so that a refusal shows nothing of the schema. */
  refuseOthers(query: unknown): void {
    if (typeof query !== 'string' || query === '' || this.texts.has(query)) return;
    throw new NotPersisted('Only operations of the manifests may run (PERSISTED_ONLY)');
  }
}

/** The names of the project's own operations and of these. */
export const operationNames = (others: readonly PersistedOperation[]): string[] =>
  [...own.operations, ...others].map(({ name }) => name);

/** The operations that cannot run on this schema: a sentence for each. */
export function unfitOperations(schema: GraphQLSchema, operations: readonly PersistedOperation[]): string[] {
  return operations.flatMap(({ name, body }) => {
    const [fault] = faultsOf(schema, body);
    return fault === undefined ? [] : [`PERSISTED_MANIFEST: the operation ${name} does not fit the schema: ${fault}`];
  });
}

function faultsOf(schema: GraphQLSchema, body: string): string[] {
  try {
    return validate(schema, parse(body)).map(({ message }) => message);
  } catch (error) {
    return [(error as Error).message];
  }
}
