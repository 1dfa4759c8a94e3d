// Reads the log of a running gateway, whose lines arrive up to 0.1 s after their events.
import type { RunningGateway } from './running-gateway';
import { until } from './waiting';

// biome-ignore lint/suspicious/noExplicitAny: what a line looks like is what the tests find out
export type Line = any;

type Logging = Pick<RunningGateway, 'url' | 'output'>;

function parseLogLines({ output }: Logging): Line[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

/** Waits for the line of a request. */
export function waitForLogLine(gateway: Logging, requestId: string | null): Promise<Line> {
  return until(
    `the log has the line of request ${requestId}`,
    () => parseLogLines(gateway),
    (lines) => lines.find((line) => line.requestId === requestId && line.msg === 'request'),
  );
}

/** Every line until now, at the level info or below. Lines arrive in order, so the line of one more request comes last. */
export async function readLogUntilNow(gateway: Logging): Promise<Line[]> {
  const last = await fetch(`${gateway.url}/nowhere`);
  await waitForLogLine(gateway, last.headers.get('x-request-id'));
  return parseLogLines(gateway);
}
