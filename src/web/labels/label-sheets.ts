// Holds the papers for labels, in millimetres, and how many labels of the first sheet are already used.

export interface Sheet {
  name: string;
  width: number;
  height: number;
  columns: number;
  rows: number;
  /** The position of the first label. */
  left: number;
  top: number;
  label: { width: number; height: number };
  /** The distance from the start of one label to the start of the next. */
  across: number;
  down: number;
  /** The empty margin inside a label: printers feed paper with an error of some tenths of a millimetre. */
  padding: number;
  /** The size of all texts except the number. */
  text: number;
}

const createRoll = (width: number, height: number, padding: number, text: number): Sheet => ({
  name: `Roll of ${width} × ${height} mm`,
  width,
  height,
  columns: 1,
  rows: 1,
  left: 0,
  top: 0,
  label: { width, height },
  across: width,
  down: height,
  padding,
  text,
});

/** The papers by their names in addresses. The margins are those of labels by Avery and Herma. */
export const SHEETS: Record<string, Sheet> = {
  'a4-24': {
    name: 'A4, 24 labels of 70 × 37 mm',
    width: 210,
    height: 297,
    columns: 3,
    rows: 8,
    left: 0,
    top: 0.5,
    label: { width: 70, height: 37 },
    across: 70,
    down: 37,
    padding: 4,
    text: 3,
  },
  'a4-65': {
    name: 'A4, 65 labels of 38.1 × 21.2 mm',
    width: 210,
    height: 297,
    columns: 5,
    rows: 13,
    left: 4.75,
    top: 10.7,
    label: { width: 38.1, height: 21.2 },
    across: 40.6,
    down: 21.2,
    padding: 1.5,
    text: 2.1,
  },
  'letter-30': {
    name: 'Letter, 30 labels of 66.7 × 25.4 mm',
    width: 215.9,
    height: 279.4,
    columns: 3,
    rows: 10,
    left: 4.75,
    top: 12.7,
    label: { width: 66.7, height: 25.4 },
    across: 69.85,
    down: 25.4,
    padding: 2,
    text: 2.6,
  },
  '62x29': createRoll(62, 29, 2, 2.8),
  '50x30': createRoll(50, 30, 2, 2.5),
  '40x30': createRoll(40, 30, 1.5, 2.2),
};

export const countPerPage = ({ columns, rows }: Sheet): number => columns * rows;
/** How many labels of the first sheet are already used. If all are used, a full sheet comes next, so none is skipped. @param typed the text that the user typed */
export const countUsedLabels = (sheet: Sheet, typed: string): number =>
  /^\d{1,3}$/.test(typed) ? Number(typed) % countPerPage(sheet) : 0;
export const isRoll = (sheet: Sheet): boolean => countPerPage(sheet) === 1;
