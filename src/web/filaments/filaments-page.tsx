// The filaments that the farm buys, with what is left of each. They are made and changed here.
import { useQuery } from '@apollo/client/react';
import { type FilamentRowFragment, FilamentsDocument } from '../../generated/web-operations';
import { ArchivedFilter, useArchived } from '../inventory/archived-filter';
import { ObjectList } from '../inventory/object-list';
import { Button } from '../parts/button';
import { CsvLinks } from '../parts/csv-links';
import { useEditor } from '../parts/editor';
import { ChoiceFilter, Filters, SearchFilter, useFilters } from '../parts/filters';
import { filamentName } from '../parts/formats';
import { LinkButton } from '../parts/link-button';
import { findsNumbered } from '../parts/list-search';
import { Loaded } from '../parts/loading-states';
import { Page } from '../parts/page';
import { useMayWrite } from '../parts/use-viewer';
import { FILAMENT_COLUMNS } from './filament-columns';
import { FilamentEditor } from './filament-editor';

const STOCKS = { '': 'All', low: 'Low' };

/** The gateway searches in the same way. */
const isFound = ({ number, name, vendor, material, articleNumber }: FilamentRowFragment, search: string) =>
  findsNumbered(number, [name, vendor, material.name, articleNumber], search);

export function FilamentsPage() {
  const [of] = useFilters();
  const filaments = useQuery(FilamentsDocument, { variables: { archived: useArchived() }, context: { isWhole: true } });
  const editor = useEditor<FilamentRowFragment>();
  const mayWrite = useMayWrite();
  return (
    <Page
      title="Filaments"
      about="What the farm buys: a product of a vendor, in one colour and size."
      actions={
        <>
          <CsvLinks path="/reports/filaments.csv" members={{}} />
          <LinkButton to="/materials">Materials</LinkButton>
          {mayWrite && <LinkButton to="/import?kind=FILAMENTS">Import</LinkButton>}
          {mayWrite && (
            <Button kind="main" onClick={() => editor.open()}>
              Add a filament
            </Button>
          )}
        </>
      }
    >
      <Filters>
        <SearchFilter label="Search by number, name or vendor" />
        <ChoiceFilter label="Stock" name="stock" choices={STOCKS} />
        <ArchivedFilter />
      </Filters>
      <Loaded query={filaments} what="The filaments">
        {({ filaments: { nodes } }) => (
          <ObjectList
            label="Filaments"
            columns={FILAMENT_COLUMNS}
            rows={nodes.filter(({ stock }) => of('stock') !== 'low' || stock.isLow)}
            nameOf={filamentName}
            isFound={isFound}
            onEdit={editor.open}
            onCopy={editor.openLike}
          />
        )}
      </Loaded>
      <FilamentEditor editor={editor} />
    </Page>
  );
}
