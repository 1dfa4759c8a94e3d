// Fake printers without a broker, and a connection of the gateway to each: Moonraker, OctoPrint and PrusaLink.

import type { WebSocket } from 'ws';
import { FakeMoonraker } from '../../src/demo/machines/moonraker';
import { FakeOctoPrint } from '../../src/demo/machines/octoprint';
import { FakePrusaLink, type Login } from '../../src/demo/machines/prusalink';
import type { MachineLimits } from '../../src/machines/machine-connection';
import { memberAt } from '../../src/machines/message-values';
import { connectMoonraker } from '../../src/machines/moonraker/connection';
import { connectOctoPrint } from '../../src/machines/octoprint/connection';
import { connectPrusaLink } from '../../src/machines/prusalink/connection';
import { LIMITS } from '../../src/wire/connection-limits';
import { closedAfterEach, Listening, LOOPBACK, targetOf } from './device-listening';

const CONNECTS = { MOONRAKER: connectMoonraker, OCTOPRINT: connectOctoPrint, PRUSALINK: connectPrusaLink };
export type Kind = keyof typeof CONNECTS;

/** Says what a test wants on its sockets. */
export class Lying extends FakeMoonraker {
  say(act: (client: WebSocket) => void): void {
    for (const client of this.clients) act(client);
  }
}

/** Writes down what it is sent. */
export class Noting extends FakeOctoPrint {
  readonly heard: unknown[] = [];
  readonly paths: string[] = [];
  refusesSessions = false;
  temps: object[] = [];

  protected override handleMessage(client: WebSocket, message: unknown): void {
    this.heard.push(message);
    if (memberAt(message, 'auth') !== undefined && this.temps.length > 0)
      this.send(client, { history: { temps: this.temps } });
    if (this.refusesSessions) this.send(client, { reauthRequired: { reason: 'stale' } });
    else super.handleMessage(client, message);
  }

  protected override answer(...[request, path]: Parameters<FakeOctoPrint['answer']>) {
    this.paths.push(path);
    return super.answer(request, path);
  }
}

const closed = closedAfterEach();

export async function started<Fake extends FakeMoonraker | FakeOctoPrint | FakePrusaLink>(fake: Fake): Promise<Fake> {
  await fake.listen(0);
  return closed(fake);
}
export const moonraker = () => started(new Lying({ secret: 'key' }));
export const octoprint = () => started(new Noting({ secret: 'key' }));
export const prusalink = (login: Login = 'KEY', secret = 'key') => started(new FakePrusaLink({ secret, login }));
export const FAKES = { MOONRAKER: moonraker, OCTOPRINT: octoprint, PRUSALINK: prusalink };

const QUICK = { pollMs: 20, pollPrintingMs: 20 };

/** Its `limits` may be changed, and count from the next question on. */
export function listen(
  kind: Kind,
  address: string,
  {
    secret = 'key',
    network = LOOPBACK,
    ...limits
  }: Partial<MachineLimits> & {
    secret?: string | null;
    network?: typeof LOOPBACK;
  } = {},
) {
  const all = { ...LIMITS, ...QUICK, ...limits };
  const listening = new Listening(kind, targetOf(address, { secret }), {
    connect: (target, listener, its) => CONNECTS[kind](target, listener, its, all),
    network,
  });
  return Object.assign(closed(listening), { limits: all });
}

export const count = (source: string) => (listening: Listening) =>
  listening.messages.filter((message) => message.source === source).length;
