// The button that adds a printer. Its dialog arrives when it is first opened.
import { lazy, Suspense } from 'react';
import { Button } from '../parts/button';
import { useEditor } from '../parts/editor';
import { useMayWrite } from '../parts/viewer';
import type { Printer } from './printer-editor';

const PrinterEditor = lazy(() => import('./printer-editor'));

export function AddPrinter() {
  const editor = useEditor<Printer>();
  if (!useMayWrite()) return null;
  return (
    <>
      <Button kind="main" onClick={() => editor.open()}>
        Add a printer
      </Button>
      <Suspense>{editor.wasOpen && <PrinterEditor editor={editor} />}</Suspense>
    </>
  );
}
