// The fields that filter and sort the list of jobs.
import { useMemo } from 'react';
import { ChoiceFilter, FieldFilter, Filters, FoldedFilters, SearchFilter } from '../parts/filters';
import { OneOfManyFilter, SeveralFilter } from '../parts/filters-of-many';
import { JOB_STATUSES } from '../parts/job-statuses';
import { printerChoices, spoolChoices, usePrinters, useSpools } from '../parts/object-choices';
import { ORDERS, RECORDINGS, SOURCES } from './job-filter';

const STATUSES = Object.fromEntries(Object.entries(JOB_STATUSES).map(([status, { name }]) => [status, name]));

/** The filters that a narrow window hides. The order is not counted as a filter. */
const FOLDED_FILTERS = ['status', 'printer', 'spool', 'recorded', 'source', 'from', 'to'];

export function JobFilters() {
  const [printers, spools] = [usePrinters().data, useSpools().data];
  const printerOptions = useMemo(() => printerChoices(printers?.printers.nodes ?? []), [printers]);
  const spoolOptions = useMemo(() => spoolChoices(spools?.spools.nodes ?? []), [spools]);
  return (
    <Filters>
      <SearchFilter label="Search by name" />
      <FoldedFilters names={FOLDED_FILTERS}>
        <SeveralFilter label="Status" name="status" choices={STATUSES} />
        <OneOfManyFilter label="Printer" name="printer" choices={printerOptions} />
        <OneOfManyFilter label="Spool" name="spool" choices={spoolOptions} />
        <SeveralFilter label="Recorded" name="recorded" choices={RECORDINGS} />
        <ChoiceFilter label="Data source" name="source" choices={{ '': 'All', ...SOURCES }} />
        <FieldFilter label="Created from" name="from" type="date" />
        <FieldFilter label="Created until" name="to" type="date" />
        <ChoiceFilter label="Sort by" name="order" choices={ORDERS} />
      </FoldedFilters>
    </Filters>
  );
}
