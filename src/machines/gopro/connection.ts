// Connects to a GoPro and polls it over HTTP, through its USB cable or through the network that the camera was set up for (COHN).

import { CAMERA_KINDS } from '../../kind-facts';
import { isJsonObject } from '../../values/json';
import { ConnectionLifetime } from '../../wire/connection-lifetime';
import { LIMITS } from '../../wire/connection-limits';
import { Failure } from '../../wire/faults';
import { type HttpAnswer, requireGranted } from '../../wire/http-client';
import type { Network } from '../../wire/networks';
import { createAskQueue } from '../ask-queue';
import { HttpMachine, Polling } from '../http-connection';
import type { Ask } from '../machine-adapter';
import type { Connection, Identity, Listener, MachineLimits, Target } from '../machine-connection';
import { memberAt, readMessage } from '../message-values';
import { STATE_PATHS } from './status';

/** Old cameras take up to 45 s for an answer, and the gateway needs four answers to connect. */
export const GOPRO_LIMITS = {
  ...LIMITS,
  connectMs: 240_000,
  answerMs: 60_000,
  pollMs: 30_000,
  pollPrintingMs: 10_000,
};
/** Even an old camera opens a socket quickly. */
const DIAL_MS = LIMITS.connectMs;

/** The user name that COHN creates. */
const USERNAME = 'gopro';
const WIRED_USB = '/gopro/camera/control/wired_usb?p=1';
/** Some HERO9 have only the second path, and a HERO10 answers nothing at the first. */
const INFO_PATHS = ['/gopro/camera/info', '/gp/gpControl/info'];

export function connectGoPro(
  target: Target,
  listener: Listener,
  network: Network,
  overrides: Partial<MachineLimits> = {},
): Connection {
  const limits = { ...GOPRO_LIMITS, ...overrides };
  const lifetime = new ConnectionLifetime(listener, limits);
  const headers = toAuthorization(target);
  let machine: HttpMachine;
  let state: Ask;

  const get = (path: string): Promise<HttpAnswer> => machine.http.ask(path, { headers });

  async function readState(): Promise<unknown> {
    const body = requireGranted(await get(state.source));
    if (!isJsonObject(memberAt(body, 'status'))) throw new Failure('PROTOCOL_ERROR');
    return body;
  }

  const ask = createAskQueue(lifetime, async () => ({ body: await polling.readAnswer(readState) }));
  const polling = new Polling(lifetime, limits, () => ask(state));

  /** Reads the first state, and remembers the path at which this camera has its state. */
  async function findState(): Promise<unknown> {
    for (const source of STATE_PATHS) {
      state = { source, parameters: {} };
      const answer = await get(source);
      if (answer.status === 404) continue;
      const body = requireGranted(answer);
      if (!isJsonObject(memberAt(body, 'status'))) break;
      return body;
    }
    throw new Failure('NOT_THIS_KIND');
  }

  async function identify(): Promise<Identity> {
    const { certificateFingerprint } = machine;
    for (const path of INFO_PATHS) {
      const { body } = await get(path).catch(() => NOTHING);
      const info = memberAt(body, 'info') ?? body;
      const model = readMessage(memberAt(info, 'model_name'));
      const serial = readMessage(memberAt(info, 'serial_number'));
      if (model === null && serial === null) continue;
      return {
        // The name of its Wi-Fi network, which the owner can change in the app.
        name: readMessage(memberAt(info, 'ap_ssid')),
        model,
        serial,
        firmware: readMessage(memberAt(info, 'firmware_version')),
        certificateFingerprint,
      };
    }
    return { name: null, model: null, serial: null, firmware: null, certificateFingerprint };
  }

  lifetime.run(async () => {
    const { address: form } = CAMERA_KINDS.OPEN_GOPRO;
    machine = new HttpMachine(target, { network, lifetime, limits, form, usesBasicAuth: true, dialMs: DIAL_MS });
    // A camera refuses this if wired control is already on, or is not needed. If nothing answers, the next request fails too.
    if (!machine.endpoint.secure) await get(WIRED_USB).catch(() => NOTHING);
    const body = await findState();
    lifetime.connected(await identify());
    lifetime.reportMessage({ source: state.source, body });
    polling.scheduleNext();
  });

  return { ask, setPrinting: (isPrinting) => polling.setPrinting(isPrinting), close: () => lifetime.close() };
}

const NOTHING = { body: null };

/** Returns HTTP Basic credentials for COHN. Over USB there is no password. */
function toAuthorization({ username, secret }: Target): Record<string, string> {
  if (secret === null) return {};
  return { authorization: `Basic ${Buffer.from(`${username ?? USERNAME}:${secret}`).toString('base64')}` };
}
