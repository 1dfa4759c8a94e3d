// Sums up the filament that each tool uses from the moves of a G-code, while the file is read.
import type { LineReader } from './file-lines';

/** Lengths are whole numbers of a millionth of a millimetre, so that sums are exact up to 9,000 km. */
const DECIMALS = 6;
export const UNITS = 10 ** DECIMALS;
/** Higher numbers after T are commands of Bambu printers: T255 unloads the filament, and T1000 means the nozzle. */
export const MAX_TOOL = 63;
/** The comments of a tool change are short. */
const MAX_COMMENT_BYTES = 24;

const [SEMICOLON, POINT, PLUS, MINUS, ZERO, NINE] = Buffer.from(';.+-09') as unknown as number[];
const [E, G, M, T] = Buffer.from('EGMT') as unknown as number[];

export class ToolLengths implements LineReader {
  /**
   * The used length by tool: the maximum of `net` so far. A retraction does not reduce it, and the filament that is pushed forward
   * again after a retraction is not counted twice.
   */
  readonly used: number[] = [];
  /** Whether the file has a number that cannot be read, or lengths in inches. */
  isDoubtful = false;
  /** The length that was pushed forward, minus the length that was pulled back, by tool. */
  private readonly net: number[] = [];
  private tool = 0;
  private isRelative = false;
  private isAllRelative = false;
  private position = 0;
  /** The used length of the tool at the start of a reload of its filament; `null` if no filament is being loaded. */
  private beforeLoading: number | null = null;

  line(bytes: Buffer, from: number, end: number): void {
    const first = bytes[from];
    if (first === G) this.readG(bytes, from, end);
    else if (first === M || first === T) this.readOther(bytes.toString('latin1', from, Math.min(end, from + 40)));
    else if (first === SEMICOLON && end - from <= MAX_COMMENT_BYTES)
      this.readComment(bytes.toString('latin1', from, end));
  }

  private readG(bytes: Buffer, from: number, end: number): void {
    const second = bytes[from + 1] as number;
    const third = from + 2 < end ? (bytes[from + 2] as number) : 0;
    const isOneDigit = third < (ZERO as number) || third > (NINE as number);
    // G0 to G3 are nearly all lines of a file.
    if (isOneDigit && second >= (ZERO as number) && second <= (ZERO as number) + 3) {
      const length = this.lengthIn(bytes, from + 2, end);
      if (length !== null) this.move(length);
      return;
    }
    const [code] = bytes.toString('latin1', from, Math.min(end, from + 40)).split(/[\s;]/);
    if (code === 'G90' || code === 'G91') this.isAllRelative = code === 'G91';
    else if (code === 'G20') this.isDoubtful = true;
    else if (code === 'G92') {
      const text = bytes.toString('latin1', from + 3, end).split(';')[0] as string;
      this.position = this.lengthIn(bytes, from + 3, end) ?? (/[XYZ]/.test(text) ? this.position : 0);
    }
  }

  /** The number after E and before a comment; `null` if there is none. */
  private lengthIn(bytes: Buffer, from: number, end: number): number | null {
    for (let at = from; at < end; at += 1) {
      const byte = bytes[at];
      if (byte === SEMICOLON) return null;
      if (byte === E) return this.numberAt(bytes, at + 1, end);
    }
    return null;
  }

  private numberAt(bytes: Buffer, from: number, end: number): number {
    const sign = bytes[from];
    let at = sign === MINUS || sign === PLUS ? from + 1 : from;
    let digits = 0;
    let decimals = -1;
    let read = 0;
    for (; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (byte === POINT && decimals < 0) decimals = 0;
      else if (byte >= (ZERO as number) && byte <= (NINE as number)) {
        read += 1;
        if (decimals === DECIMALS) continue;
        digits = digits * 10 + byte - (ZERO as number);
        if (decimals >= 0) decimals += 1;
      } else break;
    }
    const next = at < end ? String.fromCharCode(bytes[at] as number) : ' ';
    if (read === 0 || read > 15 || !/[\s;*XYZFIJ]/.test(next)) this.isDoubtful = true;
    const units = digits * 10 ** (DECIMALS - Math.max(decimals, 0));
    return sign === MINUS ? -units : units;
  }

  private move(length: number): void {
    const { tool, used, net } = this;
    const isRelative = this.isRelative || this.isAllRelative;
    const moved = isRelative ? length : length - this.position;
    this.position = isRelative ? this.position + length : length;
    while (used.length <= tool) {
      used.push(0);
      net.push(0);
    }
    const after = (net[tool] as number) + moved;
    net[tool] = after;
    if (after > (used[tool] as number)) used[tool] = after;
  }

  /**
   * If one nozzle has several filaments, a tool change pulls one filament out and pushes the next filament in. Their lengths depend on
   * the printer and may differ. They are not used filament, so they are not counted.
   */
  private readComment(text: string): void {
    const [, part] = /^; CP TOOLCHANGE ([A-Z]{4,6})\s*$/.exec(text) ?? [];
    if (part === undefined) return;
    const { tool, used, net, beforeLoading } = this;
    if (beforeLoading !== null && tool < used.length) {
      used[tool] = beforeLoading;
      net[tool] = beforeLoading;
    }
    this.beforeLoading = part === 'LOAD' ? (used[tool] ?? 0) : null;
  }

  private readOther(text: string): void {
    const [code = ''] = text.split(/[\s;]/);
    if (code === 'M82' || code === 'M83') this.isRelative = code === 'M83';
    const tool = /^T(\d{1,5})$/.exec(code)?.[1] ?? /^M620 S(\d{1,5})A/.exec(text)?.[1];
    if (tool !== undefined && Number(tool) <= MAX_TOOL) this.tool = Number(tool);
  }
}
