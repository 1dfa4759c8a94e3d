// Connects to a Bambu Lab printer in the local network with MQTT over TLS, and checks its certificate before it sends the access code.

import { PRINTER_KINDS } from '../../kind-facts';
import { setTimeout } from '../../values/timers';
import { ConnectionLifetime } from '../../wire/connection-lifetime';
import { LIMITS } from '../../wire/connection-limits';
import { dial } from '../../wire/dial';
import { parseAddress } from '../../wire/machine-address';
import { openMqtt } from '../../wire/mqtt';
import type { Network } from '../../wire/networks';
import { createJsonReader } from '../../wire/received-json';
import { estimateBytes } from '../../wire/waiting-bytes';
import type { MachineMessage } from '../machine-adapter';
import type { Connection, Listener, MachineLimits, Target } from '../machine-connection';
import { memberAt } from '../message-values';
import { findSerial, readModules, toIdentity } from './identity';
import { isWholeState } from './merged-reports';

const USERNAME = 'bblp';
/** Both requests only read. */
const GET_VERSION = { info: { sequence_id: '1', command: 'get_version' } };
const PUSH_ALL = { pushing: { sequence_id: '2', command: 'pushall' } };
/** The most messages that wait until the printer has reported its model and version. */
const MAX_EARLY = 32;
/** A whole state of 40 KB takes five times as much memory. */
const MAX_EARLY_BYTES = 1 << 20;

/** The waits for a printer that pushes its state and is asked only rarely. */
const BAMBU_LIMITS = {
  ...LIMITS,
  firstMessageMs: 60_000,
  versionMs: 1_000,
  quietMs: 60_000,
  askAgainMs: 5 * 60_000,
};

export function connectBambu(
  target: Target,
  listener: Listener,
  network: Network,
  overrides: Partial<MachineLimits> = {},
): Connection {
  const limits = { ...BAMBU_LIMITS, ...overrides };
  const lifetime = new ConnectionLifetime(listener, limits);
  let publish: (message: unknown) => void = () => {};
  let reportConnected: (modules: unknown[]) => void = () => {};
  const earlyMessages: MachineMessage[] = [];
  let earlyBytes = 0;
  let versionTimer: NodeJS.Timeout | undefined;
  let knowsWholeState = false;
  let lastMessageAt = 0;
  let askedAt = 0;

  function receive(body: unknown): void {
    lastMessageAt = performance.now();
    const push = memberAt(body, 'print');
    knowsWholeState ||= push !== undefined && isWholeState(push) && memberAt(push, 'gcode_state') !== undefined;
    const message = { source: 'report', body };
    if (lifetime.isConnected) lifetime.reportMessage(message);
    else waitForVersion(message);
  }

  function waitForVersion(message: MachineMessage): void {
    earlyMessages.push(message);
    earlyBytes += estimateBytes(message.body, MAX_EARLY_BYTES);
    lifetime.meter.setWaitingBytes(earlyBytes);
    const modules = readModules(message.body);
    const isFull = earlyMessages.length === MAX_EARLY || earlyBytes > MAX_EARLY_BYTES;
    if (modules !== undefined || isFull) reportConnected(modules ?? []);
    else versionTimer ??= setTimeout(() => reportConnected([]), limits.versionMs);
  }

  function askForAll(): void {
    askedAt = performance.now();
    publish(PUSH_ALL);
  }

  /** Asks a quiet printer for its state, but rarely: the P1 has a slow processor and prints worse if it is asked too often. */
  function handlePong(): void {
    if (!lifetime.isConnected) return;
    lifetime.reportMessage({ source: 'pingresp', body: null });
    const now = performance.now();
    const isQuiet = now - lastMessageAt >= limits.quietMs;
    if ((isQuiet || !knowsWholeState) && now - askedAt >= limits.askAgainMs) askForAll();
    // The broker answers, but the printer behind it did not answer a request within two minutes.
    else if (lastMessageAt < askedAt && now - askedAt >= 2 * limits.quietMs) lifetime.end('SILENT');
  }

  lifetime.onClose(() => clearTimeout(versionTimer));
  lifetime.run(async () => {
    const endpoint = parseAddress(target.address, PRINTER_KINDS.BAMBU.address, network);
    const { secret, username, certificateFingerprint: trusted } = target;
    // A certificate that an authority signed names the serial number, in upper or lower case.
    const servername = trusted === null ? target.serial?.toLowerCase() : undefined;
    const dialled = await dial(endpoint, {
      network,
      trusted,
      servername,
      signal: lifetime.signal,
      meter: lifetime.meter,
    });
    const serial = findSerial(target, dialled);
    reportConnected = (modules) => {
      clearTimeout(versionTimer);
      lifetime.connected(toIdentity(serial, modules, dialled.certificateFingerprint));
      for (const message of earlyMessages.splice(0)) lifetime.reportMessage(message);
      lifetime.meter.setWaitingBytes(0);
    };
    const topic = `device/${serial}/report`;
    const read = createJsonReader(lifetime, receive);
    const session = await openMqtt(
      dialled,
      { topics: [topic], username: username ?? USERNAME, password: secret ?? '' },
      {
        lifetime,
        limits,
        onMessage: (message) => message.topic === topic && read(message.payload),
        onPong: handlePong,
        onTopicRefused: () => lifetime.end('WRONG_DEVICE'),
      },
    );
    // With a wrong serial number the broker accepts everything, but no message arrives.
    lifetime.extendDeadline(limits.firstMessageMs, 'WRONG_DEVICE');
    publish = (message) =>
      void session.publish(`device/${serial}/request`, JSON.stringify(message)).catch(() => undefined);
    publish(GET_VERSION);
    askForAll();
  });

  return { ask: () => {}, setPrinting: () => {}, close: () => lifetime.close() };
}
