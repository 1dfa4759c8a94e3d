// Follows the HTTP request of a report, to find out whether its client has got the answer.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ReportExchange } from '../../farm/reported-uses/open-reports';

/** The first status of an error. A client repeats a report that was answered with an error. */
const FIRST_ERROR = 400;

/** Withdraws the answer of the last report of a connection. The next report on it shows that the client has got that answer. */
const withdrawals = new WeakMap<Socket, () => void>();

export function followExchange(response: ServerResponse): ReportExchange {
  const { socket } = response.req;
  const isOpen = () =>
    !response.writableEnded && !response.closed && !response.destroyed && !socket.destroyed && !socket.readableEnded;
  return {
    isOpen,
    onEnd(callBack) {
      let hasEnded = false;
      const end = (isAnswered: boolean) => {
        if (!hasEnded) callBack(isAnswered);
        hasEnded = true;
      };
      // A client that gives up closes its side, and may repeat its report at once: earlier than the response is closed.
      const giveUp = () => end(false);
      socket.once('end', giveUp);
      // The whole answer was passed to the operating system.
      response.once('finish', () => end(response.statusCode < FIRST_ERROR));
      response.once('close', () => {
        socket.removeListener('end', giveUp);
        end(false);
      });
      if (!isOpen()) end(false);
      // The operating system of a client that gave up resets the connection when the answer arrives.
      if (!withdrawals.has(socket)) socket.once('close', (hadError) => hadError && withdrawals.get(socket)?.());
      withdrawals.set(socket, () => callBack(false));
    },
  };
}
