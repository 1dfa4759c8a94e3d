// The states of a place for data (loading, empty, a problem), and the outcome of an action.
import type { ReactNode } from 'react';
import { Button } from './button';
import styles from './loading-states.module.css';
import { problemOf } from './problem';

/** It is as high as the data that will come, so that nothing moves. */
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

/** @param action the button that makes the first of what will be here */
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
  then?: string;
  onRetry?: () => void;
}

export function ProblemBox({ title, error, then, onRetry }: ProblemProps) {
  const { message, requestId } = problemOf(error);
  const request = requestId === undefined ? '' : ` (request ${requestId})`;
  const end = /[.!…]$/.test(message) && requestId === undefined ? '' : '.';
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  return (
    <div className={styles['problem']} role="alert">
      <p>{`${title}. ${sentence}${request}${end} ${then ?? ''}`}</p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

/** Stands where the click was. Empty while there is nothing to say: the region must be there before its text. */
export function Outcome({ children, isBad = false }: { children?: ReactNode; isBad?: boolean }) {
  return (
    <span className={styles['outcome']} data-tone={isBad ? 'bad' : 'good'} role={isBad ? 'alert' : 'status'}>
      {children}
    </span>
  );
}

interface Asked<Data> {
  data?: Data | undefined;
  previousData?: Data | undefined;
  error?: unknown;
  refetch: () => unknown;
}

/** A query's data once it is there, even when it is old; before it the bars, or the problem. */
export function Loaded<Data>(props: {
  query: Asked<Data>;
  /** Names the data in the sentence "Could not load the farm." */
  what: string;
  rows?: number;
  children: (data: Data) => ReactNode;
}) {
  const { data, previousData, error, refetch } = props.query;
  const latest = data ?? previousData;
  // That the gateway does not answer is shown at the foot of the window, so the shown data stay in their place.
  const isSaidBelow = latest !== undefined && error instanceof TypeError;
  return (
    <>
      {error !== undefined && !isSaidBelow && (
        <ProblemBox title={`Could not load ${props.what}`} error={error} onRetry={() => void refetch()} />
      )}
      {latest === undefined ? error === undefined && <Loading rows={props.rows ?? 6} /> : props.children(latest)}
    </>
  );
}

/** Two queries as one, with the data of both. */
export function both<One, Other>(one: Asked<One>, other: Asked<Other>): Asked<One & Other> {
  const [here, there] = [one.data ?? one.previousData, other.data ?? other.previousData];
  return {
    data: here && there && { ...here, ...there },
    error: one.error ?? other.error,
    refetch: () => [one.refetch(), other.refetch()],
  };
}
