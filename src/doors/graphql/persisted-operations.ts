// Holds the persisted operations: those of the dashboard and the client, and those in the manifests of other apps.
import type { ApolloServer } from '@apollo/server';
import { type GraphQLSchema, parse, validate } from 'graphql';
import { NotPersisted } from '../../errors';
import own from '../../generated/persisted-operations.json';
import type { PersistedOperation } from './operation-manifest';

/** With PERSISTED_ONLY, clients may run only these operations, by their text or by their id. */
export class PersistedOperations {
  private readonly bodies: ReadonlyMap<string, string>;
  private readonly texts: ReadonlySet<string>;

  constructor(others: readonly PersistedOperation[]) {
    this.bodies = new Map([...own.operations, ...others].map(({ id, body }) => [id, body]));
    this.texts = new Set(this.bodies.values());
  }

  /** A client may send only the id of an operation, as with automatic persisted queries. It cannot add operations. */
  readonly cache: ApolloServer['cache'] = {
    // Apollo puts a prefix before the hash.
    get: async (key) => this.bodies.get(key.slice(key.lastIndexOf(':') + 1)),
    set: async () => {},
    delete: async () => {},
  };

  /** Refuses a document that is not persisted. Called before the document is parsed, so that no error shows names of the schema. */
  refuseOthers(query: unknown): void {
    if (typeof query !== 'string' || query === '' || this.texts.has(query)) return;
    throw new NotPersisted(
      'This gateway runs only persisted operations (PERSISTED_ONLY), and this is none of them. Send an operation of the manifest ' +
        'without changes, or ask the operator to add yours to PERSISTED_MANIFEST.',
    );
  }
}

/** Lists the names of the project's operations and of these other operations. */
export const listOperationNames = (others: readonly PersistedOperation[]): string[] =>
  [...own.operations, ...others].map(({ name }) => name);

/** Finds the operations that cannot run on this schema. Returns one sentence for each. */
export function findUnfitOperations(schema: GraphQLSchema, operations: readonly PersistedOperation[]): string[] {
  return operations.flatMap(({ name, body }) => {
    const [fault] = findFaults(schema, body);
    return fault === undefined ? [] : [`PERSISTED_MANIFEST: the operation ${name} does not fit the schema: ${fault}`];
  });
}

function findFaults(schema: GraphQLSchema, body: string): string[] {
  try {
    return validate(schema, parse(body)).map(({ message }) => message);
  } catch (error) {
    return [(error as Error).message];
  }
}
