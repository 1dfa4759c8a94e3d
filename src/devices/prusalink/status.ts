// What PrusaLink's answers say, read member by member: the status names the job by its id, the job names its file.
import type { Activity, Plan } from '../../print-rules/readings';
import { at, gramsOf, messageOf, mmOf, nameOf, partOf, pathOf, secondsOf, wholeOf, wholeSeconds } from '../bounds';
import { planOfTools } from '../tracking';
import { ACTIVITIES, STATES, type State } from './words';

export interface Status {
  state: State;
  activity: Activity;
  /** 16 bits on Buddy boards; 0 is an id. null: no job is named. */
  id: number | null;
  progress: string | null;
  remainingSec: number | null;
  printingSec: number | null;
  message: string | null;
}

export function statusOf(body: unknown): Status | null {
  const state = STATES.find((name) => name === at(body, 'printer', 'state'));
  if (state === undefined) return null;
  const job = at(body, 'job');
  const printer = at(body, 'printer', 'status_printer');
  return {
    state,
    activity: ACTIVITIES[state],
    id: wholeOf(at(job, 'id'), Number.MAX_SAFE_INTEGER),
    progress: partOf(at(job, 'progress'), 100),
    remainingSec: wholeSeconds(at(job, 'time_remaining')),
    printingSec: secondsOf(at(job, 'time_printing')),
    message: at(printer, 'ok') === false ? messageOf(at(printer, 'message')) : null,
  };
}

export interface Job {
  id: number;
  name: string;
  path: string | null;
  plan: Plan | null;
}

export function jobOf(body: unknown): Job | null {
  const id = wholeOf(at(body, 'id'), Number.MAX_SAFE_INTEGER);
  const file = at(body, 'file');
  const name = nameOf(at(file, 'display_name')) ?? nameOf(at(file, 'name'));
  if (id === null || name === null) return null;
  const folder = pathOf(at(file, 'path'));
  return { id, name, path: pathOf(folder === null ? name : `${folder}/${name}`), plan: planOf(at(file, 'meta')) };
}

/** Only the Raspberry tells of the slicer's amounts, as a number or a list of them by tool. */
function planOf(meta: unknown): Plan | null {
  const grams = amountsOf(at(meta, 'filament used [g]'), gramsOf);
  const mm = amountsOf(at(meta, 'filament used [mm]'), mmOf);
  const tools = Array.from({ length: Math.max(grams.length, mm.length) }, (_, tool) => ({
    ...{ tool, mm: mm[tool] ?? null, grams: grams[tool] ?? null },
  }));
  return planOfTools(tools, null);
}

function amountsOf(value: unknown, read: (value: unknown) => string | null): (string | null)[] {
  const parts = typeof value === 'string' ? value.split(',', 64).map((part) => part.trim()) : [value];
  return parts.map(read);
}
