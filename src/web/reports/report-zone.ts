// The time zone in which the days of a report begin: the reader's, or UTC where the gateway does not know it.
import { makeVar } from '@apollo/client';
import { useReactiveVar } from '@apollo/client/react';
import { useEffect } from 'react';
import { timeZone } from '../parts/days';
import { problemOf } from '../parts/problem';

const zone = makeVar(timeZone);

export const useZone = (): string => useReactiveVar(zone);

/** Whether the gateway refuses the zone; then the next report is in UTC. */
export function useRefusal(error: unknown): boolean {
  const isRefused = error !== undefined && problemOf(error).issues.some(({ path }) => path[0] === 'timeZone');
  useEffect(() => {
    if (isRefused) zone('UTC');
  }, [isRefused]);
  return isRefused;
}
