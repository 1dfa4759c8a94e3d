// Runs the command `export`, which writes a report of a running gateway as CSV. It replaces a file only when the report is complete.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { GatewayRequestError } from '../client/client';
import { readGateway } from '../config';
import { writeWholeFile } from '../database/backup/whole-file';
import { gatewayFailure } from './gateway-failures';
import { megabytes, showProgress } from './progress';

const CODES: Record<number, string> = { 401: 'UNAUTHENTICATED', 403: 'FORBIDDEN' };

export async function exportReport(name: string, parameters: Record<string, string>, file?: string): Promise<void> {
  const { url, key } = readGateway();
  try {
    const address = new URL(`${url}/reports/${name}.csv`);
    address.search = String(new URLSearchParams(parameters));
    const body = await requestReport(address, key);
    if (file === undefined) await pipeline(withProgress(body, !process.stdout.isTTY), process.stdout);
    else {
      const stopped = 'The export was stopped. The file was not changed.';
      await writeWholeFile({ file, mode: 0o666, stopped }, async (handle) => {
        for await (const chunk of withProgress(body, true)) await handle.writeFile(chunk);
      });
    }
  } catch (error) {
    // The reader of a pipe, such as `head`, has closed it.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    throw gatewayFailure(error, url, key, 'the scope read, for all cameras');
  }
}

async function requestReport(address: URL, key: string | null): Promise<Readable> {
  const headers = { ...(key !== null && { authorization: `Bearer ${key}` }) };
  const response = await fetch(address, { headers }).catch((cause: unknown) => {
    throw new GatewayRequestError('no answer', { status: 0, cause });
  });
  const { ok, status, body } = response;
  if (ok && body) return Readable.fromWeb(body as ReadableStream);
  const answer = (await response.json().catch(() => ({}))) as { error?: string };
  const message = answer.error ?? `HTTP ${status}`;
  const code = CODES[status];
  throw new GatewayRequestError(message, { status, errors: [{ message, ...(code && { extensions: { code } }) }] });
}

async function* withProgress(body: Readable, isShown: boolean): AsyncGenerator<Buffer> {
  const progress = showProgress((bytes) => `${megabytes(bytes)} received`);
  try {
    for await (const chunk of body) {
      if (isShown) progress.add(chunk.length);
      yield chunk;
    }
  } catch (cause) {
    throw new Error(
      'The connection to the gateway was lost during the download, so the report is not complete. Try again.',
      {
        cause,
      },
    );
  } finally {
    progress.end();
  }
}
