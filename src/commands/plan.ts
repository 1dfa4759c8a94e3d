// The command `plan`: sends what slicers say of prints to a running gateway, or writes it as JSON.

import { type Client, createClient, GatewayRequestError } from '../client/client';
import { readGateway, readSlicerOutput } from '../config';
import { RecordPlanDocument } from '../generated/operations';
import type { Plan } from '../plans/plan';
import { readPlan } from '../plans/read';
import { baseNameOf } from '../values/text';
import { timeoutSignal } from '../values/timers';
import { gatewayFailure } from './gateway-failures';

/** For all files of the command. A slicer waits for it. */
const TIME_LIMIT_MS = 5000;
/** How slicers call their own files before they have a name: `.4711.gcode.pp`, `.4711.0.gcode`. */
const NAMELESS = /^\.\d+(\.\d+)?(_encrypted)?\.gcode(\.pp)?$/;

interface PlanOptions {
  print?: boolean;
  name?: string;
}

export async function plan(files: readonly string[], { print = false, name }: PlanOptions): Promise<void> {
  if (print) return printPlans(files);
  if (files.length > 1 && name !== undefined) throw new Error('Give one file with --name: two files have two names.');
  const slicerOutput = readSlicerOutput();
  const named = name ?? (files.length === 1 ? slicerOutput : null);
  try {
    await sendPlans(files.map((file) => ({ file, name: named ?? file })));
  } catch (error) {
    // A slicer that calls this as its script would not write the G-code, and the print can do without its plan.
    if (slicerOutput === null || !(error instanceof NotRecorded)) throw error;
    console.error(`${error.message}\nThe plan is not recorded. The file is as it was.`);
  }
}

/** Nothing is written when one of the files cannot be read. */
async function printPlans(files: readonly string[]): Promise<void> {
  const lines: string[] = [];
  for (const file of files) lines.push(JSON.stringify(await readPlan(file)));
  console.log(lines.join('\n'));
}

/** For a reason that is not in the file and not in the settings. */
class NotRecorded extends Error {}

async function sendPlans(files: readonly { file: string; name: string }[]): Promise<void> {
  const { url, key } = readGateway();
  const client = createClient({
    url: `${url}/graphql`,
    ...(key !== null && { headers: { authorization: `Bearer ${key}` } }),
  });
  for (const { file, name } of files) {
    if (NAMELESS.test(baseNameOf(name)))
      throw new NotRecorded(`${name} is a name of the slicer's own: give --name, or send the file that it exports.`);
    const plates = platesOf(await readPlan(file, { layers: true }), file);
    const recorded = await send(client, name, plates).catch((error: unknown) => {
      throw failureOf(error, url, key);
    });
    const numbers = plates.map(({ plate }) => plate).join(', ');
    console.log(`${file}: recorded as ${recorded}, plate ${numbers}`);
  }
}

function platesOf({ plates }: Plan, file: string): Plan['plates'] {
  const used = plates.filter(({ slots }) => slots.length > 0);
  if (used.length === 0) throw new Error(`${file}: it does not say how much filament it uses.`);
  return used;
}

/** One request for each plate: its table by layers may have 100 KB. @returns the name by which prints find them */
async function send(client: Client, fileName: string, plates: Plan['plates']): Promise<string> {
  const signal = timeoutSignal(TIME_LIMIT_MS);
  let recorded = '';
  for (const plate of plates) {
    const { recordPlan } = await client.request(
      RecordPlanDocument,
      { input: { fileName, plates: [plate] } },
      { signal },
    );
    recorded = recordPlan.name;
  }
  return recorded;
}

function failureOf(error: unknown, url: string, key: string | null): unknown {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new NotRecorded(`The gateway at ${url} did not answer within ${TIME_LIMIT_MS / 1000} seconds.`);
  const failure = gatewayFailure(error, url, key, 'the scope write');
  const isAway =
    error instanceof GatewayRequestError && (error.status === 0 || error.status === 429 || error.status >= 500);
  return isAway ? new NotRecorded((failure as Error).message) : failure;
}
