// Connects to Klipper through Moonraker's WebSocket: sends JSON-RPC requests one at a time, and passes notifications on as they arrive.

import { PRINTER_KINDS } from '../../kind-facts';
import { MAX_THUMBNAIL_BYTES } from '../../values/thumbnail';
import { ConnectionLifetime } from '../../wire/connection-lifetime';
import { LIMITS } from '../../wire/connection-limits';
import { dial } from '../../wire/dial';
import { Failure } from '../../wire/faults';
import { parseAddress } from '../../wire/machine-address';
import type { Network } from '../../wire/networks';
import { estimateBytes } from '../../wire/waiting-bytes';
import { openWebSocket } from '../../wire/web-socket';
import { type AskAnswer, awaitWithin, createAskQueue } from '../ask-queue';
import { HttpMachine } from '../http-connection';
import type { Ask } from '../machine-adapter';
import { type Connection, type Listener, type MachineLimits, PONG, type Target } from '../machine-connection';
import { memberAt, readMessage, toNumber } from '../message-values';
import { pickReadMembers } from './history';
import { findThumbnail } from './thumbnails';

/** The rows of the history in one request. A row with its metadata has 1 to 5 KB, so a thousand rows would exceed the size of a message. */
const ROWS_AT_A_TIME = 50;
const METHOD_NOT_FOUND = -32601;

export function connectMoonraker(
  target: Target,
  listener: Listener,
  network: Network,
  overrides: Partial<MachineLimits> = {},
): Connection {
  const limits = { ...LIMITS, ...overrides };
  const lifetime = new ConnectionLifetime(listener, limits);
  let send: (message: unknown) => void = () => {};
  let lastId = 0;
  let answered: (message: unknown) => void = () => {};

  /** Sends a request. An error of JSON-RPC counts as an answer. */
  function call(method: string, params: unknown): Promise<AskAnswer> {
    const id = ++lastId;
    const answer = new Promise<AskAnswer>((resolve) => {
      answered = (message) => {
        if (numberAt(message, 'id') !== id) return;
        const error = memberAt(message, 'error');
        resolve(error === undefined ? { body: memberAt(message, 'result') } : { body: error, failed: true });
      };
    });
    send({ jsonrpc: '2.0', method, params, id });
    return awaitWithin(limits.answerMs, answer).then((given) => {
      if (given.failed && isCredentialRefusal(given.body)) throw new Failure('CREDENTIALS_REFUSED');
      return given;
    });
  }

  async function readHistory({ source, parameters }: { source: string; parameters: Record<string, unknown> }) {
    const jobs: unknown[] = [];
    const maxRows = Number(parameters['limit']);
    while (jobs.length < maxRows) {
      const limit = Math.min(ROWS_AT_A_TIME, maxRows - jobs.length);
      const page = await call(source, { ...parameters, start: jobs.length, limit });
      const rows = memberAt(page.body, 'jobs');
      if (page.failed || !Array.isArray(rows)) return page;
      jobs.push(...rows.slice(0, limit).map(pickReadMembers));
      setWaitingBytes(estimateBytes(jobs));
      if (rows.length < limit) break;
    }
    return { body: { count: jobs.length, jobs } };
  }

  /** The picture of the file whose metadata was read last. */
  let thumbnail: { filename: string; path: string } | null = null;
  let pictures: HttpMachine | undefined;

  async function readThumbnail(filename: string): Promise<Buffer | null> {
    if (thumbnail?.filename !== filename) return null;
    const { secret } = target;
    const headers = { accept: 'image/png, image/jpeg', ...(secret !== null && { 'x-api-key': secret }) };
    try {
      pictures ??= new HttpMachine(target, { network, lifetime, limits, form: PRINTER_KINDS.MOONRAKER.address });
      return (await pictures.http.askForBytes(thumbnail.path, { headers }, MAX_THUMBNAIL_BYTES)).bytes;
    } catch {
      return null;
    }
  }

  async function answer(asked: Ask): Promise<AskAnswer> {
    if (asked.source === 'server.history.list') return readHistory(asked).finally(() => setWaitingBytes(0));
    const answer = await call(asked.source, asked.parameters).catch((error: unknown) => {
      // Moonraker waits for its Spoolman, which may be slower than Moonraker itself.
      const isLate = error instanceof Failure && error.fault === 'TIMED_OUT';
      if (isLate && asked.source === 'server.spoolman.proxy') return { body: null, failed: true };
      throw error;
    });
    const { filename } = asked.parameters;
    if (asked.source === 'server.files.metadata' && typeof filename === 'string') {
      const path = findThumbnail(filename, answer.body);
      thumbnail = path === null ? null : { filename, path };
    }
    return answer;
  }

  const setWaitingBytes = (bytes: number) => lifetime.meter.setWaitingBytes(bytes);
  const ask = createAskQueue(lifetime, answer);

  function receive(message: unknown): void {
    const method = memberAt(message, 'method');
    if (typeof method === 'string') lifetime.reportMessage({ source: method, body: memberAt(message, 'params') ?? [] });
    else answered(message);
  }

  lifetime.run(async () => {
    const endpoint = parseAddress(target.address, PRINTER_KINDS.MOONRAKER.address, network);
    const { signal, meter } = lifetime;
    const dialled = await dial(endpoint, { network, trusted: target.certificateFingerprint, signal, meter });
    // Until the machine has accepted the key, only answers are read and notifications are ignored.
    const whenConnected = (message: unknown) => (lifetime.isConnected ? receive(message) : answered(message));
    send = await openWebSocket(endpoint, '/websocket', dialled, {
      lifetime,
      limits,
      onMessage: whenConnected,
      onPong: () => lifetime.reportMessage(PONG),
    });
    const key = target.secret === null ? {} : { api_key: target.secret };
    const identified = await call('server.connection.identify', {
      client_name: 'Print Farm Gateway',
      version: '1',
      type: 'other',
      url: 'http://localhost/',
      ...key,
    });
    if (numberAt(identified.body, 'code') === METHOD_NOT_FOUND) throw new Failure('NOT_THIS_KIND');
    const server = await call('server.info', {});
    if (typeof memberAt(server.body, 'klippy_connected') !== 'boolean') throw new Failure('NOT_THIS_KIND');
    // While Klipper is away, this request fails, and the name stays unknown.
    const printer = await call('printer.info', {});
    lifetime.connected({
      name: readMessage(memberAt(printer.body, 'hostname')),
      model: null,
      serial: null,
      firmware:
        readMessage(memberAt(printer.body, 'software_version')) ??
        readMessage(memberAt(server.body, 'moonraker_version')),
      certificateFingerprint: dialled.certificateFingerprint,
    });
  });

  return {
    ask,
    setPrinting: () => {},
    readThumbnail,
    close: () => lifetime.close(),
  };
}

/** Moonraker reports refused credentials as 401, or with the code for wrong parameters and the word Unauthorized. */
const isCredentialRefusal = (error: unknown) =>
  numberAt(error, 'code') === 401 ||
  (numberAt(error, 'code') === -32602 && memberAt(error, 'message') === 'Unauthorized');

const numberAt = (value: unknown, member: string) => toNumber(memberAt(value, member));
