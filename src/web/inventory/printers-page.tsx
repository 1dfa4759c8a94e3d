// Lists the printers of the farm. Users add and change printers here. The name links to the page of the printer.
import { useQuery } from '@apollo/client/react';
import { Link } from 'react-router';
import { PrintersDocument, type PrintersQuery } from '../../generated/web-operations';
import { Badge } from '../parts/badge';
import type { Column } from '../parts/data-table';
import { useEditor } from '../parts/editor';
import { Filters, SearchFilter } from '../parts/filters';
import { Empty, Loaded } from '../parts/loading-states';
import { Moment } from '../parts/moment';
import { printerAddress } from '../parts/object-addresses';
import { Page } from '../parts/page';
import { AddPrinter, AddPrinterProvider } from '../printers/add-printer';
import { type Printer as EditedPrinter, PrinterEditor } from '../printers/printer-editor';
import { ArchivedFilter, useArchived } from './archived-filter';
import { ObjectList } from './object-list';

type Printer = PrintersQuery['printers']['nodes'][number];

const COLUMNS: Column<Printer>[] = [
  {
    head: 'Printer',
    width: 'minmax(10rem, 3fr)',
    sortBy: ({ name }) => name,
    cell: ({ id, name }) => <Link to={printerAddress(id)}>{name}</Link>,
  },
  {
    head: 'Status',
    width: 'minmax(6rem, 1fr)',
    cell: ({ archivedAt }) => (archivedAt ? <Badge tone="muted">Archived</Badge> : <Badge tone="good">Active</Badge>),
  },
  {
    head: 'Added',
    width: 'minmax(7rem, 1fr)',
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
];

export function PrintersPage() {
  const printers = useQuery(PrintersDocument, { variables: { archived: useArchived() }, context: { isWhole: true } });
  const editor = useEditor<EditedPrinter>();
  return (
    <AddPrinterProvider>
      <Page title="Printers" actions={<AddPrinter />}>
        <Filters>
          <SearchFilter label="Search by name" />
          <ArchivedFilter />
        </Filters>
        <Loaded query={printers} what="the printers">
          {({ printers: { nodes } }) => (
            <ObjectList
              label="Printers"
              columns={COLUMNS}
              rows={nodes}
              emptyState={<Empty action={<AddPrinter isFirst />}>Your printers appear here.</Empty>}
              nameOf={({ name }) => name}
              onEdit={editor.open}
            />
          )}
        </Loaded>
        <PrinterEditor editor={editor} />
      </Page>
    </AddPrinterProvider>
  );
}
