// After the tests: what the run shared is closed, and the templates of its databases are removed, with their server.

export default async function tearDown(): Promise<void> {
  const { testBrowser, testTemplates } = globalThis;
  globalThis.testBrowser = undefined;
  globalThis.testTemplates = undefined;
  try {
    await testBrowser?.close();
  } finally {
    for (const templates of testTemplates?.values() ?? []) await (await templates).remove();
  }
}
