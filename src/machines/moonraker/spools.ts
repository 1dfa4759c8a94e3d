// Reads which spools a printer with Moonraker uses: its active spool, the spools of its tools, or those of a filament unit.
import type {
  Obstacle,
  ReportedSlot,
  ReportedSpoolman,
  SpoolReport,
} from '../../farm/followed-spools/followed-spools.model';
import { type Instant, msBetween } from '../../values/instant';

import { type Ask, MAX_WAIT_MS, type MachineMessage } from '../machine-adapter';
import { copyText, memberAt, readName, readUnixTime, toNumber } from '../message-values';
import type { Job } from './history';

export const STATUS: Ask = { source: 'server.spoolman.status', parameters: {} };
/** Asks Moonraker's Spoolman, through Moonraker, which program it is. */
const INFO: Ask = {
  source: 'server.spoolman.proxy',
  parameters: { request_method: 'GET', path: '/v1/info', use_v2_response: true },
};
/** Between two questions to a Spoolman that does not answer. */
const ASK_AGAIN_MS = 30_000;

/** The largest number of a spool. */
const MAX_NUMBER = 2_147_483_647;
const MAX_TOOLS = 64;

/** What has the spools of the printer: the active spool, the macros of its tools, the gates of Happy Hare, or another unit. */
type Source = 'ACTIVE' | 'TOOLS' | 'GATES' | 'UNIT';

/** The numbers of spools by slot; `null` for no spool. */
type Numbers = Readonly<Record<string, number | null>>;

export interface SpoolMemory {
  /** Whether Moonraker has a Spoolman; `null` before it answered. */
  hasSpoolman: boolean | null;
  isConnected: boolean;
  active: number | null;
  /** The program that answers as Spoolman; `null` while it is unknown. A program that names no farm is not this gateway. */
  program: { farm: string | null } | null;
  askedAt: Instant | null;
  isAsking: boolean;
  /** `null` before the objects of the printer are listed. */
  source: Source | null;
  obstacle: Obstacle | null;
  tools: Numbers;
  gates: Numbers;
  /** The spool that alone was used by the latest prints, with the start of the first of them. Only until the machine changes a spool. */
  usedAlone: { number: number; since: Instant } | null;
  /** What was reported last, without its time. */
  reported: string | null;
}

export const NO_SPOOLS: SpoolMemory = {
  hasSpoolman: null,
  isConnected: false,
  active: null,
  program: null,
  askedAt: null,
  isAsking: false,
  source: null,
  obstacle: null,
  tools: {},
  gates: {},
  usedAlone: null,
  reported: null,
};

/** The macros that select a tool. */
const TOOL_MACRO = /^gcode_macro T(\d{1,2})$/i;
/** Objects of filament units that have their own numbering of slots, and whose spools the gateway does not follow. */
const OTHER_UNIT = /^(?:AFC(?:_.*)?|ace|box|box_extras|ercf|palette2|trad_rack)$/;

/** @param names the objects that the printer lists */
function readSource(names: readonly unknown[]): Pick<SpoolMemory, 'source' | 'obstacle'> {
  const unit = names.find((name) => typeof name === 'string' && OTHER_UNIT.test(name));
  if (unit !== undefined) return { source: 'UNIT', obstacle: { cause: 'UNIT', name: nameUnit(unit as string) } };
  if (names.includes('mmu')) return { source: 'GATES', obstacle: null };
  if (!names.includes('extruder1')) return { source: 'ACTIVE', obstacle: null };
  return { source: 'TOOLS', obstacle: listToolMacros(names).length === 0 ? { cause: 'NO_MACROS' } : null };
}

const nameUnit = (object: string) => (object.startsWith('AFC') ? 'AFC' : object.slice(0, 20));

export const listToolMacros = (names: readonly unknown[]): string[] =>
  names.filter((name): name is string => typeof name === 'string' && TOOL_MACRO.test(name)).slice(0, MAX_TOOLS);

/** Remembers what a message says about spools. Returns the same memory if it says nothing, and what to ask next. */
export function rememberSpools(
  spools: SpoolMemory,
  { source, body, failed }: MachineMessage,
  now: Instant,
): { spools: SpoolMemory; asks: Ask[] } {
  const first = Array.isArray(body) ? body[0] : undefined;
  switch (source) {
    case STATUS.source: {
      const active = failed ? undefined : readNumber(memberAt(body, 'spool_id') ?? null);
      if (active === undefined) return { spools: { ...spools, hasSpoolman: false }, asks: [] };
      return askProgram({ ...spools, hasSpoolman: true, active }, memberAt(body, 'spoolman_connected') === true, now);
    }
    case 'notify_spoolman_status_changed':
      return askProgram(spools, memberAt(first, 'spoolman_connected') === true, now);
    case INFO.source:
      return { spools: { ...spools, isAsking: false, program: readProgram(body, failed) ?? spools.program }, asks: [] };
    case 'notify_active_spool_set': {
      const active = readNumber(memberAt(first, 'spool_id') ?? null);
      return active === undefined ? nothingNew(spools) : nothingNew({ ...spools, active, usedAlone: null });
    }
    case 'printer.objects.list': {
      const names = memberAt(body, 'objects');
      return nothingNew(Array.isArray(names) ? { ...spools, ...readSource(names) } : spools);
    }
    case 'printer.objects.subscribe':
      return nothingNew(failed ? spools : mergeObjects(spools, memberAt(body, 'status')));
    case 'notify_status_update':
      return nothingNew(mergeObjects(spools, first));
    case 'notify_proc_stat_update': {
      const isDue =
        spools.program === null && !spools.isAsking && msBetween(spools.askedAt ?? now, now) >= ASK_AGAIN_MS;
      return isDue ? askProgram(spools, spools.isConnected, now) : nothingNew(spools);
    }
    default:
      return nothingNew(spools);
  }
}

const nothingNew = (spools: SpoolMemory) => ({ spools, asks: [] });

/** A Spoolman that Moonraker does not reach keeps its program: another one needs a restart of Moonraker. */
function askProgram(spools: SpoolMemory, isConnected: boolean, now: Instant) {
  if (!isConnected || spools.hasSpoolman !== true) return nothingNew({ ...spools, isConnected });
  return { spools: { ...spools, isConnected, isAsking: true, askedAt: now }, asks: [INFO] };
}

/** @returns `null` if the program did not answer */
function readProgram(body: unknown, failed: boolean | undefined): SpoolMemory['program'] {
  const info = memberAt(body, 'response') ?? body;
  if (failed || (memberAt(body, 'error') ?? null) !== null || typeof info !== 'object' || info === null) return null;
  return { farm: readName(memberAt(info, 'farm')) };
}

/** Reads the number of a spool: 0 and a negative number mean none. @returns `undefined` for anything that is not a number */
function readNumber(value: unknown): number | null | undefined {
  if (value === null || value === '') return null;
  const number = toNumber(value);
  if (!Number.isInteger(number) || number > MAX_NUMBER) return undefined;
  return number > 0 ? number : null;
}

function mergeObjects(spools: SpoolMemory, delta: unknown): SpoolMemory {
  if (spools.source !== 'TOOLS' && spools.source !== 'GATES') return spools;
  const tools = spools.source === 'TOOLS' ? { ...spools.tools, ...readTools(delta) } : spools.tools;
  const gates = spools.source === 'GATES' ? { ...spools.gates, ...readGates(delta) } : spools.gates;
  const isChanged = JSON.stringify([tools, gates]) !== JSON.stringify([spools.tools, spools.gates]);
  const wasKnown = Object.keys(spools.tools).length + Object.keys(spools.gates).length > 0;
  return isChanged ? { ...spools, tools, gates, usedAlone: wasKnown ? null : spools.usedAlone } : spools;
}

function readTools(delta: unknown): Numbers {
  const objects = typeof delta === 'object' && delta !== null ? Object.keys(delta) : [];
  return Object.fromEntries(
    objects.flatMap((object) => {
      const [, tool] = TOOL_MACRO.exec(object) ?? [];
      const value = memberAt(delta, object, 'spool_id');
      const number = tool === undefined || value === undefined ? undefined : readNumber(value);
      return number === undefined ? [] : [[copyText(`tool:${Number(tool)}`), number] as const];
    }),
  );
}

function readGates(delta: unknown): Numbers {
  const gates = memberAt(delta, 'mmu', 'gate_spool_id');
  if (!Array.isArray(gates)) return {};
  return Object.fromEntries(
    gates.slice(0, MAX_TOOLS).flatMap((value, gate) => {
      const number = readNumber(value);
      return number === undefined ? [] : [[`mmu:${gate}`, number] as const];
    }),
  );
}

/** Finds the spool that the latest prints since the last contact used alone. */
export function findUsedAlone(
  jobs: readonly Job[],
  since: Instant | null,
  now: Instant,
  clockOffMs: number | null,
): SpoolMemory['usedAlone'] {
  let found: SpoolMemory['usedAlone'] = null;
  for (const { spoolIds, startedSec } of jobs.toReversed()) {
    const [number, ...others] = spoolIds ?? [];
    const startedAt = readUnixTime(startedSec, now, clockOffMs);
    if (number === undefined || others.length > 0 || (found !== null && found.number !== number)) break;
    if (startedAt === null || (since !== null && startedAt < since)) break;
    found = { number, since: startedAt };
  }
  return found;
}

/** Whether Moonraker is asked for its Spoolman and may still answer. */
export const waitsForProgram = ({ isAsking, askedAt }: SpoolMemory, now: Instant): boolean =>
  isAsking && askedAt !== null && msBetween(askedAt, now) < MAX_WAIT_MS;

interface RunningPrint {
  isPrinting: boolean;
  /** The start of the print if it has used no filament yet. */
  usesNothingSince: Instant | null;
}

/** Returns a report if anything has changed since the last report. */
export function reportSpools(
  spools: SpoolMemory,
  { isPrinting, usesNothingSince }: RunningPrint,
  now: Instant,
): { spools: SpoolMemory; report?: SpoolReport } {
  if (spools.hasSpoolman === null) return { spools };
  const slots = spools.hasSpoolman ? listSlots(spools, usesNothingSince) : [];
  const spoolman = spools.hasSpoolman ? toReportedSpoolman(spools) : null;
  // Macros clear the active spool before their print has ended. The spool then stays in its slot until the end.
  const waits = isPrinting && spools.source === 'ACTIVE' && spools.active === null;
  const reported = JSON.stringify({ slots: slots.map(({ slot, spool }) => [slot, spool]), spoolman, waits });
  if (reported === spools.reported) return { spools };
  return { spools: { ...spools, reported }, report: { at: now, slots, isPrinting: waits, spoolman } };
}

function listSlots(
  { source, active, tools, gates, usedAlone }: SpoolMemory,
  usesNothingSince: Instant | null,
): ReportedSlot[] {
  const numbers: Numbers =
    source === 'ACTIVE' ? { 'tool:0': active } : source === 'TOOLS' ? tools : source === 'GATES' ? gates : {};
  return Object.entries(numbers).map(([slot, number]) => ({
    slot,
    spool: number === null ? null : { number },
    chosenAt: usedAlone !== null && usedAlone.number === number ? usedAlone.since : null,
    usesNothingSince,
  }));
}

const toReportedSpoolman = ({ active, program, source, obstacle }: SpoolMemory): ReportedSpoolman => ({
  ...(program && { farm: program.farm }),
  activeNumber: active,
  activeSlot: source === 'ACTIVE' ? 'tool:0' : null,
  obstacle,
});
