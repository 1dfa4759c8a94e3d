// Lists the spools of the farm with the filament that remains on each. Users add and change spools here.
import { useQuery } from '@apollo/client/react';
import { MaterialsDocument, type SpoolRowFragment, SpoolsDocument } from '../../generated/web-operations';
import { Button } from '../parts/button';
import { CsvLinks } from '../parts/csv-links';
import { useEditor } from '../parts/editor';
import { ChoiceFilter, Filters, SearchFilter, useFilters } from '../parts/filters';
import { compareNaturally } from '../parts/formats';
import { LinkButton } from '../parts/link-button';
import { matchesNumberOrText } from '../parts/list-search';
import { Empty, Loaded } from '../parts/loading-states';
import { Page } from '../parts/page';
import { SelectionBar, useRowSelection } from '../parts/row-selection';
import { useMayWrite } from '../parts/use-viewer';
import { ArchivedFilter, useArchived } from './archived-filter';
import { useFoundByCode } from './found-by-code';
import { ObjectList } from './object-list';
import { SpoolLegend } from './spool-bar';
import { createSpoolColumns } from './spool-columns';
import { SpoolEditor } from './spool-editor';

const formatCount = (count: number) => `${count} ${count === 1 ? 'spool' : 'spools'}`;

/** Searches the same fields as the gateway. The gateway itself searches labels of Spoolman and tags. */
const matchesSearch = (spool: SpoolRowFragment, search: string) => {
  const { number, spoolSerial, vendor, place, material, filament } = spool;
  return matchesNumberOrText(
    number,
    [spoolSerial, vendor, place, material.name, filament?.name, filament?.articleNumber],
    search,
  );
};

export function SpoolsPage() {
  const [getFilter] = useFilters();
  const foundByCode = useFoundByCode();
  const spools = useQuery(SpoolsDocument, { variables: { archived: useArchived() }, context: { isWhole: true } });
  const { data } = useQuery(MaterialsDocument, { variables: { archived: null } });
  const materials = [...(data?.materials ?? [])].sort((a, b) => compareNaturally(a.name, b.name));
  const selection = useRowSelection();
  const selectedSpools = (spools.data?.spools.nodes ?? []).filter(({ id }) => selection.selectedIds.has(id));
  const editor = useEditor<SpoolRowFragment>();
  const mayWrite = useMayWrite();
  return (
    <Page
      title="Spools"
      actions={
        <>
          <CsvLinks path="/reports/spools.csv" parameters={{}} />
          <LinkButton to="/materials">Materials</LinkButton>
          {mayWrite && <LinkButton to="/import">Import spools</LinkButton>}
          {mayWrite && (
            <Button kind="main" onClick={() => editor.open()}>
              Add a spool
            </Button>
          )}
        </>
      }
    >
      <Filters>
        <SearchFilter label="Search by number, serial, product, place or tag" />
        <ChoiceFilter
          label="Material"
          name="material"
          choices={{ '': 'All', ...Object.fromEntries(materials.map(({ id, name }) => [id, name])) }}
        />
        <ArchivedFilter />
      </Filters>
      <SpoolLegend />
      <Loaded query={spools} what="the spools">
        {({ spools: { nodes } }) => (
          <ObjectList
            label="Spools"
            columns={createSpoolColumns(selection)}
            rows={nodes.filter(({ material }) => getFilter('material') === '' || material.id === getFilter('material'))}
            emptyState={
              <Empty action={mayWrite && <Button onClick={() => editor.open()}>Add your first spool</Button>}>
                Your spools appear here, with the filament that remains on each.
              </Empty>
            }
            nameOf={({ spoolSerial }) => spoolSerial}
            matchesSearch={(row, search) => foundByCode.has(row.id) || matchesSearch(row, search)}
            onEdit={editor.open}
            onCopy={editor.openCopy}
            selection={selection}
            bar={
              selectedSpools.length > 0 && (
                <SelectionBar label="Selected spools" count={formatCount(selectedSpools.length)} selection={selection}>
                  <LinkButton to={`/labels?spools=${selectedSpools.map(({ number }) => number).join()}`}>
                    Print labels
                  </LinkButton>
                </SelectionBar>
              )
            }
          />
        )}
      </Loaded>
      <SpoolEditor editor={editor} />
    </Page>
  );
}
