// After the tests: what the run shared is closed, and the templates of its databases are removed, with their server.

export default async function tearDown(): Promise<void> {
  await globalThis.testBrowser?.close();
  globalThis.testBrowser = undefined;
  const made = globalThis.testTemplates;
  globalThis.testTemplates = undefined;
  for (const templates of made?.values() ?? []) await (await templates).remove();
}
