// One filament: what it is, what is left of it, and its spools.
import { useQuery } from '@apollo/client/react';
import { Link, useNavigate, useParams } from 'react-router';
import {
  FilamentPageDocument,
  type FilamentPageQuery,
  type FilamentRowFragment,
  FilamentSpoolsDocument,
  type SpoolRowFragment,
} from '../../generated/web-operations';
import styles from '../inventory/inventory.module.css';
import { spoolColumns } from '../inventory/spool-columns';
import { SpoolEditor } from '../inventory/spool-editor';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { useEditor } from '../parts/editor';
import { Facts } from '../parts/facts';
import { LinkButton } from '../parts/link-button';
import { Empty, Loaded } from '../parts/loading-states';
import { Moment } from '../parts/moment';
import { useExactMoney } from '../parts/money';
import { decimal, grams } from '../parts/numbers';
import { Page, Section } from '../parts/page';
import { SortedTable } from '../parts/sorted-table';
import { toGrams } from '../parts/spool-grams';
import { Swatch } from '../parts/swatch';
import { useMayWrite } from '../parts/use-viewer';
import { FilamentEditor } from './filament-editor';

type Filament = NonNullable<FilamentPageQuery['filament']>;

export function FilamentPage() {
  const { id = '' } = useParams();
  const query = useQuery(FilamentPageDocument, { variables: { id } });
  return (
    <Loaded query={query} what="The filament" rows={12}>
      {({ filament }) =>
        filament === null ? (
          <Page title="Filament">
            <Empty>
              <span>{'There is no filament with this id. '}</span>
              <Link to="/filaments">See all filaments</Link>
            </Empty>
          </Page>
        ) : (
          <Details key={id} filament={filament} />
        )
      }
    </Loaded>
  );
}

function Details({ filament }: { filament: Filament }) {
  const money = useExactMoney();
  const mayWrite = useMayWrite();
  const { stock, colorHex, tareGrams, purchasePrice, minimumGrams } = filament;
  return (
    <Page
      title={filament.name}
      about={
        <>
          <span>{`${[filament.material.name, filament.vendor].filter(Boolean).join(', ')} `}</span>
          {stock.isLow && <Badge tone="warn">Low</Badge>}
          {filament.archivedAt !== null && <Badge tone="muted">Archived</Badge>}
        </>
      }
      actions={
        <>
          <LinkButton to={`/labels?filaments=${filament.number}`}>Label</LinkButton>
          {mayWrite && <Actions filament={filament} />}
        </>
      }
    >
      <Facts
        facts={{
          Number: `#${filament.number}`,
          'Spools in use': stock.spools.toLocaleString(),
          Left: toGrams(stock.remainingGrams),
          'Planned by jobs': toGrams(stock.plannedGrams),
          Free: toGrams(stock.freeGrams),
          Minimum: minimumGrams && grams(minimumGrams),
          Colour: colorHex && (
            <span className={styles['spool']}>
              <Swatch color={colorHex} />
              <span>{colorHex}</span>
            </span>
          ),
          Diameter: `${decimal(filament.filamentDiameterMm)} mm`,
          'When full': grams(filament.weightTotalGrams),
          Tare: tareGrams && grams(tareGrams),
          Price: purchasePrice && money(purchasePrice),
          'Article number': filament.articleNumber,
          Added: <Moment at={filament.createdAt} />,
        }}
      />
      <Spools id={filament.id} />
    </Page>
  );
}

function Actions({ filament }: { filament: Filament }) {
  const editor = useEditor<FilamentRowFragment>();
  const spools = useEditor<SpoolRowFragment>();
  const navigate = useNavigate();
  return (
    <>
      <Button onClick={() => editor.open(filament)}>Edit</Button>
      {filament.archivedAt === null && (
        <Button kind="main" onClick={() => spools.open()}>
          Add spools
        </Button>
      )}
      <FilamentEditor editor={editor} onRemoved={() => void navigate('/filaments')} />
      <SpoolEditor editor={spools} filament={filament} />
    </>
  );
}

/** Spools in use come first. */
function Spools({ id }: { id: string }) {
  const query = useQuery(FilamentSpoolsDocument, { variables: { id }, context: { isWhole: true } });
  return (
    <Section title="Spools">
      <Loaded query={query} what="The spools" rows={3}>
        {({ filament }) => {
          const spools = filament?.spools.nodes ?? [];
          if (spools.length === 0) return <Empty>There are none.</Empty>;
          const inUse = spools.filter(({ archivedAt }) => archivedAt === null);
          const rows = [...inUse, ...spools.filter(({ archivedAt }) => archivedAt !== null)];
          return <SortedTable label="Spools" columns={spoolColumns()} rows={rows} keyOf={({ id }) => id} />;
        }}
      </Loaded>
    </Section>
  );
}
