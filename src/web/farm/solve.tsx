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

type DialogAction = Exclude<TileAction, 'OPEN_PRINTER'>;

const Solve = createContext<(printerId: string, action: DialogAction) => void>(() => {});

/** A function that opens the dialog for a printer. */
export const useSolve = () => useContext(Solve);

export function SolveProvider({ children }: { children: ReactNode }) {
  const apollo = useApolloClient();
  const decision = useDecision();
  const [connection, setConnection] = useState<{ printerId: string; isOpen: boolean }>();
  const askAboutPrints = async (printerId: string, action: DialogAction) => {
    const { data } = await apollo
      .query({ query: WaitingPrintsDocument, variables: { printerId }, fetchPolicy: 'network-only' })
      .catch(() => ({ data: undefined }));
    if (data === undefined) announce(NO_ANSWER);
    else if (action === 'SET_OUTCOME') decision.ask(data.forOutcome.nodes, 'outcome');
    else decision.ask(data.forSpool.nodes, 'spools');
  };
  const solve = (printerId: string, action: DialogAction) => {
    if (action === 'EDIT_CONNECTION') setConnection({ printerId, isOpen: true });
    else void askAboutPrints(printerId, action);
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
      </Suspense>
    </Solve.Provider>
  );
}
