// Reads the content of a file in a zip file, within limits.
import { pipeline } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import type { Bounds } from './read-bounds';

const STORED = 0;

/** Checks the time for each chunk that is read, and counts the bytes of each chunk that is inflated, because a short read may inflate to many bytes. */
export async function* readEntry(zip: ZipFile, entry: Entry, bounds: Bounds): AsyncGenerator<Buffer> {
  if (!entry.canDecodeFileData())
    throw new Error(
      `its ${entry.fileName} is encrypted, or compressed in an unknown way. Export the file from the slicer again`,
    );
  bounds.expect(entry.uncompressedSize);
  const raw = await zip.openReadStreamPromise(entry, { decodeFileData: false });
  const read = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bounds.spend(0);
      yield chunk;
    }
  };
  const content = entry.compressionMethod === STORED ? raw : pipeline(raw, read, createInflateRaw(), () => {});
  for await (const chunk of content) {
    bounds.spend(chunk.length);
    yield chunk;
  }
}
