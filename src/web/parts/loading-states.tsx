// Shows the states of loaded data (loading, empty, a problem) and the outcome of an action.
import { type ReactNode, useContext, useState } from 'react';
import { Button } from './button';
import { IsLive } from './is-live';
import styles from './loading-states.module.css';
import { describeTemporary, toProblem } from './problem';

/** Placeholder bars, about as high as the data that will replace them, so that nothing moves. */
export function Loading({ rows = 6 }: { rows?: number }) {
  return (
    <div className={styles['loading']} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all the same
        <div key={index} className={styles['bar']} />
      ))}
    </div>
  );
}

/** @param action the button that adds the first object of the list */
export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles['empty']}>
      <p>{children}</p>
      {action}
    </div>
  );
}

interface ProblemProps {
  title: string;
  error: unknown;
  /** The sentence about the next step. */
  nextStep?: string;
  /** Whether the page itself tries again after a temporary problem. */
  isRetried?: boolean;
  onRetry?: () => void;
}

export function ProblemBox({ title, error, nextStep, isRetried = false, onRetry }: ProblemProps) {
  const problem = toProblem(error);
  const isTryingAgain = isRetried && problem.isTemporary;
  const message = isTryingAgain ? describeTemporary(error).slice(0, -1) : problem.message;
  const { requestId } = problem;
  const request = requestId === undefined ? '' : ` (request ${requestId})`;
  const end = /[.!…]$/.test(message) && requestId === undefined ? '' : '.';
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  return (
    <div className={styles['problem']} role="alert">
      <p>{`${title}. ${sentence}${request}${end} ${isTryingAgain ? TRYING_AGAIN : (nextStep ?? '')}`}</p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

export const TRYING_AGAIN = 'Trying again …';

/**
 * The outcome of an action, beside its button. It is drawn without text too, because screen readers announce a text only in a
 * region that existed before.
 */
export function Outcome({ children, isBad = false }: { children?: ReactNode; isBad?: boolean }) {
  return (
    <span className={styles['outcome']} data-tone={isBad ? 'bad' : 'good'} role={isBad ? 'alert' : 'status'}>
      {children}
    </span>
  );
}

interface QueryResult<Data> {
  data?: Data | undefined;
  previousData?: Data | undefined;
  error?: unknown;
  loading?: boolean;
  refetch: () => unknown;
}

/**
 * Shows the data of a query, even if they are outdated. Until they arrive it shows placeholder bars or the problem. After a
 * temporary problem, live-cache.ts sends the query again.
 */
export function Loaded<Data>(props: {
  query: QueryResult<Data>;
  /** The name of the data in the sentence "Could not load the farm." */
  what: string;
  rows?: number;
  children: (data: Data) => ReactNode;
}) {
  const { data, previousData, refetch } = props.query;
  const isLive = useContext(IsLive);
  const error = useLatestError(props.query);
  const latest = data ?? previousData;
  // The frame already shows that the gateway does not answer. A second message would move the data.
  const isShownInBanner =
    error !== undefined &&
    latest !== undefined &&
    (error instanceof TypeError || (!isLive && toProblem(error).isTemporary));
  return (
    <>
      {error !== undefined && !isShownInBanner && (
        <ProblemBox title={`Could not load ${props.what}`} error={error} isRetried onRetry={() => void refetch()} />
      )}
      {latest === undefined ? error === undefined && <Loading rows={props.rows ?? 6} /> : props.children(latest)}
    </>
  );
}

/** The error of a query until the query has its data. A query that is sent again has no error for a moment, and the page would flicker. */
function useLatestError({ data, error, loading = false }: QueryResult<unknown>): unknown {
  const [latest, setLatest] = useState(error);
  const current = error ?? (data !== undefined && !loading ? undefined : latest);
  if (current !== latest) setLatest(current);
  return current;
}

/** Combines two queries into one, with the data of both. */
export function combineQueries<One, Other>(
  first: QueryResult<One>,
  second: QueryResult<Other>,
): QueryResult<One & Other> {
  const [here, there] = [first.data ?? first.previousData, second.data ?? second.previousData];
  return {
    data: here && there && { ...here, ...there },
    error: first.error ?? second.error,
    loading: first.loading === true || second.loading === true,
    refetch: () => [first.refetch(), second.refetch()],
  };
}
