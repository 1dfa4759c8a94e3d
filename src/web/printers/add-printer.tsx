// The buttons that add a printer. Their dialog arrives when it is first opened.
import { createContext, lazy, type ReactNode, Suspense, useContext, useState } from 'react';
import { Button } from '../parts/button';
import { useMayWrite } from '../parts/use-viewer';

const AddPrinterDialog = lazy(() => import('./add-printer-dialog'));

const Open = createContext(() => {});

/** Around a page with these buttons: its dialog stays when the first printer takes the place of the empty list. */
export function AddingPrinters({ children }: { children: ReactNode }) {
  const [state, setState] = useState<'unopened' | 'open' | 'closed'>('unopened');
  return (
    <Open.Provider value={() => setState('open')}>
      {children}
      <Suspense>
        {state !== 'unopened' && <AddPrinterDialog isOpen={state === 'open'} onClose={() => setState('closed')} />}
      </Suspense>
    </Open.Provider>
  );
}

export function AddPrinter({ isFirst = false }: { isFirst?: boolean }) {
  const open = useContext(Open);
  if (!useMayWrite()) return null;
  return (
    <Button kind="main" onClick={open}>
      {isFirst ? 'Add your first printer' : 'Add a printer'}
    </Button>
  );
}
