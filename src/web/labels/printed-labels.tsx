// The labels on their pages, as they are printed and as they are shown before.
import type { CSSProperties } from 'react';
import { sizesOf } from './label-layout';
import { perPage, type Sheet } from './label-sheets';
import type { Label } from './label-texts';
import styles from './labels.module.css';
import type { Code } from './qr-codes';

interface PrintedLabelsProps {
  /** Its name in the address. */
  paper: string;
  sheet: Sheet;
  /** How many labels of the first page are left out. */
  skip: number;
  labels: readonly (Label & { address: string; code: Code })[];
}

export function PrintedLabels({ paper, sheet, skip, labels }: PrintedLabelsProps) {
  const digits = Math.max(...labels.map(({ number }) => String(number).length));
  const sizes = sizesOf(sheet, digits);
  const places = [...Array.from({ length: skip }, () => undefined), ...labels];
  const pages = Array.from({ length: Math.ceil(places.length / perPage(sheet)) }, (_, at) => at);
  const all = {
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
    <div className={styles['pages']} data-paper={paper} style={all}>
      {pages.map((page) => (
        <div key={page} className={styles['page']} data-page={page + 1}>
          {places.slice(page * perPage(sheet), (page + 1) * perPage(sheet)).map(
            (label, at) =>
              label && (
                // biome-ignore lint/suspicious/noArrayIndexKey: a spool may be named twice, and a place has no other key
                <div key={at} className={styles['label']} style={placeOf(sheet, at)} data-label={label.number}>
                  <svg
                    className={styles['code']}
                    role="img"
                    aria-label={label.address}
                    viewBox={`0 0 ${label.code.size} ${label.code.size}`}
                    shapeRendering="crispEdges"
                  >
                    <rect width="100%" height="100%" fill="#fff" />
                    <path d={label.code.path} fill="#000" />
                  </svg>
                  <div className={styles['texts']}>
                    <p className={styles['number']}>{`#${label.number}`}</p>
                    <div className={styles['lines']}>
                      {label.texts.slice(0, sizes.lines).map((text) => (
                        <p key={text} className={styles['text']}>
                          {text}
                        </p>
                      ))}
                    </div>
                  </div>
                </div>
              ),
          )}
        </div>
      ))}
    </div>
  );
}

const placeOf = ({ columns, left, top, across, down }: Sheet, at: number) =>
  ({ '--left': left + (at % columns) * across, '--top': top + Math.floor(at / columns) * down }) as CSSProperties;
