// The generated documents in the clients that other apps use: each sends a query with variables and a mutation, typed.
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { print } from 'graphql';
import { GraphQLClient } from 'graphql-request';
import * as generated from '../../src/generated/operations';
import { CameraDetailDocument, RegisterCameraDocument } from '../../src/generated/operations';
import { type RunningGateway, runGateway } from '../support/running-gateway';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await runGateway();
});
afterAll(() => gateway?.stop());

const inputOf = (id: string) => ({ id, friendlyName: `Camera of ${id}`, macAddress: null });
/** What a client has read, as the types of the documents have it. */
type Written = generated.RegisterCameraMutation['registerCamera'] | undefined;
type Read = generated.CameraDetailQuery['camera'] | undefined;

function expectBoth(id: string, written: Written, read: Read): void {
  expect(written).toMatchObject(inputOf(id));
  expect(read).toMatchObject({ ...inputOf(id), lastStatus: null, history: [] });
}

test('Apollo Client', async () => {
  const client = new ApolloClient({
    link: new HttpLink({ uri: `${gateway.url}/graphql` }),
    cache: new InMemoryCache(),
  });
  const input = inputOf('apollo');
  const written = await client.mutate({ mutation: RegisterCameraDocument, variables: { input } });
  const read = await client.query({ query: CameraDetailDocument, variables: { id: 'apollo', records: 5 } });
  expectBoth('apollo', written.data?.registerCamera, read.data?.camera);
  // @ts-expect-error the variables are typed
  const wrong = () => client.query({ query: CameraDetailDocument, variables: { id: 1 } });
  expect(wrong).toBeInstanceOf(Function);
});

test('urql', async () => {
  const client = new Client({ url: `${gateway.url}/graphql`, exchanges: [fetchExchange], preferGetMethod: false });
  const written = await client.mutation(RegisterCameraDocument, { input: inputOf('urql') }).toPromise();
  const read = await client.query(CameraDetailDocument, { id: 'urql', records: 5 }).toPromise();
  expect([written.error, read.error]).toEqual([undefined, undefined]);
  expectBoth('urql', written.data?.registerCamera, read.data?.camera);
  // @ts-expect-error the variables are typed
  const wrong = () => client.query(CameraDetailDocument, { id: 1 });
  expect(wrong).toBeInstanceOf(Function);
});

test('graphql-request', async () => {
  const client = new GraphQLClient(`${gateway.url}/graphql`);
  const { registerCamera } = await client.request(RegisterCameraDocument, { input: inputOf('request') });
  const { camera } = await client.request(CameraDetailDocument, { id: 'request', records: 5 });
  expectBoth('request', registerCamera, camera);
  // @ts-expect-error the variables are typed
  const wrong = () => client.request(CameraDetailDocument, { id: 1 });
  expect(wrong).toBeInstanceOf(Function);
});

test('every document carries the text that a client would print', () => {
  const documents = Object.entries(generated).filter(([name]) => name.endsWith('Document'));
  expect(documents.length).toBeGreaterThan(10);
  for (const [, document] of documents) expect(document.loc.source.body).toBe(print(document));
});
