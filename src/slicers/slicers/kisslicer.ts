// KISSlicer writes its figures at the end, one line for each extruder. It writes no weights.

import { parseLengths } from '../amount-texts';
import { durationOf } from '../durations';
import type { Slicer } from '../gcode-comments';
import { slotsByNumber } from '../used-slots';

export const kisslicer: Slicer = {
  wrote: /^; KISSlicer/m,
  read: (comments) => ({
    // What the export calculated is nearer than what the window showed before.
    seconds:
      comments.last('calculated-during-export build time', durationOf) ??
      comments.last('estimated build time', durationOf) ??
      comments.last('estimated-in-gui build time', durationOf),
    slots: slotsByNumber(comments.numbered(/^ext #?([1-9]\d?)$/, (value) => parseLengths(value)?.[0] ?? null)),
  }),
};
