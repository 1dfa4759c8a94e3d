// The millimetres of each tool up to the end of each layer, out of the moves of a G-code, while it is read.
import Decimal from 'decimal.js';
import { type LayerPoint, MAX_POINTS, type Slot } from './plan';

/** Lengths are whole numbers of a millionth of a millimetre, so that sums are exact: up to 9,000 km. */
const DECIMALS = 6;
const UNITS = 10 ** DECIMALS;
/** How far a sum may be from what the slicer says. */
const TOLERANCE_SHARE = 0.01;
const TOLERANCE_MM = 5;
/** Higher numbers of T are commands of Bambu printers: T255 unloads, T1000 is the nozzle. */
const MAX_TOOL = 63;
/** A longer line is no move and no comment of a slicer. */
const MAX_LINE_BYTES = 4096;

const [LF, SEMICOLON, POINT, PLUS, MINUS, ZERO, NINE] = Buffer.from('\n;.+-09') as unknown as number[];
const [E, G, M, T] = Buffer.from('EGMT') as unknown as number[];

/** How slicers mark a new layer. A file may have several of these: the first one that comes counts. */
const MARKS = [/^;LAYER_CHANGE\s*$/, /^; CHANGE_LAYER\s*$/, /^;LAYER:-?\d+\s*$/];

interface Tool {
  /** What went forth and back. */
  net: number;
  /** The most of it: a retraction takes nothing back, and what returns after it is not used again. */
  used: number;
}

export class LayerCounter {
  private rest: Buffer = Buffer.alloc(0);
  private readonly tools = new Map<number, Tool>();
  private tool = 0;
  private isRelative = false;
  private isAllRelative = false;
  private position = 0;
  private mark: RegExp | undefined;
  /** What the tools had used at the end of each layer. */
  private readonly ends: Map<number, number>[] = [];
  /** What the start script had used, before the first layer. */
  private begin: Map<number, number> | undefined;
  /** A number that cannot be read, or inches. */
  private isDoubtful = false;

  add(chunk: Buffer): void {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    let from = 0;
    for (let end = bytes.indexOf(LF as number); end >= 0; end = bytes.indexOf(LF as number, from)) {
      this.read(bytes, from, end);
      from = end + 1;
    }
    const rest = bytes.subarray(from);
    this.rest = Buffer.from(rest.length > MAX_LINE_BYTES ? ' ' : rest);
  }

  /** Null where the file has no layers, or where the sums are not those that the slicer says. */
  table(slots: readonly Slot[]): LayerPoint[] | null {
    this.read(this.rest, 0, this.rest.length);
    this.rest = Buffer.alloc(0);
    const { begin } = this;
    if (begin === undefined || this.isDoubtful) return null;
    // PrusaSlicer leaves out what its start script uses, and others count it.
    const sums = [this.sumFor(slots, new Map()), this.sumFor(slots, begin)].sort((a, b) => a.deviation - b.deviation);
    const sum = sums.find(({ agrees }) => agrees);
    if (sum === undefined) return null;
    const ends = [...this.ends, this.now()];
    const step = Math.ceil(ends.length / MAX_POINTS);
    return ends.flatMap((used, at) => {
      const layer = at + 1;
      if (layer % step !== 0 && layer !== ends.length) return [];
      return [
        { layer, mm: sum.numbers.map((number) => textOf((used.get(number) ?? 0) - (sum.from.get(number) ?? 0))) },
      ];
    });
  }

  /** The tools of the slots, and whether each of them and no other has used what the slicer says. @param from not counted */
  private sumFor(slots: readonly Slot[], from: ReadonlyMap<number, number>) {
    const totals = new Map([...this.now()].map(([number, used]) => [number, used - (from.get(number) ?? 0)]));
    const used = [...totals].filter(([, total]) => total > TOLERANCE_MM * UNITS).map(([number]) => number);
    const [only] = used;
    // Some slicers call the only slot 1, whatever its tool.
    const isOnly = slots.length === 1 && used.length === 1;
    const numbers = slots.map(({ slot }) => (isOnly ? (only as number) : slot - 1));
    const deviations = slots.map(({ mm }, at) =>
      Math.abs((totals.get(numbers[at] as number) ?? 0) / UNITS - Number(mm)),
    );
    const isNear = slots.every(({ mm }, at) => mm !== null && (deviations[at] as number) <= toleranceOf(Number(mm)));
    const agrees = numbers.length > 0 && isNear && used.every((number) => numbers.includes(number));
    return { numbers, from, agrees, deviation: deviations.reduce((sum, one) => sum + one, 0) };
  }

  private now(): Map<number, number> {
    return new Map([...this.tools].map(([number, { used }]) => [number, used]));
  }

  private read(bytes: Buffer, from: number, end: number): void {
    const first = bytes[from];
    if (first === G) this.readG(bytes, from, end);
    else if (first === SEMICOLON) this.readComment(bytes, from, end);
    else if (first === M || first === T) this.readOther(bytes.toString('latin1', from, Math.min(end, from + 40)));
  }

  private readG(bytes: Buffer, from: number, end: number): void {
    const second = bytes[from + 1] as number;
    const third = from + 2 < end ? (bytes[from + 2] as number) : 0;
    const isOneDigit = third < (ZERO as number) || third > (NINE as number);
    // G0 to G3, nearly all lines of a file.
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

  /** The number behind E, in front of a comment; null without one. */
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
    const isRelative = this.isRelative || this.isAllRelative;
    const moved = isRelative ? length : length - this.position;
    this.position = isRelative ? this.position + length : length;
    let tool = this.tools.get(this.tool);
    if (tool === undefined) {
      tool = { net: 0, used: 0 };
      this.tools.set(this.tool, tool);
    }
    tool.net += moved;
    if (tool.net > tool.used) tool.used = tool.net;
  }

  private readComment(bytes: Buffer, from: number, end: number): void {
    // `;LAYER_CHANGE`, `;LAYER:12` and `; CHANGE_LAYER` are short.
    if (end - from > 20) return;
    const text = bytes.toString('latin1', from, end);
    this.mark ??= MARKS.find((mark) => mark.test(text));
    if (!this.mark?.test(text)) return;
    if (this.begin === undefined) this.begin = this.now();
    else this.ends.push(this.now());
  }

  private readOther(text: string): void {
    const [code = ''] = text.split(/[\s;]/);
    if (code === 'M82' || code === 'M83') this.isRelative = code === 'M83';
    const tool = /^T(\d{1,5})$/.exec(code)?.[1] ?? /^M620 S(\d{1,5})A/.exec(text)?.[1];
    if (tool !== undefined && Number(tool) <= MAX_TOOL) this.tool = Number(tool);
  }
}

const toleranceOf = (mm: number) => Math.max(mm * TOLERANCE_SHARE, TOLERANCE_MM);

/** To a hundredth of a millimetre. */
const textOf = (units: number) => new Decimal(Math.round(units / (UNITS / 100))).div(100).toFixed();
