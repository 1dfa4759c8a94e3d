// Runs the GraphQL clients that docs/guides/graphql-client.md names, unmodified, with the typed documents against a running gateway.
import { ApolloClient, CombinedGraphQLErrors, HttpLink, InMemoryCache } from '@apollo/client';
import { cacheExchange, fetchExchange, Client as UrqlClient } from '@urql/core';
import { print } from 'graphql';
import { ClientError, GraphQLClient } from 'graphql-request';
import * as generated from '../../src/generated/operations';
import { CameraDetailDocument, RegisterCameraDocument } from '../../src/generated/operations';
import { type ListeningGateway, listenInProcess } from '../support/listening-gateway';

let gateway: ListeningGateway;
let url: string;
beforeAll(async () => {
  gateway = await listenInProcess();
  url = `${gateway.url}/graphql`;
});
afterAll(() => gateway?.stop());

type Input = generated.RegisterCameraMutationVariables;
type Id = generated.CameraDetailQueryVariables;
/** What the tests ask of a client: typed data, or the codes of the errors. */
interface Client {
  register(variables: Input): Promise<generated.RegisterCameraMutation | undefined>;
  read(variables: Id): Promise<generated.CameraDetailQuery | undefined>;
}

class Refused extends Error {
  constructor(errors: readonly { extensions?: { [name: string]: unknown } }[]) {
    super(errors.map(({ extensions }) => extensions?.['code']).join());
  }
}

const CLIENTS: Record<string, () => Client> = {
  'Apollo Client': () => {
    const client = new ApolloClient({ link: new HttpLink({ uri: url }), cache: new InMemoryCache() });
    const refused = (error: unknown) => {
      throw CombinedGraphQLErrors.is(error) ? new Refused(error.errors) : error;
    };
    // @ts-expect-error the variables are typed
    const _wrong = () => client.query({ query: CameraDetailDocument, variables: { id: 1 } });
    return {
      register: (variables) =>
        client.mutate({ mutation: RegisterCameraDocument, variables }).then(({ data }) => data, refused),
      read: (variables) => client.query({ query: CameraDetailDocument, variables }).then(({ data }) => data, refused),
    };
  },
  urql: () => {
    const client = new UrqlClient({ url, exchanges: [cacheExchange, fetchExchange] });
    const answer = <Data>({ data, error }: { data?: Data; error?: { graphQLErrors: object[] } }) => {
      if (error) throw new Refused(error.graphQLErrors);
      return data;
    };
    // @ts-expect-error the variables are typed
    const _wrong = () => client.query(CameraDetailDocument, { id: 1 });
    return {
      register: async (variables) => answer(await client.mutation(RegisterCameraDocument, variables)),
      read: async (variables) => answer(await client.query(CameraDetailDocument, variables)),
    };
  },
  'graphql-request': () => {
    const client = new GraphQLClient(url);
    const refused = (error: unknown) => {
      throw error instanceof ClientError ? new Refused(error.response.errors ?? []) : error;
    };
    // @ts-expect-error the variables are typed
    const _wrong = () => client.request(CameraDetailDocument, { id: 1 });
    return {
      register: (variables) => client.request(RegisterCameraDocument, variables).catch(refused),
      read: (variables) => client.request(CameraDetailDocument, variables).catch(refused),
    };
  },
};

test.each(Object.keys(CLIENTS))('%s writes, reads and receives the codes of errors', async (name) => {
  const client = CLIENTS[name]?.() as Client;
  const input = { id: name, friendlyName: 'Door', macAddress: null };
  expect((await client.register({ input }))?.registerCamera).toMatchObject(input);
  const read = await client.read({ id: input.id, records: 5 });
  expect(read?.camera).toMatchObject({ ...input, lastStatus: null, history: [] });
  await expect(client.register({ input })).rejects.toThrow('CONFLICT');
  await expect(client.read({ id: '', records: 5 })).rejects.toThrow('BAD_USER_INPUT');
});

test('every document contains the text that a client would print', () => {
  const documents = Object.entries(generated).filter(([name]) => name.endsWith('Document'));
  expect(documents.length).toBeGreaterThan(10);
  for (const [, document] of documents) expect(document.loc.source.body).toBe(print(document));
});
