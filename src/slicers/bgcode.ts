// Reads the metadata of binary G-code, which PrusaSlicer writes: a header of 10 bytes, then blocks. It never decodes blocks of G-code.
import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { choosePicture, isShowable, MAX_THUMBNAIL_BYTES, readPicture } from '../values/thumbnail';
import { readBytes } from './file-ends';
import { Comments } from './gcode-comments';
import type { Plate, WantedParts } from './plan';
import { type Bounds, TooLarge } from './read-bounds';
import { readPrusa } from './slicers/prusa';

export const BGCODE_SIGNATURE = 'GCDE';
const HEADER_BYTES = 10;
const VERSION = 1;
/** Blocks of G-code come after all metadata. */
const GCODE = 1;
const PRINTER_METADATA = 3;
const PRINT_METADATA = 4;
const THUMBNAIL = 5;
/** Format, width and height of a picture. PNG is 0, JPEG is 1. */
const PICTURE_HEADER_BYTES = 6;
const PICTURE_FORMATS = [0, 1];
const STORED = 0;
const DEFLATE = 1;
/** Metadata of real files has about 30 KB. */
const MAX_METADATA_BYTES = 1024 * 1024;
/** Real files have about 10 blocks before their G-code. */
const MAX_BLOCKS = 1000;

const EXPORT_AGAIN = 'Export the file from the slicer again';

interface Block {
  type: number;
  compression: number;
  size: number;
  /** Where the data starts in the file. */
  dataAt: number;
  dataBytes: number;
  /** Where the next block starts in the file. */
  next: number;
}

export async function readBgcode(
  file: FileHandle,
  size: number,
  bounds: Bounds,
  { thumbnails }: Pick<WantedParts, 'thumbnails'>,
): Promise<Omit<Plate, 'plate'>> {
  const header = await readBytes(file, 0, HEADER_BYTES);
  if (header.length < HEADER_BYTES) throw new Error(`its bgcode header is incomplete. ${EXPORT_AGAIN}`);
  if (header.readUInt32LE(4) !== VERSION) {
    throw new Error('its bgcode has another version than 1, which the gateway cannot read. Export it as G-code');
  }
  const checksumBytes = header.readUInt16LE(8) === 0 ? 0 : 4;
  const texts = new Map<number, string>();
  const pictures: Picture[] = [];
  let at = HEADER_BYTES;
  for (let count = 0; at < size; count += 1) {
    if (count === MAX_BLOCKS) throw new TooLarge(`its bgcode has more than ${MAX_BLOCKS} blocks of metadata`);
    const block = await readBlock(file, at, checksumBytes);
    bounds.spend(Math.min(block.dataBytes, MAX_METADATA_BYTES));
    if (block.type === GCODE) break;
    if (block.next > size) throw new Error(`a block of its bgcode is incomplete or damaged. ${EXPORT_AGAIN}`);
    if (block.type === PRINTER_METADATA || block.type === PRINT_METADATA) {
      texts.set(block.type, await readMetadata(file, block));
    }
    if (block.type === THUMBNAIL && thumbnails) pictures.push(...(await readPictureHeader(file, block)));
    at = block.next;
  }
  if (texts.size === 0) throw new Error(`its bgcode has no metadata about the print. ${EXPORT_AGAIN}`);
  // Both texts may have the same names. The metadata of the print comes last, because the last value counts.
  const { seconds, slots } = readPrusa(
    Comments.fromMetadata([texts.get(PRINTER_METADATA), texts.get(PRINT_METADATA)].join('\n')),
  );
  return { seconds, slots, ...(thumbnails && { thumbnail: await readBestPicture(file, pictures) }) };
}

async function readBlock(file: FileHandle, at: number, checksumBytes: number): Promise<Block> {
  const bytes = await readBytes(file, at, 12);
  const compression = bytes.length < 8 ? STORED : bytes.readUInt16LE(2);
  const headerBytes = compression === STORED ? 8 : 12;
  if (bytes.length < headerBytes) throw new Error(`a block of its bgcode is incomplete. ${EXPORT_AGAIN}`);
  const type = bytes.readUInt16LE(0);
  const size = bytes.readUInt32LE(4);
  const dataBytes = compression === STORED ? size : bytes.readUInt32LE(8);
  const dataAt = at + headerBytes + (type === THUMBNAIL ? PICTURE_HEADER_BYTES : 2);
  return { type, compression, size, dataAt, dataBytes, next: dataAt + dataBytes + checksumBytes };
}

/** A picture in a block, by what the block states about it. */
interface Picture {
  width: number;
  block: Block;
}

async function readPictureHeader(file: FileHandle, block: Block): Promise<Picture[]> {
  const header = await readBytes(file, block.dataAt - PICTURE_HEADER_BYTES, PICTURE_HEADER_BYTES);
  const [width, height] = [header.readUInt16LE(2), header.readUInt16LE(4)];
  const isFitting = PICTURE_FORMATS.includes(header.readUInt16LE(0)) && isShowable({ width, height });
  return isFitting && block.compression === STORED && block.dataBytes <= MAX_THUMBNAIL_BYTES ? [{ width, block }] : [];
}

/** The best picture in base64; `null` if there is none. */
async function readBestPicture(file: FileHandle, pictures: readonly Picture[]): Promise<string | null> {
  const best = choosePicture(pictures);
  if (best === undefined) return null;
  const bytes = await readBytes(file, best.block.dataAt, best.block.dataBytes);
  return readPicture(bytes) === null ? null : bytes.toString('base64');
}

async function readMetadata(file: FileHandle, block: Block): Promise<string> {
  if (Math.max(block.size, block.dataBytes) > MAX_METADATA_BYTES) {
    throw new TooLarge('its bgcode has more than 1 MB of metadata');
  }
  const data = await readBytes(file, block.dataAt, block.dataBytes);
  if (block.compression === STORED) return data.toString('utf8');
  if (block.compression !== DEFLATE) {
    throw new Error(
      'the metadata of its bgcode is compressed in a way that the gateway cannot read. Export it as G-code',
    );
  }
  const plain = await promisify(inflate)(data, { maxOutputLength: Math.max(block.size, 1) }).catch(() => {
    throw new Error(`the metadata of its bgcode is damaged. ${EXPORT_AGAIN}`);
  });
  return plain.toString('utf8');
}
