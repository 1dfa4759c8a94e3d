// Which slicer wrote a G-code, and what it says.
import { Comments, type Slicer } from './gcode-comments';
import type { GcodeFigures } from './plan';
import { cura } from './slicers/cura';
import { ideaMaker } from './slicers/ideamaker';
import { kiriMoto } from './slicers/kiri-moto';
import { kisslicer } from './slicers/kisslicer';
import { prusa } from './slicers/prusa';
import { simplify3d } from './slicers/simplify3d';

const SLICERS: readonly Slicer[] = [simplify3d, kisslicer, ideaMaker, kiriMoto, cura, prusa];

/** Null for a text of another program. Its line may be missing where a script has changed the file: then the figures decide. */
export function amountsOfGcode(text: string): GcodeFigures | null {
  if (text.includes('\0')) return null;
  const comments = Comments.ofGcode(text);
  const slicer = SLICERS.find(({ wrote }) => wrote.test(text));
  if (slicer) return slicer.read(comments);
  const read = SLICERS.map((one) => one.read(comments));
  return read.find(({ slots }) => slots.length > 0) ?? read.find(({ seconds }) => seconds !== null) ?? null;
}
