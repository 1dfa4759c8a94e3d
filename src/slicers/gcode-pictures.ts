// Finds the preview picture in the comments of a G-code: base64 between `; thumbnail begin 300x300 12345` and `; thumbnail end`.
import { choosePicture, isShowable, MAX_THUMBNAIL_BYTES, type PictureFacts, readPicture } from '../values/thumbnail';
import type { LineReader } from './file-lines';

/** The number is the length of the base64. Other formats than PNG and JPEG have other names, such as thumbnail_QOI. */
const BEGIN = /^;\s*thumbnail(?:_PNG|_JPG)? begin (\d{1,4})[x ](\d{1,4}) (\d{1,6})\s*$/;
const END = /^;\s*thumbnail(?:_PNG|_JPG)? end/;
const DIGITS = /^;\s*([A-Za-z0-9+/]+={0,2})\s*$/;
const SEMICOLON = ';'.charCodeAt(0);
const MAX_BASE64 = 4 * Math.ceil(MAX_THUMBNAIL_BYTES / 3);

type Picture = PictureFacts & { bytes: Buffer };

export class GcodePictures implements LineReader {
  /** The lines of the picture that is being read; `null` outside of a picture, and in a picture that is too large. */
  private digits: string[] | null = null;
  private length = 0;
  private best: Picture | undefined;

  line(bytes: Buffer, from: number, end: number): void {
    if (bytes[from] !== SEMICOLON) return;
    const text = bytes.toString('latin1', from, end);
    const [, width, height, length] = BEGIN.exec(text) ?? [];
    if (length !== undefined) {
      const isSmall = isShowable({ width: Number(width), height: Number(height) }) && Number(length) <= MAX_BASE64;
      [this.digits, this.length] = [isSmall ? [] : null, 0];
    } else if (this.digits !== null) this.readInside(this.digits, text);
  }

  /** The best picture in base64; `null` if there is none. */
  picture(): string | null {
    return this.best?.bytes.toString('base64') ?? null;
  }

  private readInside(digits: string[], text: string): void {
    const part = DIGITS.exec(text)?.[1];
    if (part !== undefined) {
      digits.push(part);
      this.length += part.length;
      if (this.length <= MAX_BASE64) return;
    } else if (END.test(text)) this.keep(Buffer.from(digits.join(''), 'base64'));
    this.digits = null;
  }

  private keep(bytes: Buffer): void {
    const facts = readPicture(bytes);
    if (facts !== null) this.best = choosePicture([...(this.best ? [this.best] : []), { ...facts, bytes }]);
  }
}
