// Before the tests: one PostgreSQL server and one empty embedded database to copy, for all projects of the run.
import { makeEmbeddedTemplate } from './embedded-template';
import { startTestServer, type TestServer } from './test-server';

declare global {
  // Jest calls the setup and the teardown once per project, in one process.
  var testServer: Promise<TestServer> | undefined;
}

export default async function setUp(): Promise<void> {
  globalThis.testServer ??= startTestServer();
  // The environment is how the workers, which start later, learn of it.
  process.env['TEST_SERVER_URL'] = (await globalThis.testServer).url;
  process.env['TEST_EMBEDDED_TEMPLATE'] ??= await makeEmbeddedTemplate();
}
