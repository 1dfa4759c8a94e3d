// Runs the command `plan`, which reads the slicer's estimates in print files, and sends them to a running gateway or shows them as JSON.

import { type Client, createClient, GatewayRequestError } from '../client/client';
import { readGateway, readSlicerOutput } from '../config';
import { RecordPlanDocument } from '../generated/operations';
import type { SlicerFile } from '../slicers/plan';
import { TooLarge } from '../slicers/read-bounds';
import { readPlan } from '../slicers/read-plan';
import { takeBaseName } from '../values/text';
import { createTimeoutSignal } from '../values/timers';
import { gatewayFailure } from './gateway-failures';

/** The time limit for all plates of a file. It is short because the slicer waits for this command. */
const TIME_LIMIT_MS = 5000;
/** The gateway answers with a few hundred bytes. Another program at this address may send an answer without an end. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** The names of temporary files of slicers, before a file gets its final name: `.4711.gcode.pp`, `.4711.0.gcode`. */
const NAMELESS = /^\.\d+(\.\d+)?(_encrypted)?\.gcode(\.pp)?$/;

interface PlanOptions {
  print?: boolean;
  name?: string;
}

const onLeftOut = (sentence: string) => console.error(sentence);

export async function plan(files: readonly string[], { print = false, name }: PlanOptions): Promise<void> {
  if (print) return printPlans(files);
  if (files.length > 1 && name !== undefined) {
    throw new Error('The option --name works with one file only. Run the command once for each file.');
  }
  const slicerOutput = readSlicerOutput();
  const named = name ?? (files.length === 1 ? slicerOutput : null);
  try {
    await sendPlans(files.map((file) => ({ file, name: named ?? file })));
  } catch (error) {
    // If this script failed, the slicer would not write the G-code. The print does not need the plan.
    if (slicerOutput === null || !(error instanceof NotRecorded || error instanceof TooLarge)) throw error;
    console.error(`${error.message}\nThe plan was not recorded. The file itself was not changed.`);
  }
}

/** Shows nothing if one of the files cannot be read. */
async function printPlans(files: readonly string[]): Promise<void> {
  const lines: string[] = [];
  for (const file of files) lines.push(JSON.stringify(await readPlan(file, { onLeftOut })));
  console.log(lines.join('\n'));
}

/** The plan could not be recorded, although the file can be read and the settings may be right. */
class NotRecorded extends Error {}

async function sendPlans(files: readonly { file: string; name: string }[]): Promise<void> {
  const { url, key } = readGateway();
  const options = { url: `${url}/graphql`, ...(key !== null && { headers: { authorization: `Bearer ${key}` } }) };
  // Throws if no request can have this URL or this key.
  void new Request(options.url, options);
  const client = createClient({ ...options, fetch: fetchShortAnswer });
  for (const { file, name } of files) {
    if (NAMELESS.test(takeBaseName(name)))
      throw new NotRecorded(
        `${name} is the temporary name of a slicer. Give the name on the printer with --name, or send the exported file.`,
      );
    const plates = selectUsedPlates(await readPlan(file, { layers: true, thumbnails: true, onLeftOut }), file);
    const recorded = await send(client, name, plates).catch((error: unknown) => {
      throw new NotRecorded(makeSentence(error, url, key), { cause: error });
    });
    const numbers = plates.map(({ plate }) => plate).join(', ');
    console.log(`${file}: recorded as ${recorded}, plate ${numbers}.`);
  }
}

function selectUsedPlates({ plates }: SlicerFile, file: string): SlicerFile['plates'] {
  const used = plates.filter(({ slots }) => slots.length > 0);
  if (used.length === 0) {
    throw new NotRecorded(`${file} does not state how much filament the print uses, so there is no plan to record.`);
  }
  return used;
}

/** Sends one request for each plate, because the table of layers of a plate may have 100 KB. @returns the name that a print must have to find them */
async function send(client: Client, fileName: string, plates: SlicerFile['plates']): Promise<string> {
  const signal = createTimeoutSignal(TIME_LIMIT_MS);
  let recorded = '';
  for (const plate of plates) {
    const data = await client.request(RecordPlanDocument, { input: { fileName, plates: [plate] } }, { signal });
    // Another program at this address may answer with any JSON.
    const name: unknown = data.recordPlan?.name;
    if (typeof name !== 'string') throw new GatewayRequestError('The answer has no recordPlan', { status: 200 });
    recorded = name;
  }
  return recorded;
}

const fetchShortAnswer: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  let bytes = 0;
  const limited = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > MAX_ANSWER_BYTES) throw new Error('The answer is too long');
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(limited ?? null, response);
};

function makeSentence(error: unknown, url: string, key: string | null): string {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `The gateway at ${url} did not answer within ${TIME_LIMIT_MS / 1000} seconds. Check that it is running, and try again.`;
  // The gateway answers every GraphQL request with data or with errors.
  if (error instanceof GatewayRequestError && error.status > 0 && error.errors.length === 0)
    return `The program at ${url} is not the gateway (it answers with HTTP ${error.status}). Set GATEWAY_URL to the address of the gateway, such as http://192.168.1.5:4000.`;
  const failure = gatewayFailure(error, url, key, 'the scope write');
  return failure instanceof Error ? failure.message : String(failure);
}
