// Calculates how large the code and the texts of a label are, and how many lines each text may take.
import type { Sheet } from './label-sheets';

/** On a narrow label the code takes at most this share of the width, so that a third stays for the texts. */
const CODE_SHARE = 0.6;
/** The space between the code and the texts, in mm. The code has a quiet zone in addition. */
const GAP = 1;
/** A multiple of the text size. */
const LINE_HEIGHT = 1.25;
/** The widths of "#" and of a digit in em, in the widest bold font that browsers fall back to. */
const SIGN_EM = 0.85;
const DIGIT_EM = 0.7;

/** On a label with narrower texts most serials need two lines, so the number leaves room for five lines. */
const NARROW_EM = 12;

/** The sizes on each label of a sheet, in mm. @param digits the number of digits of the longest number */
export function calculateSizes({ label, padding, text }: Sheet, digits: number) {
  const code = Math.min(label.height - 2 * padding, (label.width - 2 * padding) * CODE_SHARE);
  const textWidth = label.width - 2 * padding - code - GAP;
  const height = label.height - 2 * padding;
  const lineCount = textWidth < NARROW_EM * text ? 5 : 4;
  const number = Math.min(
    0.3 * label.height,
    textWidth / (SIGN_EM + DIGIT_EM * digits),
    // Slightly less, because the division below must not round down a line.
    height / LINE_HEIGHT - lineCount * text - 0.01,
  );
  // The number must stay the largest text.
  const textSize = Math.min(text, 0.8 * number);
  const lines = Math.floor((height - number * LINE_HEIGHT) / (textSize * LINE_HEIGHT));
  return { code, gap: GAP, textWidth, number, text: textSize, line: LINE_HEIGHT, lines };
}

/** The average width of a letter in em. */
const LETTER_EM = 0.55;
/** These texts come first, each with a line of its own. The third is the material with the colour. */
const MAIN_TEXTS = 3;
/** Serials and names often differ only at their ends, so these two may take two lines. */
const LONG_TEXTS = 2;

/**
 * How many lines each text of a label takes; a text with 0 lines is left out. The main texts get a line first, then the long ones
 * a second line, and then the others a line.
 */
export function distributeLines(
  texts: readonly string[],
  { lines, text, textWidth }: Pick<ReturnType<typeof calculateSizes>, 'lines' | 'text' | 'textWidth'>,
): number[] {
  const isLong = (written: string) => written.length * LETTER_EM * text > textWidth;
  const main = texts.map((_, index) => index).slice(0, MAIN_TEXTS);
  const second = main.slice(0, LONG_TEXTS).filter((index) => isLong(`${texts[index]}`));
  const others = texts.map((_, index) => index).slice(MAIN_TEXTS);
  const order = [...main, ...second, ...others].slice(0, lines);
  return texts.map((_, index) => order.filter((given) => given === index).length);
}
