// The jobs that ended today in one line, with a link to the report.
import { useQuery } from '@apollo/client/react';
import { Link } from 'react-router';
import { TodayDocument } from '../../generated/web-operations';
import { startOfDay, toDay } from '../parts/days';
import { Loaded } from '../parts/loading-states';
import { useNow } from '../parts/moment';
import { useMoney } from '../parts/money';
import { formatGrams } from '../parts/numbers';
import { Section } from '../parts/page';
import styles from './farm.module.css';

export function TodayLine() {
  const money = useMoney();
  const day = toDay(new Date(useNow()));
  const query = useQuery(TodayDocument, { variables: { from: startOfDay(day) ?? null, filter: null } });
  return (
    <Section title="Today">
      <Loaded query={query} what="the report of today" rows={1}>
        {({ total: [sum] }) => (
          <p className={styles['today']}>
            {sum === undefined || sum.completedJobs + sum.wastedJobs === 0 ? (
              <span>No jobs finished today.</span>
            ) : (
              <>
                <span>{`${sum.completedJobs} completed: ${formatGrams(sum.completedGrams)}, cost ${money(sum.completedCost)}`}</span>
                <span>{`${sum.wastedJobs} failed or cancelled: ${formatGrams(sum.wastedGrams)}, cost ${money(sum.wastedCost)}`}</span>
              </>
            )}
            <Link to={`/reports?from=${day}&by=PRINTER`}>View report</Link>
          </p>
        )}
      </Loaded>
    </Section>
  );
}
