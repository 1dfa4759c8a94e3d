// Shows the rows of an import from Spoolman: what each object becomes, why, and what changes.
import { useQuery } from '@apollo/client/react';
import {
  type SpoolmanAction,
  type SpoolmanKind,
  SpoolmanRowsDocument,
  type SpoolmanRowsQuery,
} from '../../generated/web-operations';
import { Badge, type Tone } from '../parts/badge';
import { type Column, DataTable } from '../parts/data-table';
import { ChoiceFilter, Filters, useFilters } from '../parts/filters';
import { useFurtherPages } from '../parts/further-pages';
import { Empty, Loaded, ProblemBox } from '../parts/loading-states';
import { ChangesList } from './changes-list';
import styles from './import.module.css';

type Row = NonNullable<SpoolmanRowsQuery['spoolmanImport']>['rows']['nodes'][number];

const KINDS: Record<SpoolmanKind, string> = { VENDOR: 'Vendor', FILAMENT: 'Product', SPOOL: 'Spool' };
const ACTIONS: Record<SpoolmanAction, { tone: Tone; name: string }> = {
  CREATE: { tone: 'good', name: 'New' },
  UPDATE: { tone: 'info', name: 'Changed' },
  SAME: { tone: 'muted', name: 'Unchanged' },
  KEPT: { tone: 'warn', name: 'Kept' },
  REFUSED: { tone: 'bad', name: 'Refused' },
};

/** The filters of the address, and the actions that each of them shows. */
const SHOWN: Record<string, { name: string; actions: SpoolmanAction[] | null }> = {
  '': { name: 'All but unchanged', actions: ['CREATE', 'UPDATE', 'KEPT', 'REFUSED'] },
  new: { name: 'New', actions: ['CREATE'] },
  changed: { name: 'Changed', actions: ['UPDATE'] },
  kept: { name: 'Kept', actions: ['KEPT'] },
  refused: { name: 'Refused', actions: ['REFUSED'] },
  same: { name: 'Unchanged', actions: ['SAME'] },
  all: { name: 'All', actions: null },
};

const COLUMNS: Column<Row & { place: number }>[] = [
  { head: 'Type', width: 'minmax(4rem, 0.4fr)', cell: ({ kind }) => KINDS[kind] },
  { head: 'Spoolman', width: 'minmax(4.5rem, 0.4fr)', isNumber: true, cell: ({ spoolmanId }) => spoolmanId },
  {
    head: 'Result',
    width: 'minmax(6rem, 0.6fr)',
    cell: ({ action }) => <Badge tone={ACTIONS[action].tone}>{ACTIONS[action].name}</Badge>,
  },
  { head: 'Number', width: 'minmax(4rem, 0.4fr)', cell: ({ number }) => (number === null ? '' : `#${number}`) },
  { head: 'Name', width: 'minmax(9rem, 1.2fr)', cell: ({ name }) => name },
  {
    head: 'Changes',
    width: 'minmax(14rem, 3fr)',
    isFullWidth: true,
    cell: ({ reason, action, changes }) => (
      <>
        {reason !== null && <p className={action === 'REFUSED' ? styles['reason'] : undefined}>{reason}</p>}
        <ChangesList
          isUpdate={action === 'UPDATE' || action === 'KEPT'}
          changes={changes.map(({ member, from, to }) => ({ name: member, from, to }))}
        />
      </>
    ),
  },
];

const isKind = (text: string): text is SpoolmanKind => Object.hasOwn(KINDS, text);

export function SpoolmanRows({ id }: { id: string }) {
  const [getFilter] = useFilters();
  const kind = getFilter('kind');
  const { actions } = (SHOWN[getFilter('show')] ?? SHOWN['']) as (typeof SHOWN)[string];
  const query = useQuery(SpoolmanRowsDocument, {
    variables: { id, kind: isKind(kind) ? kind : null, actions },
    context: { isPaged: true },
  });
  const { more, retry, problem } = useFurtherPages(query, query.data?.spoolmanImport?.rows.pageInfo);
  return (
    <>
      <Filters>
        <ChoiceFilter
          label="Type"
          name="kind"
          choices={{ '': 'All', VENDOR: 'Vendors', FILAMENT: 'Products', SPOOL: 'Spools' }}
        />
        <ChoiceFilter
          label="Show"
          name="show"
          choices={Object.fromEntries(Object.entries(SHOWN).map(([value, { name }]) => [value, name]))}
        />
      </Filters>
      <Loaded query={query} what="the rows">
        {({ spoolmanImport }) =>
          spoolmanImport === null || spoolmanImport.rows.nodes.length === 0 ? (
            <Empty>No rows match.</Empty>
          ) : (
            <DataTable
              label="Objects of Spoolman"
              columns={COLUMNS}
              // A refused object may have no id, or the id of another one. Its place in the list is always its own.
              rows={spoolmanImport.rows.nodes.map((row, place) => ({ ...row, place }))}
              getKey={({ place }) => String(place)}
              total={spoolmanImport.rows.totalCount}
              onEnd={more}
            />
          )
        }
      </Loaded>
      {problem !== undefined && <ProblemBox title="Could not load more rows" error={problem} onRetry={retry} />}
    </>
  );
}
