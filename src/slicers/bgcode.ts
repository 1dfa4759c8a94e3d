// Binary G-code of PrusaSlicer: a header of 10 bytes, then blocks. Its metadata is read. Blocks of G-code are never decoded.
import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { bytesAt } from './file-ends';
import { Comments } from './gcode-comments';
import type { PlateAmounts } from './plan';
import { type Bounds, TooLarge } from './read-bounds';
import { readPrusa } from './slicers/prusa';

export const BGCODE_SIGN = 'GCDE';
const HEADER_BYTES = 10;
const VERSION = 1;
/** G-code blocks come after all metadata. */
const GCODE = 1;
const PRINTER_METADATA = 3;
const PRINT_METADATA = 4;
const THUMBNAIL = 5;
const STORED = 0;
const DEFLATE = 1;
/** Real metadata has some 30 KB. */
const MAX_METADATA_BYTES = 1024 * 1024;
/** Real files have some 10 blocks before their G-code. */
const MAX_BLOCKS = 1000;

interface Block {
  type: number;
  compression: number;
  size: number;
  dataAt: number;
  dataBytes: number;
  next: number;
}

export async function amountsOfBgcode(file: FileHandle, size: number, bounds: Bounds): Promise<PlateAmounts> {
  const header = await bytesAt(file, 0, HEADER_BYTES);
  if (header.length < HEADER_BYTES) throw new Error('the header of the bgcode is cut off');
  if (header.readUInt32LE(4) !== VERSION) throw new Error('it is bgcode of another version than 1');
  const checksumBytes = header.readUInt16LE(8) === 0 ? 0 : 4;
  const texts = new Map<number, string>();
  let at = HEADER_BYTES;
  for (let count = 0; at < size; count += 1) {
    if (count === MAX_BLOCKS) throw new TooLarge(`its bgcode has more than ${MAX_BLOCKS} blocks before the G-code`);
    const block = await blockAt(file, at, checksumBytes);
    bounds.spend(Math.min(block.dataBytes, MAX_METADATA_BYTES));
    if (block.type === GCODE) break;
    if (block.next > size) throw new Error('a block of its bgcode is longer than the file: it is cut off or damaged');
    if (block.type === PRINTER_METADATA || block.type === PRINT_METADATA) {
      texts.set(block.type, await metadataOf(file, block));
    }
    at = block.next;
  }
  if (texts.size === 0) throw new Error('its bgcode has no metadata of a print');
  // Both hold the same names; those of the print are the last.
  const { seconds, slots } = readPrusa(
    Comments.ofMetadata([texts.get(PRINTER_METADATA), texts.get(PRINT_METADATA)].join('\n')),
  );
  return { seconds, slots };
}

async function blockAt(file: FileHandle, at: number, checksumBytes: number): Promise<Block> {
  const bytes = await bytesAt(file, at, 12);
  const compression = bytes.length < 8 ? STORED : bytes.readUInt16LE(2);
  const headerBytes = compression === STORED ? 8 : 12;
  if (bytes.length < headerBytes) throw new Error('a block of its bgcode is cut off');
  const type = bytes.readUInt16LE(0);
  const size = bytes.readUInt32LE(4);
  const dataBytes = compression === STORED ? size : bytes.readUInt32LE(8);
  const dataAt = at + headerBytes + (type === THUMBNAIL ? 6 : 2);
  return { type, compression, size, dataAt, dataBytes, next: dataAt + dataBytes + checksumBytes };
}

async function metadataOf(file: FileHandle, block: Block): Promise<string> {
  if (Math.max(block.size, block.dataBytes) > MAX_METADATA_BYTES) {
    throw new TooLarge('the metadata of its bgcode is larger than 1 MB');
  }
  const data = await bytesAt(file, block.dataAt, block.dataBytes);
  if (block.compression === STORED) return data.toString('utf8');
  if (block.compression !== DEFLATE) throw new Error('the metadata of its bgcode is neither plain nor deflate');
  const plain = await promisify(inflate)(data, { maxOutputLength: Math.max(block.size, 1) }).catch(() => {
    throw new Error('the metadata of its bgcode is damaged, or longer than its block says');
  });
  return plain.toString('utf8');
}
