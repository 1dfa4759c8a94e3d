// Turns of the event loop for work that holds it for long.

let last = Promise.resolve();

/**
 * One item is worked on in each turn of the event loop, of all queues of the process together, so that other requests come
 * between. A body of a megabyte can take 0.05 s to be read, and a document of 5,000 tokens 0.2 s.
 */
export function turns(): () => Promise<void> {
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return last;
  };
}
