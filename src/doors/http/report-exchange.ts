// Follows the HTTP request of a report, to find out whether its client has got the answer.
import type { ServerResponse } from 'node:http';
import type { ReportExchange } from '../../farm/reported-uses/open-reports';

/** The first status of an error. A client repeats a report that was answered with an error. */
const FIRST_ERROR = 400;

export function followExchange(response: ServerResponse): ReportExchange {
  const isOpen = () =>
    !response.writableEnded && !response.closed && !response.destroyed && response.socket?.destroyed !== true;
  return {
    isOpen,
    onEnd(callBack) {
      let hasEnded = false;
      const end = (isAnswered: boolean) => {
        if (!hasEnded) callBack(isAnswered);
        hasEnded = true;
      };
      // The whole answer was passed to the operating system.
      response.once('finish', () => end(response.statusCode < FIRST_ERROR));
      response.once('close', () => end(false));
      if (!isOpen()) end(false);
    },
  };
}
