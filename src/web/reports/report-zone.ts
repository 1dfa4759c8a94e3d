// Holds the time zone of the days of a report: the reader's, or UTC if the gateway does not know the reader's.
import { makeVar } from '@apollo/client';
import { useReactiveVar } from '@apollo/client/react';
import { useEffect } from 'react';
import { timeZone } from '../parts/days';
import { toProblem } from '../parts/problem';

const zone = makeVar(timeZone);

export const useZone = (): string => useReactiveVar(zone);

/** Switches reports to UTC if the gateway rejected the time zone. Returns whether it did. */
export function useUtcFallback(error: unknown): boolean {
  const isRejected = error !== undefined && toProblem(error).issues.some(({ path }) => path[0] === 'timeZone');
  useEffect(() => {
    if (isRejected) zone('UTC');
  }, [isRejected]);
  return isRejected;
}
