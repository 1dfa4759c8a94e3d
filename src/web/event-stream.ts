// Reads the answers of an event stream of the gateway, as graphql-sse sends them.

export interface StreamedAnswer<Result> {
  data?: Result | null;
  errors?: { message: string; path?: readonly (string | number)[]; extensions?: { code?: string } }[];
}

/** The gateway sends a comment every 12 seconds. A stream that is silent for longer is dead. */
const MAX_SILENCE_MS = 30_000;

/** @param abort ends a stream that is dead */
export async function* answersOf<Result>(
  response: Response,
  abort: () => void,
): AsyncGenerator<'open' | 'complete' | StreamedAnswer<Result>> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let silence: ReturnType<typeof setTimeout> | undefined;
  const listen = () => {
    clearTimeout(silence);
    silence = setTimeout(abort, MAX_SILENCE_MS);
  };
  try {
    listen();
    yield 'open';
    for (let text = ''; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      listen();
      const events = (text + value).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const [, name] = /^event: (.*)$/m.exec(event) ?? [];
        const [, data] = /^data: (.*)$/m.exec(event) ?? [];
        if (name === 'complete') yield 'complete';
        else if (name === 'next' && data !== undefined) yield JSON.parse(data) as StreamedAnswer<Result>;
      }
    }
  } finally {
    clearTimeout(silence);
  }
}
