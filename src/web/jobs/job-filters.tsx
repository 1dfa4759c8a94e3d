// The filters of the list of jobs, and its order.
import { useQuery } from '@apollo/client/react';
import { JobChoicesDocument } from '../../generated/web-operations';
import { ChoiceFilter, Filters, SearchFilter } from '../parts/filters';
import { DayFilter, SeveralFilter } from '../parts/more-filters';
import { inNaturalOrder, JOB_STATUSES } from '../parts/words';
import { ORDERS, SOURCES } from './job-filter';

const ALL = { '': 'All' };
const STATUSES = Object.fromEntries(Object.entries(JOB_STATUSES).map(([status, { name }]) => [status, name]));

export function JobFilters() {
  const { data } = useQuery(JobChoicesDocument);
  const printers = namesOf(data?.printers.nodes ?? [], ({ name }) => name);
  const spools = namesOf(data?.spools.nodes ?? [], ({ spoolSerial }) => spoolSerial);
  return (
    <Filters>
      <SearchFilter label="Search by name" />
      <SeveralFilter label="Status" name="status" choices={STATUSES} />
      <ChoiceFilter label="Printer" name="printer" choices={printers} />
      <ChoiceFilter label="Spool" name="spool" choices={spools} />
      <ChoiceFilter label="Source" name="source" choices={{ ...ALL, ...SOURCES }} />
      <DayFilter label="Created from" name="from" />
      <DayFilter label="Created until" name="to" />
      <ChoiceFilter label="Order" name="order" choices={ORDERS} />
    </Filters>
  );
}

/** Names by id, in natural order. */
function namesOf<Row extends { id: string }>(rows: readonly Row[], nameOf: (row: Row) => string) {
  const sorted = [...rows].sort((one, other) => inNaturalOrder(nameOf(one), nameOf(other)));
  return { ...ALL, ...Object.fromEntries(sorted.map((row) => [row.id, nameOf(row)])) };
}
