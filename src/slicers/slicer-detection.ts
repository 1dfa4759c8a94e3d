// Decides which slicer wrote a G-code, and reads its figures.
import { Comments, type Slicer } from './gcode-comments';
import type { GcodeFigures } from './plan';
import { cura } from './slicers/cura';
import { ideaMaker } from './slicers/ideamaker';
import { kiriMoto } from './slicers/kiri-moto';
import { kisslicer } from './slicers/kisslicer';
import { prusa } from './slicers/prusa';
import { simplify3d } from './slicers/simplify3d';

const SLICERS: readonly Slicer[] = [simplify3d, kisslicer, ideaMaker, kiriMoto, cura, prusa];

/**
 * The figures of a G-code; `null` if no known slicer wrote it. If a script removed the line that names the slicer, the first slicer whose
 * figures can be read counts.
 */
export function readGcode(text: string): GcodeFigures | null {
  if (text.includes('\0')) return null;
  const comments = Comments.fromGcode(text);
  const slicer = SLICERS.find(({ signature }) => signature.test(text));
  if (slicer) return slicer.read(comments);
  const figures = SLICERS.map((candidate) => candidate.read(comments));
  return figures.find(({ slots }) => slots.length > 0) ?? figures.find(({ seconds }) => seconds !== null) ?? null;
}
