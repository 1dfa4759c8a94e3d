// The button that adds a printer. Its dialog arrives when it is first opened.
import { lazy, Suspense, useState } from 'react';
import { Button } from '../parts/button';
import { useMayWrite } from '../parts/use-viewer';

const AddPrinterDialog = lazy(() => import('./add-printer-dialog'));

export function AddPrinter() {
  const [state, setState] = useState<'unopened' | 'open' | 'closed'>('unopened');
  if (!useMayWrite()) return null;
  return (
    <>
      <Button kind="main" onClick={() => setState('open')}>
        Add a printer
      </Button>
      <Suspense>
        {state !== 'unopened' && <AddPrinterDialog isOpen={state === 'open'} onClose={() => setState('closed')} />}
      </Suspense>
    </>
  );
}
