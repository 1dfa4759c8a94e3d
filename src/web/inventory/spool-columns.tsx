// Defines the columns of lists of spools. The serial links to the page of the spool.
import { Link } from 'react-router';
import type { SpoolsQuery } from '../../generated/web-operations';
import { Badge } from '../parts/badge';
import type { Column } from '../parts/data-table';
import { filamentName } from '../parts/formats';
import { Money } from '../parts/money';
import { roundedGrams } from '../parts/numbers';
import { filamentAddress, spoolAddress } from '../parts/object-addresses';
import { RoundedGrams } from '../parts/rounded-grams';
import { type RowSelection, SelectableCell } from '../parts/row-selection';
import { freeGrams } from '../parts/spool-grams';
import { Swatch } from '../parts/swatch';
import styles from './inventory.module.css';
import { SpoolBar } from './spool-bar';

type Spool = SpoolsQuery['spools']['nodes'][number];

/** @param selection undefined if rows cannot be selected */
export const createSpoolColumns = (selection?: RowSelection): Column<Spool>[] => [
  {
    head: 'Spool',
    width: 'minmax(9rem, 4fr)',
    sortBy: ({ spoolSerial }) => spoolSerial,
    cell: ({ id, spoolSerial, colorHex, vendor, archivedAt }) => (
      <SelectableCell id={id} name={spoolSerial} selection={selection}>
        <div className={styles['spool']}>
          <Swatch color={colorHex} />
          <div>
            <Link to={spoolAddress(id)}>{spoolSerial}</Link>
            {archivedAt && <Badge tone="muted">Archived</Badge>}
            {vendor && <span className={styles['quiet']}>{` ${vendor}`}</span>}
          </div>
        </div>
      </SelectableCell>
    ),
  },
  ...COLUMNS,
];

const COLUMNS: Column<Spool>[] = [
  {
    head: 'Number',
    width: 'minmax(4.25rem, 0.5fr)',
    sortBy: ({ number }) => number,
    cell: ({ number }) => `#${number}`,
  },
  {
    head: 'Material',
    width: 'minmax(6rem, 2.5fr)',
    sortBy: ({ material }) => material.name,
    cell: ({ material, filament }) => (
      <>
        <span>{material.name}</span>
        {filament && (
          <Link className={styles['filament']} to={filamentAddress(filament.id)}>
            {filamentName(filament)}
          </Link>
        )}
      </>
    ),
  },
  {
    head: 'Stored at',
    width: 'minmax(5.75rem, 1fr)',
    sortBy: ({ place }) => place ?? '',
    cell: ({ place }) => place,
  },
  {
    head: 'Remaining',
    width: 'minmax(11rem, 2fr)',
    isFullWidth: true,
    sortBy: ({ remainingGrams }) => Number(remainingGrams),
    cell: (spool) => <SpoolBar spool={spool} isInList />,
  },
  {
    head: 'Used',
    width: 'minmax(5rem, 0.5fr)',
    isNumber: true,
    sortBy: ({ usedGrams }) => Number(usedGrams),
    cell: ({ usedGrams }) => <RoundedGrams amount={usedGrams} />,
  },
  {
    head: 'Allocated',
    width: 'minmax(5rem, 0.5fr)',
    isNumber: true,
    sortBy: ({ plannedGrams }) => Number(plannedGrams),
    cell: ({ plannedGrams }) => <RoundedGrams amount={plannedGrams} />,
  },
  {
    head: 'Free',
    width: 'minmax(5rem, 0.5fr)',
    isNumber: true,
    sortBy: freeGrams,
    cell: (spool) => {
      const free = freeGrams(spool);
      return free < 0 ? (
        <Badge tone="bad">{`${roundedGrams(String(-free))} short`}</Badge>
      ) : (
        <RoundedGrams amount={free.toFixed(2)} />
      );
    },
  },
  {
    head: 'Price',
    width: 'minmax(4rem, 0.5fr)',
    isNumber: true,
    sortBy: ({ purchasePrice }) => Number(purchasePrice),
    cell: ({ purchasePrice }) => purchasePrice !== null && <Money amount={purchasePrice} />,
  },
];
