// The command `export`: writes a report of a running gateway as CSV, into a file whole or not at all.
import { createWriteStream, lstatSync, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GatewayRequestError } from '../client/client';
import { readGateway } from '../config';
import { gatewayFailure } from './gateway-failures';
import { megabytes, showProgress } from './progress';

const CODES: Record<number, string> = { 401: 'UNAUTHENTICATED', 403: 'FORBIDDEN' };

export async function exportReport(name: string, parameters: Record<string, string>, file?: string): Promise<void> {
  const { url, key } = readGateway();
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  try {
    const address = new URL(`${url}/reports/${name}.csv`);
    address.search = String(new URLSearchParams(parameters));
    const body = await asked(address, key, stop.signal);
    await (file === undefined ? copy(body, process.stdout, !process.stdout.isTTY) : write(body, file));
  } catch (error) {
    // The reader of a pipe, such as `head`, wants no more.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    if (stop.signal.aborted) throw new Error('The export was stopped.', { cause: error });
    throw gatewayFailure(error, url, key, 'the scope read, for all cameras');
  }
}

async function asked(address: URL, key: string | null, signal: AbortSignal): Promise<Readable> {
  const headers = { ...(key !== null && { authorization: `Bearer ${key}` }) };
  const response = await fetch(address, { headers, signal }).catch((cause: unknown) => {
    throw new GatewayRequestError('no answer', { status: 0, cause });
  });
  const { ok, status, body } = response;
  if (ok && body) return Readable.fromWeb(body);
  const answer = (await response.json().catch(() => ({}))) as { error?: string };
  const message = answer.error ?? `HTTP ${status}`;
  const code = CODES[status];
  throw new GatewayRequestError(message, { status, errors: [{ message, ...(code && { extensions: { code } }) }] });
}

/** Under the file's name there is always a complete report. A device, a pipe or a link is written to, and stays. */
async function write(body: Readable, file: string): Promise<void> {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) return copy(body, createWriteStream(file), true);
  const unfinished = `${file}.unfinished`;
  try {
    await copy(body, createWriteStream(unfinished, { flush: true }), true);
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

async function copy(body: Readable, target: NodeJS.WritableStream, shown: boolean): Promise<void> {
  const progress = showProgress((bytes) => `${megabytes(bytes)} received`);
  const counted = async function* () {
    try {
      for await (const chunk of body) {
        if (shown) progress.add(chunk.length);
        yield chunk;
      }
    } catch (cause) {
      throw new Error('The download broke off: the report is not whole.', { cause });
    }
  };
  await pipeline(counted, target).finally(progress.end);
}
