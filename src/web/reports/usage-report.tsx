// Shows the report: its sums, its plots, and the same numbers as tables.
import { lazy } from 'react';
import type { LossesFragment, UsageQuery, UsageSumsFragment } from '../../generated/web-operations';
import { type Column, DataTable } from '../parts/data-table';
import { Facts } from '../parts/facts';
import { Figure, Figures } from '../parts/figure';
import { Empty } from '../parts/loading-states';
import { useMoney } from '../parts/money';
import { formatGrams } from '../parts/numbers';
import { Section } from '../parts/page';
import { SortedTable } from '../parts/sorted-table';
import { useCurrency } from '../parts/use-viewer';
import { findDay, formatPeriod, groupIntoBars, type ReportRange } from './report-periods';
import styles from './usage.module.css';
import { LOSS_COLUMNS, USAGE_COLUMNS } from './usage-columns';

const UsagePlot = lazy(() => import('./usage-plot'));

type Row = UsageSumsFragment & LossesFragment & { id: string; name: string };

const createColumns = (head: string, rows: readonly Row[]): Column<Row>[] => [
  { head, width: 'minmax(7rem, 2fr)', sortBy: ({ name }) => name, cell: ({ name }) => name },
  ...USAGE_COLUMNS,
  // Losses belong to spools, so printers have none.
  ...(rows.every(({ lostGrams }) => lostGrams === null) ? [] : LOSS_COLUMNS),
];

export function UsageReport({ report, range, by }: { report: UsageQuery; range: ReportRange; by: string }) {
  const money = useMoney();
  const currency = useCurrency();
  const total = report.total[0];
  if (total === undefined || report.overTime.length === 0)
    return <Empty>No jobs finished in this time. Choose other dates.</Empty>;
  const { step, bars } = groupIntoBars(range, report.overTime);
  const overTime = [...bars].map(([day, rows]) => ({ name: formatPeriod(day, step), ...sumRows(rows) }));
  const timeLabel = step === range.step ? 'over time' : `over time, by ${step.toLowerCase()}`;
  const rows = report.overTime.map((row) => ({
    ...row,
    id: findDay(row.from, range),
    name: formatPeriod(findDay(row.from, range), range.step),
  }));
  const groups = report.byGroup.map((row) => ({
    ...row,
    id: (row.printer ?? row.spool ?? row.material ?? row.filament)?.id ?? '',
    name: getGroupName(row, by),
  }));
  return (
    <>
      <Facts
        facts={{
          'Completed jobs': total.completedJobs.toLocaleString(),
          'Filament used': formatGrams(total.completedGrams),
          Cost: money(total.completedCost),
          'Failed or cancelled': total.wastedJobs.toLocaleString(),
          'Filament wasted': `${formatGrams(total.wastedGrams)} (${formatWasteShare(total)})`,
          'Cost of waste': money(total.wastedCost),
          'Lost (weighed less than booked)': `${formatGrams(total.lostGrams ?? '0')} (cost ${money(total.lostCost ?? '0')})`,
        }}
      />
      <div className={styles['figures']}>
        <Figures>
          <Figure caption={`Filament used ${timeLabel}`}>
            <UsagePlot
              label={`Filament used ${timeLabel}`}
              unit="g"
              rows={overTime.map(({ name, grams }) => ({ name, ...grams }))}
            />
          </Figure>
          <Figure caption={`Filament used by ${by}`}>
            <UsagePlot label={`Filament used by ${by}`} unit="g" rows={selectBiggest(groups)} isHorizontal />
          </Figure>
          <Figure caption={`Cost ${timeLabel}`}>
            <UsagePlot
              label={`Cost ${timeLabel}`}
              unit={currency}
              rows={overTime.map(({ name, cost }) => ({ name, ...cost }))}
            />
          </Figure>
        </Figures>
      </div>
      <Section title={`By ${by}`}>
        <SortedTable
          label={`Usage by ${by}`}
          columns={createColumns('Name', groups)}
          rows={groups}
          getKey={({ id }) => id}
        />
      </Section>
      <Section title="Over time">
        <DataTable label="Usage over time" columns={createColumns('From', rows)} rows={rows} getKey={({ id }) => id} />
      </Section>
    </>
  );
}

function getGroupName({ printer, spool, material, filament }: UsageQuery['byGroup'][number], by: string): string {
  if (filament !== null) return filament.vendor === null ? filament.name : `${filament.vendor} ${filament.name}`;
  return printer?.name ?? spool?.spoolSerial ?? material?.name ?? (by === 'product' ? 'No product' : 'Unknown');
}

/** More names would be too small to read. */
const MAX_NAMES = 12;

/** Keeps the biggest groups, and adds up all others as one bar. */
function selectBiggest(groups: readonly Row[]) {
  const bars = groups
    .map((row) => ({ name: row.name, ...sumRows([row]).grams }))
    .sort((a, b) => b.completed + b.wasted - (a.completed + a.wasted));
  const others = bars.slice(MAX_NAMES);
  if (others.length === 0) return bars;
  const sum = (member: 'completed' | 'wasted') => others.reduce((sum, bar) => sum + bar[member], 0);
  const name = `${others.length} others`;
  return [...bars.slice(0, MAX_NAMES), { name, completed: sum('completed'), wasted: sum('wasted') }];
}

/** Plots need numbers. The tables show the decimals with all their digits. */
function sumRows(rows: readonly UsageSumsFragment[]) {
  const sum = (member: keyof UsageSumsFragment) => rows.reduce((sum, row) => sum + Number(row[member]), 0);
  return {
    grams: { completed: sum('completedGrams'), wasted: sum('wastedGrams') },
    cost: { completed: sum('completedCost'), wasted: sum('wastedCost') },
  };
}

function formatWasteShare({ completedGrams, wastedGrams }: UsageSumsFragment): string {
  const totalGrams = Number(completedGrams) + Number(wastedGrams);
  return `${totalGrams === 0 ? 0 : Math.round((Number(wastedGrams) / totalGrams) * 100)} %`;
}
