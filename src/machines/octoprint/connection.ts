// Connects to OctoPrint's push socket, with a session that its REST API gives for the API key.

import { PRINTER_KINDS } from '../../kind-facts';
import { isJsonObject } from '../../values/json';
import { ConnectionLifetime } from '../../wire/connection-lifetime';
import { LIMITS } from '../../wire/connection-limits';
import { Failure } from '../../wire/faults';
import { requireGranted } from '../../wire/http-client';
import type { Network } from '../../wire/networks';
import { openWebSocket } from '../../wire/web-socket';
import { type AskAnswer, createAskQueue } from '../ask-queue';
import { HttpMachine, Polling } from '../http-connection';
import type { Ask } from '../machine-adapter';
import { type Connection, type Identity, type Listener, type MachineLimits, PONG, Target } from '../machine-connection';
import { memberAt, readMessage } from '../message-values';
import { SUBSCRIBED_EVENTS } from './status';

/**
 * The first message of OctoPrint has all temperatures of its graph. For five tools these are 300 KB for half an hour and 1.1 MB for
 * 4 hours, and twice as much if OctoPrint records them every 2 s. So its messages may be six times as large as the messages of other machines.
 */
const LARGER_MESSAGES = 6;

const SUBSCRIPTION = { state: { logs: false, messages: false }, events: SUBSCRIBED_EVENTS, plugins: false };
/** The time between two states, in half seconds. */
const THROTTLE = 4;
/** If OctoPrint refuses this many sessions in a row, it accepts none. */
const MAX_LOGINS = 3;

/** The connection does not wait longer for each of the two answers that may name the printer. */
const NAME_MS = 2_000;
/** The name that OctoPrint gives to the profile of every printer at first. */
const UNNAMED_PROFILE = 'Default';

/** How often the gateway checks whether OctoPrint still accepts the key. */
const OCTOPRINT_LIMITS = {
  ...LIMITS,
  checkMs: 60_000,
};

export function connectOctoPrint(
  target: Target,
  listener: Listener,
  network: Network,
  overrides: Partial<MachineLimits> = {},
): Connection {
  const usualLimits = { ...OCTOPRINT_LIMITS, ...overrides };
  const limits = { ...usualLimits, maxBytes: LARGER_MESSAGES * usualLimits.maxBytes };
  const lifetime = new ConnectionLifetime(listener, limits);
  const headers: Record<string, string> = target.secret === null ? {} : { 'x-api-key': target.secret };
  let machine: HttpMachine;
  let send: (message: unknown) => void = () => {};
  const checks = { pollMs: limits.checkMs, pollPrintingMs: limits.checkMs };
  const polling = new Polling(lifetime, checks, () => lifetime.run(check));
  let logins = 0;
  let isLoggingIn = false;

  async function logIn(): Promise<string> {
    if (++logins > MAX_LOGINS) throw new Failure('CREDENTIALS_REFUSED');
    const login = requireGranted(
      await machine.http.ask('/api/login', { method: 'POST', headers, body: { passive: true } }),
    );
    const [name, session] = [memberAt(login, 'name'), memberAt(login, 'session')];
    if (name === null) {
      // OctoPrint accepts a login without a key as the login of a guest, who has no name and no session.
      await readVersion();
      throw new Failure('CREDENTIALS_REFUSED');
    }
    if (typeof name !== 'string' || typeof session !== 'string') throw new Failure('NOT_THIS_KIND');
    return `${name}:${session}`;
  }

  async function logInAgain(): Promise<void> {
    isLoggingIn = true;
    send({ auth: await logIn() });
    isLoggingIn = false;
  }

  /** Reads the version. This also checks the API key: after a key is removed, OctoPrint would keep the session open. */
  async function readVersion(): Promise<{ body: unknown; text: string }> {
    const body = requireGranted(await machine.http.ask('/api/version', { headers }));
    const text = memberAt(body, 'text');
    if (typeof text !== 'string' || !text.startsWith('OctoPrint')) throw new Failure('NOT_THIS_KIND');
    return { body, text };
  }

  /** Reads the name in the settings of the appearance, or the name of the printer profile. Keys with few rights may read only the second. */
  async function readPrinterName(): Promise<string | null> {
    const settings = await readIfGranted('/api/settings');
    const name = readMessage(memberAt(settings, 'appearance', 'name'));
    if (name !== null) return name;
    const connection = await readIfGranted('/api/connection');
    const profiles = memberAt(connection, 'options', 'printerProfiles');
    const id = memberAt(connection, 'current', 'printerProfile');
    const profile = Array.isArray(profiles) ? profiles.find((candidate) => memberAt(candidate, 'id') === id) : null;
    const profileName = readMessage(memberAt(profile, 'name'));
    return profileName === UNNAMED_PROFILE ? null : profileName;
  }

  /** A name is not worth a failed connection. */
  const readIfGranted = (path: string): Promise<unknown> =>
    machine.http.ask(path, { headers, answerMs: NAME_MS }).then(
      ({ body }) => body,
      () => null,
    );

  const ask = createAskQueue(lifetime, async ({ source, parameters }: Ask): Promise<AskAnswer> => {
    const path = parameters['path'];
    const parts = typeof path === 'string' ? path.split('/') : [];
    // The machine sent this path, so it must not leave the folder of the files.
    if (parts.length === 0 || parts.some((part) => part === '' || part === '.' || part === '..')) return NOTHING;
    const answer = await machine.http.ask(source + parts.map(encodeURIComponent).join('/'), { headers });
    // A key may allow to read the state but not the files. The regular check finds out whether the key is still accepted.
    return answer.status === 404 || answer.status === 403 ? NOTHING : { body: requireGranted(answer) };
  });

  function receive(identity: Identity, message: unknown): void {
    if (memberAt(message, 'connected') !== undefined && !lifetime.isConnected) lifetime.connected(identity);
    if (memberAt(message, 'reauthRequired') !== undefined) {
      if (!isLoggingIn) lifetime.run(logInAgain);
    } else if (lifetime.isConnected) lifetime.reportMessage({ source: 'push', body: withoutTemperatures(message) });
  }

  lifetime.run(async () => {
    machine = new HttpMachine(target, {
      network,
      lifetime,
      limits: usualLimits,
      form: PRINTER_KINDS.OCTOPRINT.address,
    });
    const auth = await logIn();
    const { text } = await readVersion();
    const name = await readPrinterName();
    const dialled = await machine.dial();
    const { certificateFingerprint } = dialled;
    const identity = { name, model: null, serial: null, firmware: readMessage(text), certificateFingerprint };
    send = await openWebSocket(machine.endpoint, '/sockjs/websocket', dialled, {
      lifetime,
      limits,
      onMessage: (message) => receive(identity, message),
      onPong: () => lifetime.reportMessage(PONG),
    });
    for (const message of [{ auth }, { subscribe: SUBSCRIPTION }, { throttle: THROTTLE }]) send(message);
    polling.scheduleNext();
  });

  async function check(): Promise<void> {
    const { body } = await polling.readAnswer(readVersion);
    logins = 0;
    lifetime.reportMessage({ source: '/api/version', body });
  }

  return { ask, setPrinting: () => {}, close: () => lifetime.close() };
}

/** Removes the temperatures, which nothing reads and which are nearly all of the first message. */
function withoutTemperatures(message: unknown): unknown {
  const history = memberAt(message, 'history');
  return isJsonObject(history) ? { ...(message as object), history: { ...history, temps: [] } } : message;
}

const NOTHING: AskAnswer = { body: null, failed: true };
