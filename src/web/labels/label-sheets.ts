// The papers that labels are printed on, in millimetres, and how many labels of a sheet are used already.

export interface Sheet {
  name: string;
  width: number;
  height: number;
  columns: number;
  rows: number;
  /** Where the first label begins. */
  left: number;
  top: number;
  label: { width: number; height: number };
  /** The distance from one label to the next. */
  across: number;
  down: number;
  /** Around what is printed on a label: feeders are some tenths of a millimetre off. */
  padding: number;
  /** The size of most texts. */
  text: number;
}

const roll = (width: number, height: number, padding: number, text: number): Sheet => ({
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

/** The papers by their names in addresses. The margins are those of Avery and Herma. */
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
  '62x29': roll(62, 29, 2, 2.8),
  '50x30': roll(50, 30, 2, 2.5),
  '40x30': roll(40, 30, 1.5, 2.2),
};

export const perPage = ({ columns, rows }: Sheet): number => columns * rows;
/** How many labels of the first sheet are used already. A sheet of which all are used is none. @param typed by the reader */
export const usedOf = (sheet: Sheet, typed: string): number =>
  /^\d{1,3}$/.test(typed) ? Number(typed) % perPage(sheet) : 0;
export const isRoll = (sheet: Sheet): boolean => perPage(sheet) === 1;
