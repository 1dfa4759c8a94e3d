// The content of a file in a zip, within bounds.
import { pipeline } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import type { Bounds } from './read-bounds';

const STORED = 0;

/** The bounds count bytes read and bytes inflated, because either may be large while the other is small. */
export async function* contentOf(zip: ZipFile, entry: Entry, bounds: Bounds): AsyncGenerator<Buffer> {
  if (!entry.canDecodeFileData())
    throw new Error(`its ${entry.fileName} is encrypted, or compressed in a way that is not known`);
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
