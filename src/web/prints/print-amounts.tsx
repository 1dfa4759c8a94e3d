// Shows the filament and the times of a print. The printer may report only some of them.
import type { PrintRowFragment } from '../../generated/web-operations';
import { Moment } from '../parts/moment';
import { formatDecimal, formatGrams } from '../parts/numbers';
import { slotName } from '../parts/slot-name';
import { basisName } from './amount-bases';
import styles from './prints.module.css';

type Print = Pick<PrintRowFragment, 'filament' | 'outcome'>;
type Filament = Print['filament'][number];

/** The grams, or millimetres if the grams are unknown. */
const formatAmount = ({ grams: weight, mm }: Filament): string =>
  weight !== null ? formatGrams(weight) : mm !== null ? `${formatDecimal(mm)} mm` : '';

export function Amounts({ print: { filament, outcome } }: { print: Print }) {
  return (
    <ul>
      {filament.map((entry) => (
        <li key={filament.indexOf(entry)}>
          {filament.length > 1 && (
            <span>{`${slotName(
              entry.slot,
              filament.map(({ slot }) => slot),
            )}: `}</span>
          )}
          <span>{formatAmount(entry)}</span>
          <span className={styles['quiet']}>{basisName(entry.basis, outcome)}</span>
        </li>
      ))}
    </ul>
  );
}

/** A time that was not reported but calculated is marked as estimated. */
export function EventTime({ at, isEstimated }: { at: string | null; isEstimated: boolean }) {
  if (at === null) return <span className={styles['quiet']}>Unknown</span>;
  return (
    <>
      <Moment at={at} />
      {isEstimated && <span className={styles['quiet']}>estimated</span>}
    </>
  );
}
