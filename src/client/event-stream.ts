// Reads the answers in an event stream of the gateway, which has the format of graphql-sse.
import { type Answer, makeRequestError, parseAnswer, throwIncomplete } from './request-error.js';

/** A part of a stream. A beat only shows that the connection is still open. */
export type StreamPart<Result> = 'beat' | 'complete' | Answer<Result>;

export async function* readEvents<Result>(response: Response): AsyncGenerator<StreamPart<Result>> {
  const { body, status } = response;
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ''; ; ) {
    const { done, value } = await reader.read().catch((cause: unknown) => throwIncomplete(status, cause));
    if (done) return;
    const events = (text + value).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const [, name] = /^event: (.*)$/m.exec(event) ?? [];
      const [, data] = /^data: (.*)$/m.exec(event) ?? [];
      if (event.startsWith(':')) yield 'beat';
      else if (name === 'complete') yield 'complete';
      else if (name === 'next' && data !== undefined) {
        const answer = parseAnswer<Result>(data);
        if (!answer) throw makeRequestError(answer, { status });
        yield answer;
      }
    }
  }
}
