// How large the code and the texts of a label are.
import type { Sheet } from './label-sheets';

/** The code takes at most this part of the width of a narrow label: the texts keep a third of it. */
const CODE_SHARE = 0.6;
/** Between the code and the texts; the code has its quiet zone beside. */
const GAP = 1;
const LINE = 1.25;
/** In letters of bold type, the widest that browsers fall back to: "#", and a digit. */
const SIGN_EM = 0.85;
const DIGIT_EM = 0.7;

/** The sizes on each label of a sheet, in mm. @param digits of the longest number */
export function sizesOf({ label, padding, text }: Sheet, digits: number) {
  const code = Math.min(label.height - 2 * padding, (label.width - 2 * padding) * CODE_SHARE);
  const textWidth = label.width - 2 * padding - code - GAP;
  const number = Math.min(0.3 * label.height, textWidth / (SIGN_EM + DIGIT_EM * digits));
  // The number is the largest text.
  const small = Math.min(text, 0.8 * number);
  const lines = Math.floor((label.height - 2 * padding - number * LINE) / (small * LINE));
  return { code, gap: GAP, textWidth, number, text: small, line: LINE, lines };
}
