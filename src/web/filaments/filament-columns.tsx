// Defines the columns of the list of products (filaments, in the schema). The name links to the page of the product.
import { Link } from 'react-router';
import type { FilamentsQuery } from '../../generated/web-operations';
import styles from '../inventory/inventory.module.css';
import { Badge } from '../parts/badge';
import type { Column } from '../parts/data-table';
import { filamentAddress } from '../parts/object-addresses';
import { RoundedGrams } from '../parts/rounded-grams';
import { Swatch } from '../parts/swatch';

export type ListedFilament = FilamentsQuery['filaments']['nodes'][number];

export const FILAMENT_COLUMNS: Column<ListedFilament>[] = [
  {
    head: 'Product',
    width: 'minmax(10rem, 3fr)',
    sortBy: ({ name }) => name,
    cell: ({ id, name, vendor, colorHex, colorHexes, archivedAt }) => (
      <div className={styles['spool']}>
        <Swatch color={colorHex} colors={colorHexes} />
        <div>
          <Link to={filamentAddress(id)}>{name}</Link>
          {archivedAt && <Badge tone="muted">Archived</Badge>}
          {vendor && <span className={styles['quiet']}>{` ${vendor}`}</span>}
        </div>
      </div>
    ),
  },
  {
    head: 'Number',
    width: 'minmax(4.25rem, 0.5fr)',
    sortBy: ({ number }) => number,
    cell: ({ number }) => `#${number}`,
  },
  {
    head: 'Material',
    width: 'minmax(5rem, 1fr)',
    sortBy: ({ material }) => material.name,
    cell: ({ material }) => material.name,
  },
  {
    head: 'Spools',
    width: 'minmax(4rem, 1fr)',
    isNumber: true,
    sortBy: ({ stock }) => stock.spools,
    cell: ({ stock }) => stock.spools.toLocaleString(),
  },
  {
    head: 'Remaining',
    width: 'minmax(6rem, 1fr)',
    isNumber: true,
    sortBy: ({ stock }) => Number(stock.remainingGrams),
    cell: ({ stock }) => <RoundedGrams amount={stock.remainingGrams} />,
  },
  {
    head: 'Free',
    width: 'minmax(6rem, 1fr)',
    isNumber: true,
    sortBy: ({ stock }) => Number(stock.freeGrams),
    cell: ({ stock }) => <RoundedGrams amount={stock.freeGrams} />,
  },
  {
    head: 'Minimum',
    width: 'minmax(6rem, 1fr)',
    isNumber: true,
    sortBy: ({ minimumGrams }) => Number(minimumGrams),
    cell: ({ minimumGrams }) => minimumGrams && <RoundedGrams amount={minimumGrams} />,
  },
  {
    head: 'Stock',
    width: 'minmax(4rem, 1fr)',
    cell: ({ stock, minimumGrams, archivedAt }) =>
      archivedAt === null && minimumGrams !== null && <StockBadge isLow={stock.isLow} />,
  },
];

const StockBadge = ({ isLow }: { isLow: boolean }) =>
  isLow ? <Badge tone="warn">Low</Badge> : <Badge tone="good">Enough</Badge>;
