// The dialogs that solve what a person is needed for. The tiles and the alerts of the farm page open them.
import { useApolloClient } from '@apollo/client/react';
import { createContext, lazy, type ReactNode, Suspense, useContext, useState } from 'react';
import { WaitingPrintsDocument } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { NO_ANSWER } from '../parts/problem';
import { DecisionDialog, useDecision } from '../prints/print-decisions';
import type { TileAction } from './tile-state';

/** Loaded when it is first opened, because few users need its fields on the farm page. */
const ConnectionDialog = lazy(() => import('../printers/connection-dialog'));
/** Loaded when it is first opened, because its search field would be a fifth of the first load of the farm page. */
const SlotDialog = lazy(() => import('../printers/slot-dialog'));

type DialogAction = Exclude<TileAction, 'OPEN_PRINTER'>;

const Solve = createContext<(printerId: string, action: DialogAction, slot?: string) => void>(() => {});

/** A function that opens the dialog for a printer. Only CHANGE_SPOOL needs the slot. */
export const useSolve = () => useContext(Solve);

export function SolveProvider({ children }: { children: ReactNode }) {
  const apollo = useApolloClient();
  const decision = useDecision();
  const [connection, setConnection] = useState<{ printerId: string; isOpen: boolean }>();
  const [load, setLoad] = useState<{ printerId: string; slot: string; isOpen: boolean }>();
  const askAboutPrints = async (printerId: string, action: DialogAction) => {
    const { data } = await apollo
      .query({ query: WaitingPrintsDocument, variables: { printerId }, fetchPolicy: 'network-only' })
      .catch(() => ({ data: undefined }));
    if (data === undefined) announce(NO_ANSWER);
    else if (action === 'SET_OUTCOME') decision.ask(data.forOutcome.nodes, 'outcome');
    else decision.ask(data.forSpool.nodes, 'spools');
  };
  const solve = (printerId: string, action: DialogAction, slot?: string) => {
    if (action === 'EDIT_CONNECTION') setConnection({ printerId, isOpen: true });
    else if (action !== 'CHANGE_SPOOL') void askAboutPrints(printerId, action);
    else if (slot !== undefined) setLoad({ printerId, slot, isOpen: true });
  };
  return (
    <Solve.Provider value={solve}>
      {children}
      <DecisionDialog decision={decision} />
      <Suspense>
        {connection && (
          <ConnectionDialog
            key={connection.printerId}
            {...connection}
            onClose={() => setConnection({ ...connection, isOpen: false })}
          />
        )}
        {load && <SlotDialog key={load.printerId} {...load} onClose={() => setLoad({ ...load, isOpen: false })} />}
      </Suspense>
    </Solve.Provider>
  );
}
