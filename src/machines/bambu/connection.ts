// A Bambu Lab printer in the local network: MQTT over TLS, whose certificate is looked at before the access code is sent.

import { PRINTER_KINDS } from '../../kind-facts';
import { setTimeout } from '../../values/timers';
import { ConnectionLifetime } from '../../wire/connection-lifetime';
import { LIMITS } from '../../wire/connection-limits';
import { dial } from '../../wire/dial';
import { parseAddress } from '../../wire/machine-address';
import { openMqtt } from '../../wire/mqtt';
import type { Network } from '../../wire/networks';
import { readingJson } from '../../wire/received-json';
import { weightOf } from '../../wire/waiting-bytes';
import type { MachineMessage } from '../machine-adapter';
import type { Connection, Listener, Target } from '../machine-connection';
import { memberAt } from '../message-values';
import { identityOf, modulesOf, serialOf } from './identity';
import { isWholeState } from './merged-reports';

const USERNAME = 'bblp';
/** Both only read. */
const GET_VERSION = { info: { sequence_id: '1', command: 'get_version' } };
const PUSH_ALL = { pushing: { sequence_id: '2', command: 'pushall' } };
/** Messages before the printer has said what it is. */
const MAX_EARLY = 32;
/** A whole state of 40 KB takes five times as much in memory. */
const MAX_EARLY_BYTES = 1 << 20;

export function connectBambu(target: Target, listener: Listener, network: Network, limits = LIMITS): Connection {
  const lifetime = new ConnectionLifetime(listener, limits);
  let publish: (message: unknown) => void = () => {};
  let connected: (modules: unknown[]) => void = () => {};
  const early: MachineMessage[] = [];
  let earlyBytes = 0;
  let patience: NodeJS.Timeout | undefined;
  let isKnown = false;
  let heardAt = 0;
  let askedAt = 0;

  function hear(body: unknown): void {
    heardAt = performance.now();
    const push = memberAt(body, 'print');
    isKnown ||= push !== undefined && isWholeState(push) && memberAt(push, 'gcode_state') !== undefined;
    const message = { source: 'report', body };
    if (lifetime.isConnected) lifetime.heard(message);
    else waitForVersion(message);
  }

  function waitForVersion(message: MachineMessage): void {
    early.push(message);
    earlyBytes += weightOf(message.body, MAX_EARLY_BYTES);
    lifetime.meter.waits(earlyBytes);
    const modules = modulesOf(message.body);
    const isFull = early.length === MAX_EARLY || earlyBytes > MAX_EARLY_BYTES;
    if (modules !== undefined || isFull) connected(modules ?? []);
    else patience ??= setTimeout(() => connected([]), limits.versionMs);
  }

  function askForAll(): void {
    askedAt = performance.now();
    publish(PUSH_ALL);
  }

  /** A printer that is asked too often prints worse: P1 has a slow processor. */
  function pong(): void {
    if (!lifetime.isConnected) return;
    lifetime.heard({ source: 'pingresp', body: null });
    const now = performance.now();
    const isQuiet = now - heardAt >= limits.quietMs;
    if ((isQuiet || !isKnown) && now - askedAt >= limits.askAgainMs) askForAll();
    // The broker lives, and the printer behind it does not. It was asked two minutes ago.
    else if (heardAt < askedAt && now - askedAt >= 2 * limits.quietMs) lifetime.end('SILENT');
  }

  lifetime.onClose(() => clearTimeout(patience));
  lifetime.run(async () => {
    const endpoint = parseAddress(target.address, PRINTER_KINDS.BAMBU.address, network);
    const { secret, username, certificateFingerprint: trusted } = target;
    // An authority's certificate names the serial number, in any letters.
    const servername = trusted === null ? target.serial?.toLowerCase() : undefined;
    const dialled = await dial(endpoint, {
      network,
      trusted,
      servername,
      signal: lifetime.signal,
      meter: lifetime.meter,
    });
    const serial = serialOf(target, dialled);
    connected = (modules) => {
      clearTimeout(patience);
      lifetime.connected(identityOf(serial, modules, dialled.certificateFingerprint));
      for (const message of early.splice(0)) lifetime.heard(message);
      lifetime.meter.waits(0);
    };
    const topic = `device/${serial}/report`;
    const read = readingJson(lifetime, hear);
    const session = await openMqtt(
      dialled,
      { topics: [topic], username: username ?? USERNAME, password: secret ?? '' },
      {
        lifetime,
        limits,
        hear: (message) => message.topic === topic && read(message.payload),
        pong,
        notGranted: () => lifetime.end('WRONG_DEVICE'),
      },
    );
    // With a wrong serial number everything is taken, and nothing is heard.
    lifetime.answered(limits.firstMessageMs, 'WRONG_DEVICE');
    publish = (message) =>
      void session.publish(`device/${serial}/request`, JSON.stringify(message)).catch(() => undefined);
    publish(GET_VERSION);
    askForAll();
  });

  return { ask: () => {}, printing: () => {}, close: () => lifetime.close() };
}
