// Shows the filament that ended jobs used and wasted, and the filament that was lost: over time, and by printer, spool, material or product.
import { useQuery } from '@apollo/client/react';
import { UsageDocument, type UsageGroup } from '../../generated/web-operations';
import { CsvLinks } from '../parts/csv-links';
import { addDays, startOfDay, timeZone, toDay } from '../parts/days';
import { ChoiceFilter, FieldFilter, Filters, useFilters } from '../parts/filters';
import { Loaded } from '../parts/loading-states';
import { Page } from '../parts/page';
import { useDebounced } from '../parts/use-debounced';
import type { PeriodStep } from './report-periods';
import { useUtcFallback, useZone } from './report-zone';
import { UsageReport } from './usage-report';

const STEPS = { '': 'Day', WEEK: 'Week', MONTH: 'Month' };
const GROUPS = { '': 'Material', PRINTER: 'Printer', SPOOL: 'Spool', FILAMENT: 'Product' };
/** The number of days before the user chooses a range. Today is the last of them. */
const SHOWN_DAYS = 30;

export function UsagePage() {
  const [getFilter] = useFilters();
  const zone = useZone();
  const isUtc = zone === 'UTC';
  const today = toDay(new Date(), isUtc);
  const firstShownDay = addDays(today, 1 - SHOWN_DAYS);
  const [first, last] = useDebounced([getFilter('from') || firstShownDay, getFilter('to') || today] as const);
  const getChoice = (name: string, choices: object) => (Object.hasOwn(choices, getFilter(name)) ? getFilter(name) : '');
  const step = (getChoice('step', STEPS) || 'DAY') as PeriodStep;
  const group = (getChoice('by', GROUPS) || 'MATERIAL') as UsageGroup;
  const from = startOfDay(first, isUtc) ?? null;
  const to = (startOfDay(last) && startOfDay(addDays(last), isUtc)) ?? null;
  const range = { from, to, timeZone: zone };
  const usage = useQuery(UsageDocument, { variables: { ...range, step, group } });
  const isZoneRejected = useUtcFallback(usage.error);
  const isUnknownZone = zone !== timeZone;
  return (
    <Page
      title="Reports"
      about={
        isUnknownZone ? `The gateway does not know your time zone, ${timeZone}: days start at midnight UTC.` : undefined
      }
      actions={<CsvLinks path="reports/filament-usage.csv" parameters={{ ...range, groupBy: [step, group] }} />}
    >
      <Filters>
        <FieldFilter label="From" name="from" type="date" fallback={firstShownDay} />
        <FieldFilter label="Until" name="to" type="date" fallback={today} />
        <ChoiceFilter label="Group by time" name="step" choices={STEPS} />
        <ChoiceFilter label="Group by" name="by" choices={GROUPS} />
      </Filters>
      <Loaded query={isZoneRejected ? { ...usage, error: undefined } : usage} what="the report" rows={8}>
        {(report) => (
          <UsageReport
            report={report}
            range={{ first, last, step, isUtc }}
            by={(GROUPS[group === 'MATERIAL' ? '' : (group as keyof typeof GROUPS)] ?? '').toLowerCase()}
          />
        )}
      </Loaded>
    </Page>
  );
}
