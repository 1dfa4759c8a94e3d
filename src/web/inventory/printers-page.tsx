// The printers of the farm, to be made and changed here. A name leads to the page of its printer.
import { useQuery } from '@apollo/client/react';
import { Link } from 'react-router';
import {
  ArchivePrinterDocument,
  CreatePrinterDocument,
  PrintersDocument,
  type PrintersQuery,
  RemovePrinterDocument,
  UpdatePrinterDocument,
} from '../../generated/web-operations';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import type { Column } from '../parts/data-table';
import { Editor, type Kind, useEditor } from '../parts/editor';
import { Filters, SearchFilter } from '../parts/filters';
import { Field } from '../parts/form';
import { Moment } from '../parts/moment';
import { Page } from '../parts/page';
import { Loaded } from '../parts/states';
import { useMayWrite } from '../parts/viewer';
import { printerAddress } from '../prints/print-words';
import { ArchivedFilter, useArchived } from './archived-filter';
import { ObjectList } from './object-list';

type Printer = PrintersQuery['printers']['nodes'][number];

const DEVICE_STAYS =
  'Its device stays connected. What it prints is still recorded, and waits until the printer is used again, because an archived ' +
  'printer gets no jobs. To end that, disable or remove the device on the page of the printer.';

const KIND: Kind<Printer, 'name', { name: string }> = {
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

const COLUMNS: Column<Printer>[] = [
  {
    head: 'Printer',
    width: 'minmax(10rem, 3fr)',
    cell: ({ id, name }) => <Link to={printerAddress(id)}>{name}</Link>,
  },
  {
    head: 'Use',
    width: 'minmax(6rem, 1fr)',
    cell: ({ archivedAt }) => (archivedAt ? <Badge tone="muted">Archived</Badge> : <Badge tone="good">In use</Badge>),
  },
  { head: 'Added', width: 'minmax(7rem, 1fr)', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

export function PrintersPage() {
  const printers = useQuery(PrintersDocument, { variables: { archived: useArchived() }, context: { isWhole: true } });
  const editor = useEditor<Printer>();
  const mayWrite = useMayWrite();
  return (
    <Page
      title="Printers"
      actions={
        mayWrite && (
          <Button kind="main" onClick={() => editor.open()}>
            Add a printer
          </Button>
        )
      }
    >
      <Filters>
        <SearchFilter label="Search by name" />
        <ArchivedFilter />
      </Filters>
      <Loaded query={printers} what="The printers">
        {({ printers: { nodes } }) => (
          <ObjectList label="Printers" columns={COLUMNS} rows={nodes} nameOf={KIND.nameOf} onEdit={editor.open} />
        )}
      </Loaded>
      <Editor kind={KIND} editor={editor} fields={(bind) => <Field {...bind('name')} label="Name" />} />
    </Page>
  );
}
