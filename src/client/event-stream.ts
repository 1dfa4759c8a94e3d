// Reads the answers of an event stream of the gateway, as graphql-sse sends them.
import { type Answer, answerIn, brokenOff, failureOf } from './request-error.js';

/** What a stream brings. A beat shows that the connection lasts. */
export type StreamPart<Result> = 'beat' | 'complete' | Answer<Result>;

export async function* answersOf<Result>(response: Response): AsyncGenerator<StreamPart<Result>> {
  const { body, status } = response;
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ''; ; ) {
    const { done, value } = await reader.read().catch((cause: unknown) => brokenOff(status, cause));
    if (done) return;
    const events = (text + value).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const [, name] = /^event: (.*)$/m.exec(event) ?? [];
      const [, data] = /^data: (.*)$/m.exec(event) ?? [];
      if (event.startsWith(':')) yield 'beat';
      else if (name === 'complete') yield 'complete';
      else if (name === 'next' && data !== undefined) {
        const answer = answerIn<Result>(data);
        if (!answer) throw failureOf(answer, { status });
        yield answer;
      }
    }
  }
}
