// Connects to PrusaLink and polls it over HTTP, one request at a time, because a Buddy board has only three connections for all clients.

import pLimit from 'p-limit';
import { PRINTER_KINDS } from '../../kind-facts';
import { MAX_THUMBNAIL_BYTES } from '../../values/thumbnail';
import { ConnectionLifetime } from '../../wire/connection-lifetime';
import { LIMITS } from '../../wire/connection-limits';
import { Failure } from '../../wire/faults';
import { type HttpAnswer, requireGranted } from '../../wire/http-client';
import type { Network } from '../../wire/networks';
import { type AskAnswer, createAskQueue } from '../ask-queue';
import { HttpMachine, Polling } from '../http-connection';
import type { Ask } from '../machine-adapter';
import type { Connection, Listener, MachineLimits, Target } from '../machine-connection';
import { memberAt, readMessage } from '../message-values';
import { answerChallenge, type Challenge, readChallenge } from './digest-authentication';
import { findThumbnail } from './status';

/** The user name of every Buddy board. */
const USERNAME = 'maker';
const STATUS: Ask = { source: '/api/v1/status', parameters: {} };
const JOB = '/api/v1/job';

type Head = Pick<HttpAnswer, 'status' | 'headers'>;

/** How often PrusaLink is polled, while it prints and otherwise. */
const PRUSALINK_LIMITS = {
  ...LIMITS,
  pollPrintingMs: 5_000,
  pollMs: 15_000,
};

export function connectPrusaLink(
  target: Target,
  listener: Listener,
  network: Network,
  overrides: Partial<MachineLimits> = {},
): Connection {
  const limits = { ...PRUSALINK_LIMITS, ...overrides };
  const lifetime = new ConnectionLifetime(listener, limits);
  const credentials = { username: target.username ?? USERNAME, password: target.secret ?? '' };
  let machine: HttpMachine;
  /** The digest challenge to answer; `null` as long as the printer accepts the password as an API key. */
  let challenge: Challenge | null = null;
  let count = 0;
  /** The picture of the file in the last answer about the job. */
  let thumbnail: { filePath: string; path: string } | null = null;
  const polling = new Polling(lifetime, limits, () => ask(STATUS));

  function authorize(path: string): Record<string, string> {
    if (challenge !== null) {
      const request = { method: 'GET', uri: path, count: ++count };
      return { authorization: answerChallenge(challenge, credentials, request) };
    }
    // A header cannot contain a password with other characters, but a digest can be made of it.
    const isKey = /^[\x21-\x7e]+$/.test(credentials.password);
    return isKey ? { 'x-api-key': credentials.password } : {};
  }

  const isRefused = ({ status }: Head) => status === 401 || status === 403;
  const get = (path: string) => askSigned(path, (headers) => machine.http.ask(path, { headers }));

  async function askSigned<Answer extends Head>(
    path: string,
    sendWith: (headers: Record<string, string>) => Promise<Answer>,
  ): Promise<Answer> {
    const send = () => sendWith(authorize(path));
    const first = await send();
    if (!isRefused(first) || target.secret === null) return first;
    const wasDigest = challenge !== null;
    // PrusaLink refuses a wrong API key without a challenge, so the gateway asks once more without a key.
    const newChallenge =
      readChallenge(first.headers['www-authenticate']) ??
      readChallenge((await machine.http.ask(path)).headers['www-authenticate']);
    // If the nonce was not stale, a new nonce does not make a wrong password right.
    if (newChallenge === null || (wasDigest && !newChallenge.stale)) throw new Failure('CREDENTIALS_REFUSED');
    [challenge, count] = [newChallenge, 0];
    return send();
  }

  /** A nonce counts its requests in their order, so a picture waits for its turn. */
  const oneAtATime = pLimit(1);
  const ask = createAskQueue(lifetime, (asked) => oneAtATime(() => answer(asked)));

  async function answer({ source }: Ask): Promise<AskAnswer> {
    if (source === STATUS.source) return { body: await status() };
    const given = await get(source);
    if (source === JOB) thumbnail = findThumbnail(given.body);
    // 204: the printer no longer has a job.
    return given.status === 204 || given.status === 404
      ? { body: null, failed: true }
      : { body: requireGranted(given) };
  }

  async function readThumbnail(filePath: string): Promise<Buffer | null> {
    if (thumbnail?.filePath !== filePath) return null;
    const { path } = thumbnail;
    const read = (headers: Record<string, string>) =>
      machine.http.askForBytes(path, { headers: { accept: 'image/png, image/jpeg', ...headers } }, MAX_THUMBNAIL_BYTES);
    return oneAtATime(() => askSigned(path, read)).then(
      ({ bytes }) => bytes,
      () => null,
    );
  }

  const status = () => polling.readAnswer(async () => requireGranted(await get(STATUS.source)));

  lifetime.run(async () => {
    machine = new HttpMachine(target, { network, lifetime, limits, form: PRINTER_KINDS.PRUSALINK.address });
    const version = requireGranted(await get('/api/version'));
    if (!/prusa/i.test(readMessage(memberAt(version, 'text')) ?? '')) throw new Failure('NOT_THIS_KIND');
    const info = requireGranted(await get('/api/v1/info'));
    lifetime.connected({
      // PrusaLink on a Raspberry Pi has a name that its owner gave. All printers have a host name.
      name:
        readMessage(memberAt(info, 'name')) ??
        readMessage(memberAt(version, 'hostname')) ??
        readMessage(memberAt(info, 'hostname')),
      model: readMessage(memberAt(version, 'original')),
      serial: readMessage(memberAt(info, 'serial')),
      firmware: readMessage(memberAt(version, 'firmware')) ?? readMessage(memberAt(version, 'server')),
      certificateFingerprint: machine.certificateFingerprint,
    });
    ask(STATUS);
  });

  return {
    ask,
    setPrinting: (isPrinting) => polling.setPrinting(isPrinting),
    readThumbnail,
    close: () => lifetime.close(),
  };
}
