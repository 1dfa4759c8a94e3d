// Counts how many millimetres each tool has used at the end of each layer of a G-code, and finds out which tools its slots are.
import Decimal from 'decimal.js';
import type { LineReader } from './file-lines';
import { type LayerPoint, MAX_LAYER, MAX_POINTS, type Slot } from './plan';
import { MAX_TOOL, ToolLengths, UNITS } from './tool-lengths';

/** How far a counted sum may differ from the slicer's figure. Slicers do not count a wipe tower by its moves. */
const TOLERANCE_SHARE = 0.03;
const TOLERANCE_MM = 5;
/** The wider tolerance for finding the numbers of the tools, because a start script may have used a tool, too. */
const WIDE_SHARE = 0.1;
const WIDE_MM = 50;
/** If a file has more layers, only every second layer is kept, then every fourth layer, and so on. */
const MAX_ENDS = 16_384;

const SEMICOLON = ';'.charCodeAt(0);
/** The lines with which slicers mark a new layer. If a file has several kinds of marks, the kind that comes first counts. */
const MARKS = [/^;LAYER_CHANGE\s*$/, /^; CHANGE_LAYER\s*$/, /^;LAYER:-?\d+\s*$/];
const MAX_MARK_BYTES = 20;

/** Amounts by tool. */
type ByTool = readonly number[];

export class LayerCounter implements LineReader {
  private readonly lengths = new ToolLengths();
  private mark: RegExp | undefined;
  /** The lengths that the tools had used at the end of each layer, or of every second layer, and so on. */
  private ends: ByTool[] = [];
  private step = 1;
  private layers = 0;
  /** The lengths that the start script used before the first layer. */
  private startScript: ByTool | undefined;

  line(bytes: Buffer, from: number, end: number): void {
    this.lengths.line(bytes, from, end);
    if (bytes[from] !== SEMICOLON || end - from > MAX_MARK_BYTES) return;
    const text = bytes.toString('latin1', from, end);
    this.mark ??= MARKS.find((mark) => mark.test(text));
    if (!this.mark?.test(text)) return;
    if (this.startScript === undefined) this.startScript = [...this.lengths.used];
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

  /** The table of layers; `null` if the file has no layers or too many, or if the sums differ from the slicer's figures. */
  makeTable(slots: readonly Slot[]): LayerPoint[] | null {
    const { startScript, lengths, step } = this;
    const layers = this.layers + 1;
    if (startScript === undefined || lengths.isDoubtful || layers > MAX_LAYER || slots.length > MAX_TOOL + 1)
      return null;
    // PrusaSlicer does not count what its start script uses. Other slicers count it.
    const sums = [compareTools(slots, lengths.used, []), compareTools(slots, lengths.used, startScript)];
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
        mm: sum.numbers.map((number) => formatMillimetres((used[number] ?? 0) - (sum.from[number] ?? 0))),
      }));
  }

  /** The slots with the numbers of the tools whose lengths match the slicer's figures. If no tools match, the numbers do not change. */
  renumberSlots(slots: readonly Slot[]): Slot[] {
    const { used, isDoubtful } = this.lengths;
    const tools = used.flatMap((units, tool) => (units > TOLERANCE_MM * UNITS ? [{ tool, mm: units / UNITS }] : []));
    const numbers = isDoubtful
      ? null
      : assignTools(
          slots.map(({ mm }) => Number(mm ?? Number.NaN)),
          tools,
        );
    return slots.map((slot, at) => ({ ...slot, slot: numbers === null ? slot.slot : (numbers[at] as number) + 1 }));
  }
}

/**
 * The tools of the slots, and whether exactly these tools have used what the slicer states.
 * @param from the lengths by tool that are not counted
 */
function compareTools(slots: readonly Slot[], used: ByTool, from: ByTool) {
  const totals = used.map((units, tool) => units - (from[tool] ?? 0));
  const usedTools = totals.flatMap((total, tool) => (total > TOLERANCE_MM * UNITS ? [tool] : []));
  const [onlyTool] = usedTools;
  // Some slicers give the only slot the number 1, whichever tool it is.
  const isOnly = slots.length === 1 && usedTools.length === 1;
  const numbers = slots.map(({ slot }) => (isOnly ? (onlyTool as number) : slot - 1));
  const deviations = slots.map(({ mm }, at) => Math.abs((totals[numbers[at] as number] ?? 0) / UNITS - Number(mm)));
  const isNear = slots.every(
    ({ mm }, at) => mm !== null && (deviations[at] as number) <= Math.max(Number(mm) * TOLERANCE_SHARE, TOLERANCE_MM),
  );
  const agrees = numbers.length > 0 && isNear && usedTools.every((tool) => numbers.includes(tool));
  return { numbers, from, agrees, deviation: deviations.reduce((sum, deviation) => sum + deviation, 0) };
}

/**
 * Assigns each length to a tool, in the order of both, so that the differences are smallest. A tool may be left out, because only
 * the start script has used it. Null if a length has no tool that is near enough.
 */
function assignTools(lengths: readonly number[], tools: readonly { tool: number; mm: number }[]): number[] | null {
  /** The best assignment of the first 0, 1, 2 … lengths to the tools that were looked at so far. */
  let best: ({ deviation: number; numbers: number[] } | null)[] = [{ deviation: 0, numbers: [] }];
  for (const { tool, mm } of tools) {
    best = [...lengths.keys(), lengths.length].map((count) => {
      const without = best[count] ?? null;
      const before = best[count - 1];
      const length = lengths[count - 1];
      if (!before || length === undefined) return without;
      const difference = Math.abs(mm - length);
      const isNear = difference <= Math.max(length * WIDE_SHARE, WIDE_MM);
      if (!isNear || (without && without.deviation <= before.deviation + difference)) return without;
      return { deviation: before.deviation + difference, numbers: [...before.numbers, tool] };
    });
  }
  return best[lengths.length]?.numbers ?? null;
}

/** The millimetres as a text, rounded to a hundredth. */
const formatMillimetres = (units: number) => new Decimal(Math.round(units / (UNITS / 100))).div(100).toFixed();
