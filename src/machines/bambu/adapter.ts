// A Bambu Lab printer by its reports over MQTT: what each message adds to memory.
import type { Instant } from '../../values/instant';
import { type Adapter, type MachineMessage, withReadings } from '../machine-adapter';
import { memberAt } from '../message-values';
import { isWholeState, mergeReport } from './merged-reports';
import { type Memory, trackPrint } from './prints';
import { readCommand } from './status';

export const bambu: Adapter<Memory> = {
  start: ({ lastContactAt, name }, now) =>
    withReadings({
      openedAt: now,
      lastContactAt,
      ranBefore: name !== null,
      report: {},
      knowsState: false,
      sawIdle: false,
      namesBefore: [],
      waitsForNameSince: null,
      command: null,
      print: null,
    }),
  receive(memory, message, now) {
    const known = remember(memory, message, now);
    return known?.knowsState ? trackPrint(known, now) : withReadings(known ?? memory);
  },
};

/** null: the message says nothing of prints. */
function remember(memory: Memory, { source, body, failed }: MachineMessage, now: Instant): Memory | null {
  if (failed) return null;
  // The heartbeat: the time of a wait may be over.
  if (source === 'pingresp') return memory;
  const push = memberAt(body, 'print');
  if (source !== 'report' || typeof push !== 'object' || push === null) return null;
  const command = readCommand(push, memory.report, now);
  if (command !== null) return { ...memory, command };
  if (memberAt(push, 'command') !== 'push_status' && memberAt(push, 'command') !== undefined) return null;
  return {
    ...memory,
    report: mergeReport(memory.report, push),
    knowsState: memory.knowsState || reportsEnough(memory, push),
  };
}

/**
 * A delta leaves out most members. It is enough where the answer to pushall is lost: with the name of a new print, or with the
 * end of a print that ran.
 */
function reportsEnough({ ranBefore }: Memory, push: unknown): boolean {
  const state = memberAt(push, 'gcode_state');
  if (isWholeState(push) || memberAt(push, 'subtask_name') !== undefined) return typeof state === 'string';
  return ranBefore && (state === 'FINISH' || state === 'FAILED');
}
