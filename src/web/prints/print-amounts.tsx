// The filament of a print, and its times, of which the printer may report only a part.
import type { PrintRowFragment } from '../../generated/web-operations';
import { Moment } from '../parts/moment';
import { decimal, grams } from '../parts/numbers';
import { slotName } from '../parts/slot-name';
import { basisName } from './amount-bases';
import styles from './prints.module.css';

type Print = Pick<PrintRowFragment, 'filament' | 'outcome'>;
type Filament = Print['filament'][number];

/** Grams where they are known, else millimetres. */
const amountOf = ({ grams: weight, mm }: Filament): string =>
  weight !== null ? grams(weight) : mm !== null ? `${decimal(mm)} mm` : '';

export function Amounts({ print: { filament, outcome } }: { print: Print }) {
  return (
    <ul>
      {filament.map((one) => (
        <li key={filament.indexOf(one)}>
          {filament.length > 1 && (
            <span>{`${slotName(
              one.slot,
              filament.map(({ slot }) => slot),
            )}: `}</span>
          )}
          <span>{amountOf(one)}</span>
          <span className={styles['quiet']}>{basisName(one.basis, outcome)}</span>
        </li>
      ))}
    </ul>
  );
}

/** A time that was computed says so. */
export function EventTime({ at, isEstimated }: { at: string | null; isEstimated: boolean }) {
  if (at === null) return <span className={styles['quiet']}>Unknown</span>;
  return (
    <>
      <Moment at={at} />
      {isEstimated && <span className={styles['quiet']}>estimated</span>}
    </>
  );
}
