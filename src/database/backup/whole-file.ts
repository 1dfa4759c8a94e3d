// Files and directories that are made whole or not at all.
import { lstatSync, readlinkSync, renameSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

interface WholeFile {
  file: string;
  mode: number;
  /** The sentence of a process that a signal ends. */
  stopped: string;
}

/**
 * Under the file's name there is always a complete file: the previous one until the new one is on the disk. A device or a
 * pipe is written to, and stays; so does a link, whose file is replaced.
 */
export async function wholeFile<Result>(
  { file, mode, stopped }: WholeFile,
  write: (handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
  if (!isFile) return withHandle(await open(file, 'w'), write);
  const whole = targetOf(file);
  const unfinished = `${whole}.unfinished`;
  return removedUnlessDone(unfinished, stopped, async () => {
    const result = await withHandle(await open(unfinished, 'w', mode), async (handle) => {
      const written = await write(handle);
      await handle.sync();
      return written;
    });
    renameSync(unfinished, whole);
    return result;
  });
}

/**
 * Removes the path when the work fails, and when SIGINT or SIGTERM ends the process before it is done.
 * @param path null when there is nothing to remove
 */
export async function removedUnlessDone<Result>(
  path: string | null,
  stopped: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const remove = () => path !== null && rmSync(path, { recursive: true, force: true });
  const stop = () => {
    remove();
    console.error(stopped);
    process.exit(1);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    return await work();
  } catch (error) {
    remove();
    throw error;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

async function withHandle<Result>(handle: FileHandle, write: (handle: FileHandle) => Promise<Result>): Promise<Result> {
  try {
    return await write(handle);
  } finally {
    await handle.close();
  }
}

/** The file behind a link, which may not exist yet. */
function targetOf(file: string): string {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return file;
  return targetOf(resolve(dirname(file), readlinkSync(file)));
}
