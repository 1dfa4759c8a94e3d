// Draws the labels on their pages, for the preview and for printing.
import type { CSSProperties } from 'react';
import { calculateSizes, distributeLines } from './label-layout';
import { countPerPage, type Sheet } from './label-sheets';
import type { Label } from './label-texts';
import styles from './labels.module.css';
import type { QrCode } from './qr-codes';

interface PrintedLabelsProps {
  /** The name of the paper in the address. */
  paper: string;
  sheet: Sheet;
  /** How many labels of the first page stay empty. */
  skip: number;
  labels: readonly (Label & { address: string; code: QrCode })[];
}

export function PrintedLabels({ paper, sheet, skip, labels }: PrintedLabelsProps) {
  const digits = Math.max(...labels.map(({ number }) => String(number).length));
  const sizes = calculateSizes(sheet, digits);
  const cells = [...Array.from({ length: skip }, () => undefined), ...labels];
  const pages = Array.from({ length: Math.ceil(cells.length / countPerPage(sheet)) }, (_, index) => index);
  const sizeVariables = {
    '--paper-width': sheet.width,
    '--paper-height': sheet.height,
    '--label-width': sheet.label.width,
    '--label-height': sheet.label.height,
    '--padding': sheet.padding,
    '--gap': sizes.gap,
    '--code': sizes.code,
    '--text-width': sizes.textWidth,
    '--number': sizes.number,
    '--text': sizes.text,
    '--line': sizes.line,
    '--lines': sizes.lines,
  } as CSSProperties;
  return (
    <div className={styles['pages']} data-paper={paper} style={sizeVariables}>
      {pages.map((page) => (
        <div key={page} className={styles['page']} data-page={page + 1}>
          {cells.slice(page * countPerPage(sheet), (page + 1) * countPerPage(sheet)).map(
            (label, index) =>
              label && (
                // biome-ignore lint/suspicious/noArrayIndexKey: a spool may be listed twice, and a cell has no other key
                <LabelCell key={index} label={label} position={calculatePosition(sheet, index)} sizes={sizes} />
              ),
          )}
        </div>
      ))}
    </div>
  );
}

interface LabelCellProps {
  label: PrintedLabelsProps['labels'][number];
  position: CSSProperties;
  sizes: ReturnType<typeof calculateSizes>;
}

function LabelCell({ label, position, sizes }: LabelCellProps) {
  const { number, address, code, texts } = label;
  const lines = distributeLines(
    texts.map(({ text, ending = '' }) => text + ending),
    sizes,
  );
  return (
    <div className={styles['label']} style={position} data-label={number}>
      <svg
        className={styles['code']}
        role="img"
        aria-label={address}
        viewBox={`0 0 ${code.size} ${code.size}`}
        shapeRendering="crispEdges"
      >
        <rect width="100%" height="100%" fill="#fff" />
        <path d={code.path} fill="#000" />
      </svg>
      <div className={styles['texts']}>
        <p className={styles['number']}>{`#${number}`}</p>
        <div className={styles['lines']}>
          {texts.map(
            ({ text, ending }, index) =>
              lines[index] !== 0 && (
                <p key={text} className={styles['text']}>
                  <span className={styles['start']} style={{ WebkitLineClamp: lines[index] }}>
                    {text}
                  </span>
                  {ending !== undefined && <span className={styles['ending']}>{ending}</span>}
                </p>
              ),
          )}
        </div>
      </div>
    </div>
  );
}

const calculatePosition = ({ columns, left, top, across, down }: Sheet, index: number) =>
  ({ '--left': left + (index % columns) * across, '--top': top + Math.floor(index / columns) * down }) as CSSProperties;
