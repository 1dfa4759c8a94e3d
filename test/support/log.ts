// The log of a running gateway, whose lines come up to 0.1 s after their events.
import type { RunningGateway } from './running-gateway';
import { until } from './waiting';

// biome-ignore lint/suspicious/noExplicitAny: what a line looks like is what the tests find out
export type Line = any;

type Logging = Pick<RunningGateway, 'url' | 'output'>;

function linesOf({ output }: Logging): Line[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

/** The line that tells of the request. */
export function lineOf(gateway: Logging, requestId: string | null): Promise<Line> {
  return until(
    `the log has the line of request ${requestId}`,
    () => linesOf(gateway),
    (lines) => lines.find((line) => line.requestId === requestId && line.msg === 'request'),
  );
}

/** Every line until now, at the level info or below: they come in order, so that one more request's line comes last. */
export async function logUntilNow(gateway: Logging): Promise<Line[]> {
  const last = await fetch(`${gateway.url}/nowhere`);
  await lineOf(gateway, last.headers.get('x-request-id'));
  return linesOf(gateway);
}
