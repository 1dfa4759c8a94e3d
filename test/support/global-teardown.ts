// After the tests: the server of the run is stopped.

export default async function tearDown(): Promise<void> {
  const server = globalThis.testServer;
  globalThis.testServer = undefined;
  await (await server)?.stop();
}
