// Reads the figures of KISSlicer, which writes one line for each extruder at the end. It writes no weights.

import { parseLengths } from '../amount-texts';
import { parseDuration } from '../durations';
import type { Slicer } from '../gcode-comments';
import { findUsedSlotsByNumber } from '../used-slots';

export const kisslicer: Slicer = {
  signature: /^; KISSlicer/m,
  read: (comments) => ({
    // The time that was calculated during the export is more exact than the estimate that the window showed before.
    seconds:
      comments.last('calculated-during-export build time', parseDuration) ??
      comments.last('estimated build time', parseDuration) ??
      comments.last('estimated-in-gui build time', parseDuration),
    slots: findUsedSlotsByNumber(comments.numbered(/^ext #?([1-9]\d?)$/, (value) => parseLengths(value)?.[0] ?? null)),
  }),
};
