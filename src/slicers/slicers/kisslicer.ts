// Reads the figures of KISSlicer, which writes one line for each extruder at the end. It writes no weights.

import { parseLengths } from '../amount-texts';
import { durationOf } from '../durations';
import type { Slicer } from '../gcode-comments';
import { slotsByNumber } from '../used-slots';

export const kisslicer: Slicer = {
  wrote: /^; KISSlicer/m,
  read: (comments) => ({
    // The time that was calculated during the export is more exact than the estimate that the window showed before.
    seconds:
      comments.last('calculated-during-export build time', durationOf) ??
      comments.last('estimated build time', durationOf) ??
      comments.last('estimated-in-gui build time', durationOf),
    slots: slotsByNumber(comments.numbered(/^ext #?([1-9]\d?)$/, (value) => parseLengths(value)?.[0] ?? null)),
  }),
};
