// The jobs that ended today: how much each printer used from which spool.
import { useQuery } from '@apollo/client/react';
import { Link } from 'react-router';
import { TodayDocument, type TodayQuery } from '../../generated/web-operations';
import { type Column, DataTable } from '../parts/data-table';
import { startOfDay, toDay } from '../parts/days';
import { compareNaturally } from '../parts/formats';
import { Empty, Loaded } from '../parts/loading-states';
import { useNow } from '../parts/moment';
import { useMoney } from '../parts/money';
import { formatGrams } from '../parts/numbers';
import { printerAddress } from '../parts/object-addresses';
import { Section } from '../parts/page';
import { USAGE_COLUMNS } from '../reports/usage-columns';

type Row = TodayQuery['byPrinter'][number];

const PRINTER: Column<Row> = {
  head: 'Printer',
  width: 'minmax(8rem, 2fr)',
  cell: ({ printer }) => printer && <Link to={printerAddress(printer.id)}>{printer.name}</Link>,
};
const USED: Column<Row>[] = [
  {
    head: 'Spool',
    width: 'minmax(8rem, 2fr)',
    cell: ({ spool }) => spool && `${spool.spoolSerial} (${spool.material.name})`,
  },
  ...USAGE_COLUMNS,
];

/** @param printerId the printer whose jobs are shown; all printers if it is missing */
export function Today({ printerId = null }: { printerId?: string | null }) {
  const day = toDay(new Date(useNow()));
  const filter = printerId === null ? null : { printerId };
  const query = useQuery(TodayDocument, { variables: { from: startOfDay(day) ?? null, filter } });
  const total = query.data?.total[0];
  return (
    <Section title="Finished today" about={total && <Totals total={total} />}>
      <Loaded query={query} what="the jobs of today">
        {({ byPrinter }) =>
          byPrinter.length === 0 ? (
            <Empty>No jobs finished today.</Empty>
          ) : (
            <DataTable
              label="Finished today"
              columns={printerId === null ? [PRINTER, ...USED] : USED}
              rows={[...byPrinter].sort((a, b) => compareNaturally(getPrinterName(a), getPrinterName(b)))}
              getKey={({ printer, spool }) => `${printer?.id} ${spool?.id}`}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

const getPrinterName = ({ printer }: Row) => printer?.name ?? '';

function Totals({ total }: { total: TodayQuery['total'][number] }) {
  const money = useMoney();
  const { completedGrams, completedCost, wastedGrams, wastedCost } = total;
  const completed = `Completed: ${formatGrams(completedGrams)}, cost ${money(completedCost)}.`;
  return <span>{`${completed} Wasted: ${formatGrams(wastedGrams)}, cost ${money(wastedCost)}.`}</span>;
}
