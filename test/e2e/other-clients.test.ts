// The three usual GraphQL clients as they come, without a setting beyond the address, against the running gateway.
import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { cacheExchange, fetchExchange, Client as UrqlClient } from '@urql/core';
import { ClientError, GraphQLClient } from 'graphql-request';
import { type RunningGateway, runGateway } from '../support/running-gateway';

const PAGE = 'https://farm.example';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await runGateway({ CORS_ORIGINS: PAGE });
});
afterAll(() => gateway?.stop());

/** What the tests ask of a client: the data, or the codes of the errors. */
interface Client {
  query(document: string, variables?: object): Promise<unknown>;
  mutate(document: string, variables?: object): Promise<unknown>;
}

/** The requests that the clients sent: method and content type. */
let sent: string[] = [];
beforeEach(() => {
  sent = [];
});
const seen: typeof fetch = (input, init) => {
  const request = new Request(input, init);
  sent.push(`${request.method} ${request.headers.get('content-type') ?? ''}`.trim());
  return fetch(request);
};
/** A browser adds these headers to the requests of a page of another origin. */
const fromPage =
  (origin: string): typeof fetch =>
  (input, init) => {
    const request = new Request(input, init);
    for (const [name, value] of Object.entries({ origin, 'sec-fetch-site': 'cross-site' })) {
      request.headers.set(name, value);
    }
    return seen(request);
  };

test('a page of a trusted origin may send any header, and one of another origin none', async () => {
  const asked = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'apollographql-client-name,x-b3',
  };
  const preflight = async (path: string, origin: string) => {
    const { headers } = await fetch(gateway.url + path, { method: 'OPTIONS', headers: { origin, ...asked } });
    return ['origin', 'headers'].map((name) => headers.get(`access-control-allow-${name}`));
  };
  for (const path of ['/graphql', '/cameras', '/api/PrintJobs/']) {
    expect(await preflight(path, PAGE)).toEqual([PAGE, 'apollographql-client-name,x-b3']);
    // Without the first of the two headers, the browser refuses.
    expect((await preflight(path, 'https://other.example'))[0]).toBeNull();
  }
});

const codesOf = (errors: readonly { extensions?: { [name: string]: unknown } }[]) =>
  errors.map(({ extensions }) => extensions?.['code']);

const CLIENTS: Record<string, (fetching: typeof fetch) => Client> = {
  '@urql/core': (fetching) => {
    const client = new UrqlClient({
      url: `${gateway.url}/graphql`,
      exchanges: [cacheExchange, fetchExchange],
      fetch: fetching,
    });
    const answer = ({ data, error }: { data?: unknown; error?: { graphQLErrors: { extensions?: object }[] } }) =>
      error ? codesOf(error.graphQLErrors as never) : data;
    return {
      query: async (document, variables = {}) => answer(await client.query(document, variables)),
      mutate: async (document, variables = {}) => answer(await client.mutation(document, variables)),
    };
  },
  '@apollo/client': (fetching) => {
    const client = new ApolloClient({
      link: new HttpLink({ uri: `${gateway.url}/graphql`, fetch: fetching }),
      cache: new InMemoryCache(),
    });
    const answer = (answering: Promise<{ data?: unknown }>) =>
      answering.then(
        ({ data }) => data,
        (error) => {
          if (!CombinedGraphQLErrors.is(error)) throw error;
          return codesOf(error.errors);
        },
      );
    return {
      query: (document, variables = {}) => answer(client.query({ query: gql(document), variables })),
      mutate: (document, variables = {}) => answer(client.mutate({ mutation: gql(document), variables })),
    };
  },
  'graphql-request': (fetching) => {
    const client = new GraphQLClient(`${gateway.url}/graphql`, { fetch: fetching });
    const request = (document: string, variables = {}) =>
      client.request(document, variables).catch((error) => {
        if (!(error instanceof ClientError)) throw error;
        return codesOf(error.response.errors ?? []);
      });
    return { query: request, mutate: request };
  },
};

const REGISTER = 'mutation ($input: RegisterCameraInput!) { registerCamera(input: $input) { id friendlyName } }';
const CAMERA = 'query ($id: ID!) { camera(id: $id) { id friendlyName } }';

describe.each(Object.entries(CLIENTS))('%s', (name, clientOf) => {
  test('writes, reads with variables, reads without, and is told the codes of errors', async () => {
    const client = clientOf(seen);
    const camera = { id: `of ${name}`, friendlyName: 'Door' };
    expect(await client.mutate(REGISTER, { input: camera })).toMatchObject({ registerCamera: camera });
    expect(await client.query(CAMERA, { id: camera.id })).toMatchObject({ camera });
    expect(await client.query('{ cameras { nodes { id } } }')).toMatchObject({
      cameras: { nodes: expect.arrayContaining([expect.objectContaining({ id: camera.id })]) },
    });
    expect(await client.mutate(REGISTER, { input: camera })).toEqual(['CONFLICT']);
    expect(await client.query(CAMERA, { id: '' })).toEqual(['BAD_USER_INPUT']);
    expect(await client.query('{ nothingOfThatName }')).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    const [read, write] = [name === '@urql/core' ? 'GET' : 'POST application/json', 'POST application/json'];
    expect(sent).toEqual([write, read, read, write, read, read]);
  });

  test('does so from a page whose origin is configured, and from no other page', async () => {
    const id = `from a page by ${name}`;
    const own = clientOf(fromPage(PAGE));
    expect(await own.mutate(REGISTER, { input: { id, friendlyName: 'Page' } })).toMatchObject({ registerCamera: {} });
    expect(await own.query(CAMERA, { id })).toMatchObject({ camera: { friendlyName: 'Page' } });
    const foreign = clientOf(fromPage('https://elsewhere.example'));
    for (const asked of [
      foreign.query('{ cameras { totalCount } }'),
      foreign.mutate(REGISTER, { input: { id: 'foreign', friendlyName: 'x' } }),
    ]) {
      // Apollo's client throws a refusal of the whole request, and the others give its code.
      expect(String(await asked.catch(String))).toMatch(/^BAD_REQUEST$|^FORBIDDEN$|^ServerError: .* 403$/);
    }
    expect(await own.query(CAMERA, { id: 'foreign' })).toMatchObject({ camera: null });
  });
});
