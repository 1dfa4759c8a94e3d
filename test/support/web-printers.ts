// Starts fake printers without a broker (Moonraker, OctoPrint and PrusaLink), and connects to each as the gateway does.

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
import { closeAfterEach, createTarget, DeviceSession, LOOPBACK } from './device-session';

const CONNECTS = { MOONRAKER: connectMoonraker, OCTOPRINT: connectOctoPrint, PRUSALINK: connectPrusaLink };
export type Kind = keyof typeof CONNECTS;

/** Sends what a test wants on its sockets. */
export class ScriptedMoonraker extends FakeMoonraker {
  say(act: (client: WebSocket) => void): void {
    for (const client of this.clients) act(client);
  }
}

/** Keeps what it receives. */
export class RecordingOctoPrint extends FakeOctoPrint {
  readonly received: unknown[] = [];
  readonly paths: string[] = [];
  refusesSessions = false;
  temps: object[] = [];

  protected override handleMessage(client: WebSocket, message: unknown): void {
    this.received.push(message);
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

const closed = closeAfterEach();

export async function startFake<Fake extends FakeMoonraker | FakeOctoPrint | FakePrusaLink>(fake: Fake): Promise<Fake> {
  await fake.listen(0);
  return closed(fake);
}
export const startMoonraker = () => startFake(new ScriptedMoonraker({ secret: 'key' }));
export const startOctoPrint = () => startFake(new RecordingOctoPrint({ secret: 'key' }));
export const startPrusaLink = (login: Login = 'KEY', secret = 'key') => startFake(new FakePrusaLink({ secret, login }));
export const FAKES = { MOONRAKER: startMoonraker, OCTOPRINT: startOctoPrint, PRUSALINK: startPrusaLink };

const QUICK = { pollMs: 20, pollPrintingMs: 20 };

/** The `limits` of the result can be changed, and count from the next request on. */
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
  const listening = new DeviceSession(kind, createTarget(address, { secret }), {
    connect: (target, listener, its) => CONNECTS[kind](target, listener, its, all),
    network,
  });
  return Object.assign(closed(listening), { limits: all });
}

export const countMessages = (source: string) => (listening: DeviceSession) =>
  listening.messages.filter((message) => message.source === source).length;
