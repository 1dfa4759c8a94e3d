// Turns the farm's own fields and the ids in other programs into facts of a page.

/** The fields by their keys. A text is shown without its quotation marks, and any other value as JSON. */
export const extraFacts = (extra: readonly { key: string; value: string }[]): Record<string, string> =>
  Object.fromEntries(extra.map(({ key, value }) => [`Field “${key}”`, formatJson(value)]));

/** "spoolman 12" */
export const formatExternalIds = (ids: readonly { source: string; id: string }[]): string =>
  ids.map(({ source, id }) => `${source} ${id}`).join(', ');

function formatJson(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : json;
  } catch {
    return json;
  }
}
