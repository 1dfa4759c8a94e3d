// Lists the materials of the farm. Users add and change materials here.
import { useQuery } from '@apollo/client/react';
import { Link } from 'react-router';
import {
  ArchiveMaterialDocument,
  CreateMaterialDocument,
  type MaterialRowFragment,
  MaterialsDocument,
  RemoveMaterialDocument,
  UpdateMaterialDocument,
} from '../../generated/web-operations';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import type { Column } from '../parts/data-table';
import { DecimalField } from '../parts/decimal-field';
import { Editor, type EditorKind, useEditor } from '../parts/editor';
import { Filters, SearchFilter } from '../parts/filters';
import { Empty, Loaded } from '../parts/loading-states';
import { formatDecimal } from '../parts/numbers';
import { Page } from '../parts/page';
import { useMayWrite } from '../parts/use-viewer';
import { ArchivedFilter, useArchived } from './archived-filter';
import { MaterialNameField } from './new-material';
import { ObjectList } from './object-list';

const KIND: EditorKind<MaterialRowFragment, 'name' | 'densityGPerCm3', { name: string; densityGPerCm3: string }> = {
  noun: 'material',
  nameOf: ({ name }) => name,
  toTexts: (material) => ({ name: material?.name ?? '', densityGPerCm3: material?.densityGPerCm3 ?? '' }),
  toInput: (texts) => texts,
  toChanges: (texts) => texts,
  create: CreateMaterialDocument,
  update: UpdateMaterialDocument,
  archive: ArchiveMaterialDocument,
  remove: RemoveMaterialDocument,
};

const COLUMNS: Column<MaterialRowFragment>[] = [
  { head: 'Material', width: 'minmax(10rem, 3fr)', sortBy: ({ name }) => name, cell: ({ name }) => name },
  {
    head: 'Density',
    width: 'minmax(7rem, 1fr)',
    isNumber: true,
    sortBy: ({ densityGPerCm3 }) => Number(densityGPerCm3),
    cell: ({ densityGPerCm3 }) => `${formatDecimal(densityGPerCm3)} g/cm³`,
  },
  {
    head: 'Status',
    width: 'minmax(6rem, 1fr)',
    cell: ({ archivedAt }) => (archivedAt ? <Badge tone="muted">Archived</Badge> : <Badge tone="good">Active</Badge>),
  },
];

export function MaterialsPage() {
  const materials = useQuery(MaterialsDocument, { variables: { archived: useArchived() } });
  const editor = useEditor<MaterialRowFragment>();
  const mayWrite = useMayWrite();
  return (
    <>
      <p>
        <Link to="/spools">All spools</Link>
      </p>
      <Page
        title="Materials"
        actions={
          mayWrite && (
            <Button kind="main" onClick={() => editor.open()}>
              Add a material
            </Button>
          )
        }
      >
        <Filters>
          <SearchFilter label="Search by name" />
          <ArchivedFilter />
        </Filters>
        <Loaded query={materials} what="the materials">
          {({ materials: rows }) => (
            <ObjectList
              label="Materials"
              columns={COLUMNS}
              rows={rows}
              emptyState={
                <Empty action={mayWrite && <Button onClick={() => editor.open()}>Add your first material</Button>}>
                  Materials such as PLA or PETG appear here. Their densities turn millimetres of filament into grams.
                </Empty>
              }
              nameOf={KIND.nameOf}
              onEdit={editor.open}
            />
          )}
        </Loaded>
        <Editor
          kind={KIND}
          editor={editor}
          fields={(bind) => (
            <>
              <MaterialNameField {...bind('name')} label="Name" />
              <DecimalField
                {...bind('densityGPerCm3')}
                label="Density in g/cm³"
                hint="On the data sheet of the filament. PLA has 1.24."
                required
                mustBePositive
              />
            </>
          )}
        />
      </Page>
    </>
  );
}
