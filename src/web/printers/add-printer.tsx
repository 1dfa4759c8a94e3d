// The buttons that add a printer. Their dialog is loaded when it is first opened.
import { createContext, lazy, type ReactNode, Suspense, useContext, useState } from 'react';
import { Button } from '../parts/button';
import { useMayWrite } from '../parts/use-viewer';

const AddPrinterDialog = lazy(() => import('./add-printer-dialog'));

const OpenDialog = createContext(() => {});

/**
 * Holds the dialog of a page with these buttons. The dialog must stay open when the first printer replaces the empty list with its
 * button.
 */
export function AddPrinterProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<'unopened' | 'open' | 'closed'>('unopened');
  return (
    <OpenDialog.Provider value={() => setState('open')}>
      {children}
      <Suspense>
        {state !== 'unopened' && <AddPrinterDialog isOpen={state === 'open'} onClose={() => setState('closed')} />}
      </Suspense>
    </OpenDialog.Provider>
  );
}

export function AddPrinter({ isFirst = false }: { isFirst?: boolean }) {
  const open = useContext(OpenDialog);
  if (!useMayWrite()) return null;
  return (
    <Button kind="main" onClick={open}>
      {isFirst ? 'Add your first printer' : 'Add a printer'}
    </Button>
  );
}
