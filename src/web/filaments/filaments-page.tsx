// Lists the products that the farm buys (filaments, in the schema), with the stock of each. Users add and change products here.
import { useQuery } from '@apollo/client/react';
import { type FilamentRowFragment, FilamentsDocument } from '../../generated/web-operations';
import { ArchivedFilter, useArchived } from '../inventory/archived-filter';
import { useFoundByCode } from '../inventory/found-by-code';
import { ObjectList } from '../inventory/object-list';
import { Button } from '../parts/button';
import { CsvLinks } from '../parts/csv-links';
import { useEditor } from '../parts/editor';
import { ChoiceFilter, Filters, SearchFilter, useFilters } from '../parts/filters';
import { filamentName } from '../parts/formats';
import { LinkButton } from '../parts/link-button';
import { matchesNumberOrText } from '../parts/list-search';
import { Empty, Loaded } from '../parts/loading-states';
import { SHOPPING_ADDRESS } from '../parts/object-addresses';
import { Page } from '../parts/page';
import { useMayWrite } from '../parts/use-viewer';
import { FILAMENT_COLUMNS } from './filament-columns';
import { FilamentEditor } from './filament-editor';

const STOCK_CHOICES = { '': 'All', low: 'Low' };

/** Searches the same fields as the gateway. The gateway itself searches labels of Spoolman. */
const matchesSearch = ({ number, name, vendor, material, articleNumber }: FilamentRowFragment, search: string) =>
  matchesNumberOrText(number, [name, vendor, material.name, articleNumber], search);

export function FilamentsPage() {
  const [getFilter] = useFilters();
  const foundByCode = useFoundByCode();
  const filaments = useQuery(FilamentsDocument, { variables: { archived: useArchived() }, context: { isWhole: true } });
  const editor = useEditor<FilamentRowFragment>();
  const mayWrite = useMayWrite();
  return (
    <Page
      title="Products"
      about="The filaments that you buy, each in one colour and size."
      actions={
        <>
          <CsvLinks path="/reports/filaments.csv" parameters={{}} />
          <LinkButton to={SHOPPING_ADDRESS}>Shopping list</LinkButton>
          <LinkButton to="/materials">Materials</LinkButton>
          {mayWrite && <LinkButton to="/import?kind=FILAMENTS">Import products</LinkButton>}
          {mayWrite && (
            <Button kind="main" onClick={() => editor.open()}>
              Add a product
            </Button>
          )}
        </>
      }
    >
      <Filters>
        <SearchFilter label="Search by number, name or vendor" />
        <ChoiceFilter label="Stock" name="stock" choices={STOCK_CHOICES} />
        <ArchivedFilter />
      </Filters>
      <Loaded query={filaments} what="the products">
        {({ filaments: { nodes } }) => (
          <ObjectList
            label="Products"
            columns={FILAMENT_COLUMNS}
            rows={nodes.filter(({ stock }) => getFilter('stock') !== 'low' || stock.isLow)}
            emptyState={
              <Empty action={mayWrite && <Button onClick={() => editor.open()}>Add your first product</Button>}>
                Products appear here, with the stock of each. You get an alert when a product runs low.
              </Empty>
            }
            nameOf={filamentName}
            matchesSearch={(row, search) => foundByCode.has(row.id) || matchesSearch(row, search)}
            onEdit={editor.open}
            onCopy={editor.openCopy}
          />
        )}
      </Loaded>
      <FilamentEditor editor={editor} />
    </Page>
  );
}
