// The dialog in which a printer is added, changed, archived and removed.
import { useNavigate } from 'react-router';
import {
  ArchivePrinterDocument,
  CreatePrinterDocument,
  type CreatePrinterMutation,
  RemovePrinterDocument,
  UpdatePrinterDocument,
} from '../../generated/web-operations';
import { Editor, type Kind, type useEditor } from '../parts/editor';
import { Field } from '../parts/form';
import { printerAddress } from '../prints/print-words';

export interface Printer {
  id: string;
  name: string;
  archivedAt: string | null;
  device: { id: string } | null;
}

const DEVICE_STAYS =
  'Its device stays connected. What it prints is still recorded, and waits until the printer is used again, because an archived ' +
  'printer gets no jobs. To end that, disable or remove the device on the page of the printer.';

export const PRINTER_KIND: Kind<Printer, 'name', { name: string }> = {
  noun: 'printer',
  nameOf: ({ name }) => name,
  textsOf: (printer) => ({ name: printer?.name ?? '' }),
  inputOf: (texts) => texts,
  changesOf: (texts) => texts,
  create: CreatePrinterDocument,
  update: UpdatePrinterDocument,
  archive: ArchivePrinterDocument,
  archivedWith: ({ device }) => (device ? DEVICE_STAYS : null),
  remove: RemovePrinterDocument,
};

interface PrinterEditorProps {
  editor: ReturnType<typeof useEditor<Printer>>;
}

export default function PrinterEditor({ editor }: PrinterEditorProps) {
  const navigate = useNavigate();
  const show = (saved: unknown) => {
    // Its machine is connected, and its spools are loaded, on its own page.
    if (editor.row === undefined) void navigate(printerAddress((saved as CreatePrinterMutation).createPrinter.id));
  };
  return (
    <Editor
      kind={PRINTER_KIND}
      editor={editor}
      fields={(bind) => <Field {...bind('name')} label="Name" placeholder="Bay 1" />}
      onSaved={show}
    />
  );
}
