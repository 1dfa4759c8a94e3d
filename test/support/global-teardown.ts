// After the tests: the templates of the run are removed, with their server.

export default async function tearDown(): Promise<void> {
  const made = globalThis.testTemplates;
  globalThis.testTemplates = undefined;
  for (const templates of made?.values() ?? []) await (await templates).remove();
}
