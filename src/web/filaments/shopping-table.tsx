// The table of the shopping list. It draws all rows, because a printed page must have them all.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import inventoryStyles from '../inventory/inventory.module.css';
import { useMoney } from '../parts/money';
import { formatGrams } from '../parts/numbers';
import { filamentAddress } from '../parts/object-addresses';
import { formatSpoolGrams } from '../parts/spool-grams';
import { Swatch } from '../parts/swatch';
import styles from './shopping.module.css';
import type { Purchase } from './shopping-list';

interface ShoppingColumn {
  head: string;
  isNumber?: boolean;
  cell: (purchase: Purchase, money: (amount: string) => string) => ReactNode;
}

const COLUMNS: ShoppingColumn[] = [
  {
    head: 'Product',
    cell: ({ product: { id, name, vendor, colorHex } }) => (
      <div className={inventoryStyles['spool']}>
        <Swatch color={colorHex} />
        <div>
          <Link to={filamentAddress(id)}>{name}</Link>
          {vendor && <span className={inventoryStyles['quiet']}>{vendor}</span>}
        </div>
      </div>
    ),
  },
  { head: 'Article number', cell: ({ product }) => product.articleNumber },
  {
    head: 'Spools to order',
    isNumber: true,
    cell: ({ spools, product: { weightTotalGrams } }) => (
      <>
        <strong>{spools === null ? 'Unknown' : spools.toLocaleString()}</strong>
        <span className={inventoryStyles['quiet']}>
          {spools === null ? 'The net weight is 0 g.' : `of ${formatGrams(weightTotalGrams)}`}
        </span>
      </>
    ),
  },
  { head: 'Missing', isNumber: true, cell: ({ missingGrams }) => formatSpoolGrams(missingGrams) },
  { head: 'Remaining', isNumber: true, cell: ({ product: { stock } }) => formatSpoolGrams(stock.remainingGrams) },
  { head: 'Allocated to jobs', isNumber: true, cell: ({ product: { stock } }) => formatSpoolGrams(stock.plannedGrams) },
  {
    head: 'Minimum stock',
    isNumber: true,
    cell: ({ product: { minimumGrams } }) => minimumGrams && formatSpoolGrams(minimumGrams),
  },
  {
    head: 'Price per spool',
    isNumber: true,
    cell: ({ product: { purchasePrice } }, money) => purchasePrice && money(purchasePrice),
  },
  { head: 'Total price', isNumber: true, cell: ({ price }, money) => price && money(price) },
];

export function ShoppingTable({ purchases }: { purchases: readonly Purchase[] }) {
  const money = useMoney();
  return (
    <div className={styles['frame']}>
      <table className={styles['table']} aria-label="Products to buy">
        <thead>
          <tr>
            {COLUMNS.map(({ head, isNumber }) => (
              <th key={head} scope="col" data-number={isNumber}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {purchases.map((purchase) => (
            <tr key={purchase.product.id}>
              {COLUMNS.map(({ head, isNumber, cell }) => (
                <td key={head} data-head={head} data-number={isNumber}>
                  {cell(purchase, money)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
