// Provides the states and connections of all printers to the parts of the farm page that compare printers. It polls them, because
// none arrive while the stream is lost.
import { useQuery } from '@apollo/client/react';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { FarmStatesDocument, type FarmStatesQuery } from '../../generated/web-operations';
import { POLLING } from '../parts/poll-interval';

type StateRow = FarmStatesQuery['printers']['nodes'][number];

const FarmStates = createContext<ReadonlyMap<string, StateRow>>(new Map());

/** A new state draws this provider and the parts that use it, but not the rest of the page. */
export function FarmStatesProvider({ children }: { children: ReactNode }) {
  const { data } = useQuery(FarmStatesDocument, { ...POLLING, context: { isWhole: true } });
  const states = useMemo(() => new Map(data?.printers.nodes.map((row) => [row.id, row])), [data]);
  return <FarmStates.Provider value={states}>{children}</FarmStates.Provider>;
}

/** @returns the states by the id of the printer; a printer has no entry while its state is loading */
export const useFarmStates = (): ReadonlyMap<string, StateRow> => useContext(FarmStates);
