// The topics of one target on its broker.

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export const statusTopic = (prefix: string) => `${prefix}/status`;
export const farmTopic = (prefix: string) => `${prefix}/farm`;
export const eventTopic = (prefix: string, type: string) => `${prefix}/events/${type}`;

/** Ids of cameras may hold the signs that divide and match topics. */
export const printerTopic = (prefix: string, id: string) => `${prefix}/printers/${encodeURIComponent(id)}`;
export const cameraTopic = (prefix: string, id: string) => `${prefix}/cameras/${encodeURIComponent(id)}`;

/** The topics that hold the objects of a farm. */
export const objectTopics = (prefix: string) => [`${prefix}/printers/+`, `${prefix}/cameras/+`];

/** The object of such a topic; undefined for any other topic. */
export function objectOf(prefix: string, topic: string): { type: 'printer' | 'camera'; id: string } | undefined {
  for (const type of ['printer', 'camera'] as const) {
    const begin = `${prefix}/${type}s/`;
    const id = topic.startsWith(begin) ? unescaped(topic.slice(begin.length)) : undefined;
    if (id !== undefined) return { type, id };
  }
  return undefined;
}
