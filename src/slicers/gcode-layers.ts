// The millimetres of each tool up to the end of each layer of a G-code, and which tools its slots are.
import Decimal from 'decimal.js';
import type { LineReader } from './file-lines';
import { type LayerPoint, MAX_LAYER, MAX_POINTS, type Slot } from './plan';
import { MAX_TOOL, ToolLengths, UNITS } from './tool-lengths';

/** How far a sum may be from what the slicer says: slicers do not count a wipe tower by its moves. */
const TOLERANCE_SHARE = 0.03;
const TOLERANCE_MM = 5;
/** The same where only the numbers of the tools are looked for: a start script may have used a tool too. */
const WIDE_SHARE = 0.1;
const WIDE_MM = 50;
/** Where there are more layers, each second one is kept, then each fourth one, and so on. */
const MAX_ENDS = 16_384;

const SEMICOLON = ';'.charCodeAt(0);
/** How slicers mark a new layer. A file may have several of these: the first one that comes counts. */
const MARKS = [/^;LAYER_CHANGE\s*$/, /^; CHANGE_LAYER\s*$/, /^;LAYER:-?\d+\s*$/];
const MAX_MARK_BYTES = 20;

/** Amounts by tool. */
type ByTool = readonly number[];

export class LayerCounter implements LineReader {
  private readonly lengths = new ToolLengths();
  private mark: RegExp | undefined;
  /** What the tools had used at the end of each layer, or of each second one, and so on. */
  private ends: ByTool[] = [];
  private step = 1;
  private layers = 0;
  /** What the start script had used, before the first layer. */
  private begin: ByTool | undefined;

  line(bytes: Buffer, from: number, end: number): void {
    this.lengths.line(bytes, from, end);
    if (bytes[from] !== SEMICOLON || end - from > MAX_MARK_BYTES) return;
    const text = bytes.toString('latin1', from, end);
    this.mark ??= MARKS.find((mark) => mark.test(text));
    if (!this.mark?.test(text)) return;
    if (this.begin === undefined) this.begin = [...this.lengths.used];
    else this.endLayer();
  }

  private endLayer(): void {
    this.layers += 1;
    if (this.layers % this.step !== 0) return;
    this.ends.push([...this.lengths.used]);
    if (this.ends.length < MAX_ENDS) return;
    this.ends = this.ends.filter((_, at) => at % 2 === 1);
    this.step *= 2;
  }

  /** Null where the file has no layers or too many, or where the slicer says other sums. */
  table(slots: readonly Slot[]): LayerPoint[] | null {
    const { begin, lengths, step } = this;
    const layers = this.layers + 1;
    if (begin === undefined || lengths.isDoubtful || layers > MAX_LAYER || slots.length > MAX_TOOL + 1) return null;
    // PrusaSlicer leaves out what its start script uses, and others count it.
    const sums = [sumFor(slots, lengths.used, []), sumFor(slots, lengths.used, begin)];
    const sum = sums.sort((a, b) => a.deviation - b.deviation).find(({ agrees }) => agrees);
    if (sum === undefined) return null;
    const every = step * Math.ceil(layers / step / MAX_POINTS);
    const ends = [
      ...this.ends.map((used, at) => ({ layer: (at + 1) * step, used })),
      { layer: layers, used: lengths.used },
    ];
    return ends
      .filter(({ layer }) => layer % every === 0 || layer === layers)
      .map(({ layer, used }) => ({
        layer,
        mm: sum.numbers.map((number) => digitsOfUnits((used[number] ?? 0) - (sum.from[number] ?? 0))),
      }));
  }

  /** The same slots with the numbers of the tools that have used what the slicer says; as they are where no tools have. */
  numbered(slots: readonly Slot[]): Slot[] {
    const { used, isDoubtful } = this.lengths;
    const tools = used.flatMap((units, tool) => (units > TOLERANCE_MM * UNITS ? [{ tool, mm: units / UNITS }] : []));
    const numbers = isDoubtful
      ? null
      : nearestTools(
          slots.map(({ mm }) => Number(mm ?? Number.NaN)),
          tools,
        );
    return slots.map((slot, at) => ({ ...slot, slot: numbers === null ? slot.slot : (numbers[at] as number) + 1 }));
  }
}

/** The tools of the slots, and whether each of them and no other has used what the slicer says. @param from not counted */
function sumFor(slots: readonly Slot[], used: ByTool, from: ByTool) {
  const totals = used.map((units, tool) => units - (from[tool] ?? 0));
  const usedTools = totals.flatMap((total, tool) => (total > TOLERANCE_MM * UNITS ? [tool] : []));
  const [only] = usedTools;
  // Some slicers call the only slot 1, whatever its tool.
  const isOnly = slots.length === 1 && usedTools.length === 1;
  const numbers = slots.map(({ slot }) => (isOnly ? (only as number) : slot - 1));
  const deviations = slots.map(({ mm }, at) => Math.abs((totals[numbers[at] as number] ?? 0) / UNITS - Number(mm)));
  const isNear = slots.every(
    ({ mm }, at) => mm !== null && (deviations[at] as number) <= Math.max(Number(mm) * TOLERANCE_SHARE, TOLERANCE_MM),
  );
  const agrees = numbers.length > 0 && isNear && usedTools.every((tool) => numbers.includes(tool));
  return { numbers, from, agrees, deviation: deviations.reduce((sum, one) => sum + one, 0) };
}

/**
 * For each length the tool that is nearest to it, in the order of both: a tool may be left out, because the start script
 * alone has used it. Null where a length has no tool that is near.
 */
function nearestTools(lengths: readonly number[], tools: readonly { tool: number; mm: number }[]): number[] | null {
  /** The best choice for the first lengths, among the tools so far. */
  let best: ({ deviation: number; numbers: number[] } | null)[] = [{ deviation: 0, numbers: [] }];
  for (const { tool, mm } of tools) {
    best = [...lengths.keys(), lengths.length].map((count) => {
      const without = best[count] ?? null;
      const before = best[count - 1];
      const length = lengths[count - 1];
      if (!before || length === undefined) return without;
      const off = Math.abs(mm - length);
      const isNear = off <= Math.max(length * WIDE_SHARE, WIDE_MM);
      if (!isNear || (without && without.deviation <= before.deviation + off)) return without;
      return { deviation: before.deviation + off, numbers: [...before.numbers, tool] };
    });
  }
  return best[lengths.length]?.numbers ?? null;
}

/** To a hundredth of a millimetre. */
const digitsOfUnits = (units: number) => new Decimal(Math.round(units / (UNITS / 100))).div(100).toFixed();
