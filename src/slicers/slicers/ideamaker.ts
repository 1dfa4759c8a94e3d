// Reads the figures of ideaMaker, which writes seconds, and one line with millimetres for each extruder. It writes the density, but no weight.

import { parseAmounts } from '../amount-texts';
import { parseSeconds } from '../durations';
import type { Slicer } from '../gcode-comments';
import { findUsedSlotsByNumber } from '../used-slots';

export const ideaMaker: Slicer = {
  signature: /^;Sliced by ideaMaker/m,
  read: (comments) => ({
    seconds: comments.last('print time', parseSeconds),
    slots: findUsedSlotsByNumber(
      comments.numbered(
        /^material#([1-9]\d?) used$/,
        (value) => parseAmounts(value.replace(/\s*mm$/, ''))?.[0] ?? null,
      ),
    ),
  }),
};
