// Checks the preview pictures that machines and slicers offer: their format, their size in pixels and their bytes. Pictures are never decoded.

/** The largest picture in bytes. The table print_thumbnails has the same limit. */
export const MAX_THUMBNAIL_BYTES = 64 << 10;
/** The largest width and height in pixels. A browser needs memory for each pixel, whatever the bytes of the file. */
export const MAX_THUMBNAIL_PIXELS = 1000;
/** Pages show pictures smaller than this, so a wider picture is only used if there is no other. */
const USEFUL_WIDTH = 400;

export interface PictureFacts {
  type: 'image/png' | 'image/jpeg';
  width: number;
  height: number;
}

/** Reads the header of a PNG or JPEG; `null` if the bytes are no such picture, or if the picture is too large. The declared type never counts. */
export function readPicture(bytes: Buffer): PictureFacts | null {
  if (bytes.length > MAX_THUMBNAIL_BYTES) return null;
  const picture = readPng(bytes) ?? readJpeg(bytes);
  return picture !== null && isShowable(picture) ? picture : null;
}

export const isShowable = ({ width, height }: Pick<PictureFacts, 'width' | 'height'>): boolean =>
  [width, height].every((pixels) => pixels >= 1 && pixels <= MAX_THUMBNAIL_PIXELS);

/** The widest picture up to a useful width, or else the narrowest; `undefined` if there is none. */
export function choosePicture<Picture extends { width: number }>(pictures: readonly Picture[]): Picture | undefined {
  const byWidth = pictures.toSorted((a, b) => a.width - b.width);
  return byWidth.findLast(({ width }) => width <= USEFUL_WIDTH) ?? byWidth[0];
}

/** The signature, and the length and name of the chunk that comes first in every PNG (PNG specification, 5.2 and 11.2.1). */
const PNG_START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const PNG_HEADER_BYTES = 33;

function readPng(bytes: Buffer): PictureFacts | null {
  if (bytes.length < PNG_HEADER_BYTES || !bytes.subarray(0, PNG_START.length).equals(PNG_START)) return null;
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

const [JPEG_MARK, JPEG_START] = [0xff, 0xd8];
/** The markers of a frame header, 0xc0 to 0xcf, without those of tables (ITU T.81, table B.1). */
const NO_FRAMES = [0xc4, 0xc8, 0xcc];

/** Goes from segment to segment until the frame header. Each segment but the first has its length. */
function readJpeg(bytes: Buffer): PictureFacts | null {
  if (bytes[0] !== JPEG_MARK || bytes[1] !== JPEG_START) return null;
  for (let at = 2; at + 9 <= bytes.length; ) {
    const marker = bytes[at + 1] as number;
    if (bytes[at] !== JPEG_MARK || marker < 0xc0 || (marker >= 0xd0 && marker <= 0xda)) return null;
    if (marker <= 0xcf && !NO_FRAMES.includes(marker))
      return { type: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    // Fill bytes may come before a marker.
    at += marker === JPEG_MARK ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
