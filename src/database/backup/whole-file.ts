// Writes files and directories so that they are either complete or not there.
import { lstatSync, readlinkSync, renameSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

interface WholeFile {
  file: string;
  mode: number;
  /** The message that the process shows when a signal ends it. */
  stopped: string;
}

/**
 * Writes a file under another name and renames it when it is on the disk, so that its name always leads to a complete file: the
 * old one or the new one. A device or a pipe is written directly. Of a symbolic link, the file behind the link is replaced.
 */
export async function writeWholeFile<Result>(
  { file, mode, stopped }: WholeFile,
  write: (handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
  if (!isFile) return closeAfter(await open(file, 'w'), write);
  const whole = followLink(file);
  const unfinished = `${whole}.unfinished`;
  return removeUnlessDone(unfinished, stopped, async () => {
    const result = await closeAfter(await open(unfinished, 'w', mode), async (handle) => {
      const written = await write(handle);
      await handle.sync();
      return written;
    });
    renameSync(unfinished, whole);
    return result;
  });
}

/**
 * Removes the path if the work fails, or if SIGINT or SIGTERM ends the process before the work is done.
 * @param path null: there is nothing to remove
 */
export async function removeUnlessDone<Result>(
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

async function closeAfter<Result>(handle: FileHandle, write: (handle: FileHandle) => Promise<Result>): Promise<Result> {
  try {
    return await write(handle);
  } finally {
    await handle.close();
  }
}

/** The file behind a symbolic link. It may not exist yet. */
function followLink(file: string): string {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return file;
  return followLink(resolve(dirname(file), readlinkSync(file)));
}
