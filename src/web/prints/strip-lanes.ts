// Places bars of a time axis in lanes, so that each bar is large enough to be hit and none covers another.

/** The smallest width of a bar in CSS pixels, so that a finger or an unsteady hand hits it. */
export const MIN_BAR_PX = 24;
const GAP_PX = 2;

interface Span {
  /** The start and the length, as shares of the axis. */
  start: number;
  length: number;
}

interface Placed {
  left: number;
  width: number;
  lane: number;
}

/**
 * @param spans in the order of their starts
 * @param axisPx the length of the axis
 */
export function placeBars(spans: readonly Span[], axisPx: number): Placed[] {
  const laneEnds: number[] = [];
  return spans.map(({ start, length }) => {
    const width = Math.min(axisPx, Math.max(MIN_BAR_PX, length * axisPx));
    const left = Math.min(start * axisPx, axisPx - width);
    const free = laneEnds.findIndex((end) => end <= left);
    const lane = free === -1 ? laneEnds.length : free;
    laneEnds[lane] = left + width + GAP_PX;
    return { left, width, lane };
  });
}
