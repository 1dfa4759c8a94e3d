// Decides what each MQTT report of a Bambu Lab printer adds to memory.
import type { Instant } from '../../values/instant';
import { type Adapter, type MachineMessage, withReadings } from '../machine-adapter';
import { memberAt } from '../message-values';
import { isWholeState, mergeReport } from './merged-reports';
import { type Memory, trackPrint } from './prints';
import { readCommand } from './status';
import { mergeTags, NO_TAGS, reportTags } from './tags';

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
      tags: NO_TAGS,
    }),
  receive(memory, message, now) {
    const remembered = remember(memory, message, now);
    if (!remembered?.knowsState) return withReadings(remembered ?? memory);
    const { tags, report } = reportTags(remembered.tags, now);
    const output = trackPrint({ ...remembered, tags }, now);
    return report === undefined ? output : { ...output, spools: report };
  },
};

/** Adds a message to memory. Returns `null` if the message is not about prints. */
function remember(memory: Memory, { source, body, failed }: MachineMessage, now: Instant): Memory | null {
  if (failed) return null;
  // The answer to a ping is the clock of the adapter: a wait may have ended.
  if (source === 'pingresp') return memory;
  const push = memberAt(body, 'print');
  if (source !== 'report' || typeof push !== 'object' || push === null) return null;
  const command = readCommand(push, memory.report, now);
  if (command !== null) return { ...memory, command };
  if (memberAt(push, 'command') !== 'push_status' && memberAt(push, 'command') !== undefined) return null;
  return {
    ...memory,
    report: mergeReport(memory.report, push),
    tags: mergeTags(memory.tags, push),
    knowsState: memory.knowsState || reportsEnough(memory, push),
  };
}

/**
 * Whether the reports so far are enough to judge the printer. A delta leaves out most members. If the answer to pushall is lost, a delta
 * is enough if it has the name of a new print, or the end of the print that was running.
 */
function reportsEnough({ ranBefore }: Memory, push: unknown): boolean {
  const state = memberAt(push, 'gcode_state');
  if (isWholeState(push) || memberAt(push, 'subtask_name') !== undefined) return typeof state === 'string';
  return ranBefore && (state === 'FINISH' || state === 'FAILED');
}
