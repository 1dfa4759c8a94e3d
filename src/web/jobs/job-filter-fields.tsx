// The fields in which a reader filters and orders the list of jobs.
import { useMemo } from 'react';
import { ChoiceFilter, FieldFilter, Filters, FoldedFilters, SearchFilter } from '../parts/filters';
import { OneOfManyFilter, SeveralFilter } from '../parts/filters-of-many';
import { JOB_STATUSES } from '../parts/job-statuses';
import { printerChoices, spoolChoices, usePrinters, useSpools } from '../parts/object-choices';
import { ORDERS, SOURCES } from './job-filter';

const STATUSES = Object.fromEntries(Object.entries(JOB_STATUSES).map(([status, { name }]) => [status, name]));

/** The order is no filter. */
const FOLDED = ['status', 'printer', 'spool', 'source', 'from', 'to'];

export function JobFilters() {
  const [printers, spools] = [usePrinters().data, useSpools().data];
  const ofPrinters = useMemo(() => printerChoices(printers?.printers.nodes ?? []), [printers]);
  const ofSpools = useMemo(() => spoolChoices(spools?.spools.nodes ?? []), [spools]);
  return (
    <Filters>
      <SearchFilter label="Search by name" />
      <FoldedFilters names={FOLDED}>
        <SeveralFilter label="Status" name="status" choices={STATUSES} />
        <OneOfManyFilter label="Printer" name="printer" choices={ofPrinters} />
        <OneOfManyFilter label="Spool" name="spool" choices={ofSpools} />
        <ChoiceFilter label="Data source" name="source" choices={{ '': 'All', ...SOURCES }} />
        <FieldFilter label="Created from" name="from" type="date" />
        <FieldFilter label="Created until" name="to" type="date" />
        <ChoiceFilter label="Sort by" name="order" choices={ORDERS} />
      </FoldedFilters>
    </Filters>
  );
}
