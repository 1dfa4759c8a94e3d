// The dialog in which a user renames, archives or removes a printer.
import { ArchivePrinterDocument, RemovePrinterDocument, UpdatePrinterDocument } from '../../generated/web-operations';
import { Editor, type EditorKind, type useEditor } from '../parts/editor';
import { Field } from '../parts/form';

export interface Printer {
  id: string;
  name: string;
  archivedAt: string | null;
  device: { id: string } | null;
}

const DEVICE_STAYS =
  'The gateway stays connected to this printer and still records its prints, but makes no jobs of them until you restore the ' +
  'printer. To stop recording, disable the connection on the page of the printer.';

const KIND: EditorKind<Printer, 'name', { name: string }> = {
  noun: 'printer',
  nameOf: ({ name }) => name,
  toTexts: (printer) => ({ name: printer?.name ?? '' }),
  toInput: (texts) => texts,
  toChanges: (texts) => texts,
  update: UpdatePrinterDocument,
  archive: ArchivePrinterDocument,
  archiveWarning: ({ device }) => (device ? DEVICE_STAYS : null),
  remove: RemovePrinterDocument,
};

interface PrinterEditorProps {
  editor: ReturnType<typeof useEditor<Printer>>;
  onRemoved?: () => void;
}

export const PrinterEditor = ({ editor, ...events }: PrinterEditorProps) => (
  <Editor
    kind={KIND}
    editor={editor}
    fields={(bind) => <Field {...bind('name')} label="Name" required />}
    {...events}
  />
);
