// After the tests, closes what the run shared and removes the templates of its databases with their server.

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
