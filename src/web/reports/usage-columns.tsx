// Defines the columns of the filament that ended jobs used and wasted, and of filament that was lost.
import type { LossesFragment, UsageSumsFragment } from '../../generated/web-operations';
import type { Column } from '../parts/data-table';
import { Money } from '../parts/money';
import { RoundedGrams } from '../parts/rounded-grams';

export const USAGE_COLUMNS: Column<UsageSumsFragment>[] = [
  {
    head: 'Completed jobs',
    width: 'minmax(5rem, 1fr)',
    isNumber: true,
    sortBy: ({ completedJobs }) => completedJobs,
    cell: ({ completedJobs }) => completedJobs,
  },
  {
    head: 'Used',
    width: 'minmax(6rem, 1fr)',
    isNumber: true,
    sortBy: ({ completedGrams }) => Number(completedGrams),
    cell: ({ completedGrams }) => <RoundedGrams amount={completedGrams} />,
  },
  {
    head: 'Cost',
    width: 'minmax(5rem, 1fr)',
    isNumber: true,
    sortBy: ({ completedCost }) => Number(completedCost),
    cell: ({ completedCost }) => <Money amount={completedCost} />,
  },
  {
    head: 'Failed or cancelled',
    width: 'minmax(6rem, 1fr)',
    isNumber: true,
    sortBy: ({ wastedJobs }) => wastedJobs,
    cell: ({ wastedJobs }) => wastedJobs,
  },
  {
    head: 'Wasted',
    width: 'minmax(6.5rem, 1fr)',
    isNumber: true,
    sortBy: ({ wastedGrams }) => Number(wastedGrams),
    cell: ({ wastedGrams }) => <RoundedGrams amount={wastedGrams} />,
  },
  {
    head: 'Cost of waste',
    width: 'minmax(6rem, 1fr)',
    isNumber: true,
    sortBy: ({ wastedCost }) => Number(wastedCost),
    cell: ({ wastedCost }) => <Money amount={wastedCost} />,
  },
];

/** Grams that no job used: weighings and corrections found them missing, or they were thrown away. */
export const LOSS_COLUMNS: Column<LossesFragment>[] = [
  {
    head: 'Lost',
    width: 'minmax(6rem, 1fr)',
    isNumber: true,
    sortBy: ({ lostGrams }) => Number(lostGrams),
    cell: ({ lostGrams }) => lostGrams !== null && <RoundedGrams amount={lostGrams} />,
  },
  {
    head: 'Cost of loss',
    width: 'minmax(7.5rem, 1fr)',
    isNumber: true,
    sortBy: ({ lostCost }) => Number(lostCost),
    cell: ({ lostCost }) => lostCost !== null && <Money amount={lostCost} />,
  },
];
