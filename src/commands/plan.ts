// The command `plan`: sends what slicers say of prints to a running gateway, or writes it as JSON.

import { type Client, createClient, GatewayRequestError } from '../client/client';
import { readGateway, readSlicerOutput } from '../config';
import { RecordPlanDocument } from '../generated/operations';
import type { SlicerFile } from '../slicers/plan';
import { TooLarge } from '../slicers/read-bounds';
import { readPlan } from '../slicers/read-plan';
import { baseNameOf } from '../values/text';
import { timeoutSignal } from '../values/timers';
import { gatewayFailure } from './gateway-failures';

/** For all plates of a file. A slicer waits for it. */
const TIME_LIMIT_MS = 5000;
/** An answer has some hundred bytes. What answers may be another program, and its answer may have no end. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** How slicers call their own files before they have a name: `.4711.gcode.pp`, `.4711.0.gcode`. */
const NAMELESS = /^\.\d+(\.\d+)?(_encrypted)?\.gcode(\.pp)?$/;

interface PlanOptions {
  print?: boolean;
  name?: string;
}

const onLeftOut = (sentence: string) => console.error(sentence);

export async function plan(files: readonly string[], { print = false, name }: PlanOptions): Promise<void> {
  if (print) return printPlans(files);
  if (files.length > 1 && name !== undefined) throw new Error('Give one file with --name: two files have two names.');
  const slicerOutput = readSlicerOutput();
  const named = name ?? (files.length === 1 ? slicerOutput : null);
  try {
    await sendPlans(files.map((file) => ({ file, name: named ?? file })));
  } catch (error) {
    // A slicer that calls this as its script would not write the G-code, and the print can do without its plan.
    if (slicerOutput === null || !(error instanceof NotRecorded || error instanceof TooLarge)) throw error;
    console.error(`${error.message}\nThe plan is not recorded. The file is as it was.`);
  }
}

/** Nothing is written when one of the files cannot be read. */
async function printPlans(files: readonly string[]): Promise<void> {
  const lines: string[] = [];
  for (const file of files) lines.push(JSON.stringify(await readPlan(file, { onLeftOut })));
  console.log(lines.join('\n'));
}

/** The file can be read, and the settings can be right. */
class NotRecorded extends Error {}

async function sendPlans(files: readonly { file: string; name: string }[]): Promise<void> {
  const { url, key } = readGateway();
  const options = { url: `${url}/graphql`, ...(key !== null && { headers: { authorization: `Bearer ${key}` } }) };
  // Throws where no request can have this URL or this key.
  void new Request(options.url, options);
  const client = createClient({ ...options, fetch: shortAnswer });
  for (const { file, name } of files) {
    if (NAMELESS.test(baseNameOf(name)))
      throw new NotRecorded(`${name} is a name of the slicer's own: give --name, or send the file that it exports.`);
    const plates = platesOf(await readPlan(file, { layers: true, onLeftOut }), file);
    const recorded = await send(client, name, plates).catch((error: unknown) => {
      throw new NotRecorded(sentenceOf(error, url, key), { cause: error });
    });
    const numbers = plates.map(({ plate }) => plate).join(', ');
    console.log(`${file}: recorded as ${recorded}, plate ${numbers}`);
  }
}

function platesOf({ plates }: SlicerFile, file: string): SlicerFile['plates'] {
  const used = plates.filter(({ slots }) => slots.length > 0);
  if (used.length === 0) throw new NotRecorded(`${file}: it does not say how much filament it uses.`);
  return used;
}

/** One request for each plate: its table by layers may have 100 KB. @returns the name by which prints find them */
async function send(client: Client, fileName: string, plates: SlicerFile['plates']): Promise<string> {
  const signal = timeoutSignal(TIME_LIMIT_MS);
  let recorded = '';
  for (const plate of plates) {
    const data = await client.request(RecordPlanDocument, { input: { fileName, plates: [plate] } }, { signal });
    // Another program may answer with any JSON.
    const name: unknown = data.recordPlan?.name;
    if (typeof name !== 'string')
      throw new GatewayRequestError('the answer is not that of recordPlan', { status: 200 });
    recorded = name;
  }
  return recorded;
}

const shortAnswer: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  let bytes = 0;
  const limited = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(limited ?? null, response);
};

function sentenceOf(error: unknown, url: string, key: string | null): string {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `The gateway at ${url} did not answer within ${TIME_LIMIT_MS / 1000} seconds.`;
  // A gateway answers each request of GraphQL with data or with errors.
  if (error instanceof GatewayRequestError && error.status > 0 && error.errors.length === 0)
    return `What answers at ${url} is not the gateway (HTTP ${error.status}). GATEWAY_URL must be its address, such as http://192.168.1.5:4000.`;
  const failure = gatewayFailure(error, url, key, 'the scope write');
  return failure instanceof Error ? failure.message : String(failure);
}
