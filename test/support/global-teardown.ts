// After the tests: the templates of the run are removed, with their server.

export default async function tearDown(): Promise<void> {
  const templates = globalThis.testTemplates;
  globalThis.testTemplates = undefined;
  await (await templates)?.remove();
}
