// The filament that ended jobs used and wasted, and what was lost besides: over time, and by printer, spool, material or filament.
import { useQuery } from '@apollo/client/react';
import { UsageDocument, type UsageGroup } from '../../generated/web-operations';
import { CsvLinks } from '../parts/csv-links';
import { beginOfDay, dayAfter, dayOf, timeZone } from '../parts/days';
import { useDebounced } from '../parts/debounced';
import { ChoiceFilter, FieldFilter, Filters, useFilters } from '../parts/filters';
import { Loaded } from '../parts/loading-states';
import { Page } from '../parts/page';
import type { PeriodStep } from './report-periods';
import { useRefusal, useZone } from './report-zone';
import { UsageReport } from './usage-report';

const STEPS = { '': 'Day', WEEK: 'Week', MONTH: 'Month' };
const GROUPS = { '': 'Material', PRINTER: 'Printer', SPOOL: 'Spool', FILAMENT: 'Product' };
/** Today is one of them. */
const SHOWN_DAYS = 30;

export function UsagePage() {
  const [of] = useFilters();
  const zone = useZone();
  const isUtc = zone === 'UTC';
  const today = dayOf(new Date(), isUtc);
  const begin = dayAfter(today, 1 - SHOWN_DAYS);
  const [first, last] = useDebounced([of('from') || begin, of('to') || today] as const);
  const chosen = (name: string, choices: object) => (Object.hasOwn(choices, of(name)) ? of(name) : '');
  const step = (chosen('step', STEPS) || 'DAY') as PeriodStep;
  const group = (chosen('by', GROUPS) || 'MATERIAL') as UsageGroup;
  const from = beginOfDay(first, isUtc) ?? null;
  const to = (beginOfDay(last) && beginOfDay(dayAfter(last), isUtc)) ?? null;
  const range = { from, to, timeZone: zone };
  const usage = useQuery(UsageDocument, { variables: { ...range, step, group } });
  const isRefused = useRefusal(usage.error);
  const isOther = zone !== timeZone;
  return (
    <Page
      title="Reports"
      about={isOther ? `The gateway does not know your time zone, ${timeZone}: days start at midnight UTC.` : undefined}
      actions={<CsvLinks path="reports/filament-usage.csv" members={{ ...range, groupBy: [step, group] }} />}
    >
      <Filters>
        <FieldFilter label="From" name="from" type="date" otherwise={begin} />
        <FieldFilter label="Until" name="to" type="date" otherwise={today} />
        <ChoiceFilter label="Group by time" name="step" choices={STEPS} />
        <ChoiceFilter label="Group by" name="by" choices={GROUPS} />
      </Filters>
      <Loaded query={isRefused ? { ...usage, error: undefined } : usage} what="the report" rows={8}>
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
