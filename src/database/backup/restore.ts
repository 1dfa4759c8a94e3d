// Restores a backup into an empty database of either kind, all of it or nothing, one piece of the file at a time.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { openDriver } from '../database';
import type { DatabaseTarget } from '../driver';
import { DUMP_END, DUMP_OPENING } from '../embedded/dump';
import { checkKeptTables } from './kept-tables';
import { removedUnlessDone } from './whole-file';

/** Each piece has its own COPY, which limits the memory of this process and of the database. */
const PIECE = 1 << 20;

/** A part of a dump: statements, or lines of rows with their COPY statement. */
type Part = { statements: string } | { copy: string; lines: Buffer };

/**
 * Returns the number of rows.
 * @param restored is called with the number of bytes of each part of the rows
 */
export async function restore(
  target: DatabaseTarget,
  file: string,
  restored = (_bytes: number) => {},
): Promise<number> {
  const rows = await rowsIn(file);
  const work = () => restoreInto(target, file, restored);
  if (target.kind !== 'directory' || existsSync(target.path)) await work();
  else await removedUnlessDone(target.path, 'The restore was stopped.', work);
  return rows;
}

async function restoreInto(target: DatabaseTarget, file: string, restored: (bytes: number) => void): Promise<void> {
  const driver = await openDriver(target);
  try {
    await driver.withSession(async (run, load) => {
      try {
        // The statements of the file begin the transaction, and its last line but one commits it.
        if (run.begin) await run(run.begin);
        for await (const part of partsOf(createReadStream(file, { highWaterMark: PIECE }))) {
          if ('copy' in part) {
            await load(part.copy, part.lines);
            restored(part.lines.length);
          } else {
            const end = part.statements.search(DUMP_END);
            await run(end < 0 ? part.statements : part.statements.slice(0, end));
            if (end < 0) continue;
            await checkKeptTables(run);
            await run('commit');
          }
        }
      } catch (error) {
        await run('rollback').catch(() => {});
        throw error;
      }
    });
  } finally {
    await driver.close();
  }
}

/** Read first, so that nothing is made for a file that is no backup, or of which a part is missing or changed. */
async function rowsIn(file: string): Promise<number> {
  const { end, rows, hash } = await endOf(file);
  const found = createHash('sha256');
  let lines = 0;
  const hashed = async function* () {
    for await (const chunk of createReadStream(file, { highWaterMark: PIECE, end: end - 1 })) {
      found.update(chunk);
      yield chunk as Buffer;
    }
  };
  for await (const part of partsOf(hashed())) if ('copy' in part) lines += linesIn(part.lines);
  if (lines !== rows) throw new Error(`${file} is not a whole backup: it has ${lines} rows, and had ${rows}.`);
  if (hash !== undefined && hash !== found.digest('hex')) {
    throw new Error(`${file} is not the backup that was written: lines are missing or changed.`);
  }
  return rows;
}

/** The begin of the last line, and the figures in it. */
async function endOf(file: string): Promise<{ end: number; rows: number; hash: string | undefined }> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const text = async (position: number, length: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
      return buffer.toString('utf8', 0, bytesRead);
    };
    if ((await text(0, DUMP_OPENING.length)) !== DUMP_OPENING) throw new Error(`${file} is not a backup of a gateway.`);
    const [, line, rows, hash] = DUMP_END.exec(await text(Math.max(0, size - 200), 200)) ?? [];
    if (line === undefined) throw new Error(`${file} is not a whole backup: its end is missing.`);
    return { end: size - line.length, rows: Number(rows), hash };
  } finally {
    await handle.close();
  }
}

/** COPY's text format writes a line break inside of a value as two characters. */
function linesIn(rows: Buffer): number {
  let lines = 0;
  for (let at = rows.indexOf(10); at >= 0; at = rows.indexOf(10, at + 1)) lines += 1;
  return lines;
}

/** The rows of a table are between a line of COPY and a line of `\.`, as in a dump by pg_dump. */
export async function* partsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Part> {
  let statements = '';
  let copy: string | undefined;
  for await (let lines of wholeLines(chunks)) {
    while (lines.length > 0) {
      if (copy !== undefined) {
        const end = endOfRows(lines);
        const rows = lines.subarray(0, end ?? lines.length);
        if (rows.length > 0) yield { copy, lines: rows };
        lines = lines.subarray(end === undefined ? lines.length : end + END_OF_ROWS.length);
        if (end !== undefined) copy = undefined;
      } else {
        const end = lines.indexOf(10) + 1 || lines.length;
        const line = lines.toString('utf8', 0, end);
        lines = lines.subarray(end);
        [, copy] = /^(COPY .+) FROM stdin;\n$/.exec(line) ?? [];
        if (copy === undefined) statements += line;
        else if (statements.trim() !== '') yield { statements };
        if (copy !== undefined) statements = '';
      }
    }
  }
  if (statements !== '') yield { statements };
}

const END_OF_ROWS = '\\.\n';

function endOfRows(lines: Buffer): number | undefined {
  if (lines.toString('latin1', 0, END_OF_ROWS.length) === END_OF_ROWS) return 0;
  const before = lines.indexOf(`\n${END_OF_ROWS}`);
  return before < 0 ? undefined : before + 1;
}

/** The same bytes, cut after the last line of each chunk. A line may be longer than a chunk. */
async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(10) + 1;
    if (end > 0) yield Buffer.concat([...begun, chunk.subarray(0, end)]);
    begun = end > 0 ? [chunk.subarray(end)] : [...begun, chunk];
  }
  yield Buffer.concat(begun);
}
