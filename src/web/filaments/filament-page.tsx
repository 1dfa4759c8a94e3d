// Shows one product: its properties, its stock and its spools.
import { useQuery } from '@apollo/client/react';
import { Link, useNavigate, useParams } from 'react-router';
import {
  FilamentPageDocument,
  type FilamentPageQuery,
  type FilamentRowFragment,
  FilamentSpoolsDocument,
  type SpoolRowFragment,
} from '../../generated/web-operations';
import { extraFacts, formatExternalIds } from '../inventory/extra-facts';
import styles from '../inventory/inventory.module.css';
import { createSpoolColumns } from '../inventory/spool-columns';
import { SpoolEditor } from '../inventory/spool-editor';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { useEditor } from '../parts/editor';
import { Facts } from '../parts/facts';
import { LinkButton } from '../parts/link-button';
import { Empty, Loaded } from '../parts/loading-states';
import { Moment } from '../parts/moment';
import { useExactMoney } from '../parts/money';
import { formatDecimal, formatGrams } from '../parts/numbers';
import { SHOPPING_ADDRESS } from '../parts/object-addresses';
import { Page, Section } from '../parts/page';
import { SortedTable } from '../parts/sorted-table';
import { formatSpoolGrams } from '../parts/spool-grams';
import { Swatch } from '../parts/swatch';
import { useMayWrite } from '../parts/use-viewer';
import { COLOR_ARRANGEMENTS } from './color-fields';
import { FilamentEditor } from './filament-editor';

type Filament = NonNullable<FilamentPageQuery['filament']>;

export function FilamentPage() {
  const { id = '' } = useParams();
  const query = useQuery(FilamentPageDocument, { variables: { id } });
  return (
    <Loaded query={query} what="the product" rows={12}>
      {({ filament }) =>
        filament === null ? (
          <Page title="Product not found">
            <Empty>
              <span>{'This product was removed, or the link is wrong. '}</span>
              <Link to="/filaments">See all products</Link>
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
  const {
    stock,
    colorHex,
    colorHexes,
    colorArrangement,
    extruderTempC,
    bedTempC,
    tareGrams,
    purchasePrice,
    minimumGrams,
  } = filament;
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
          {stock.isLow && <LinkButton to={SHOPPING_ADDRESS}>Shopping list</LinkButton>}
          <LinkButton to={`/labels?filaments=${filament.number}`}>Print label</LinkButton>
          {mayWrite && <Actions filament={filament} />}
        </>
      }
    >
      <Facts
        facts={{
          Number: `#${filament.number}`,
          'Active spools': stock.spools.toLocaleString(),
          Remaining: formatSpoolGrams(stock.remainingGrams),
          'Allocated to jobs': formatSpoolGrams(stock.plannedGrams),
          Free: formatSpoolGrams(stock.freeGrams),
          'Minimum stock': minimumGrams && formatGrams(minimumGrams),
          Colour: colorHex && (
            <span className={styles['spool']}>
              <Swatch color={colorHex} colors={colorHexes} />
              <span>{describeColors(colorHex, colorHexes, colorArrangement)}</span>
            </span>
          ),
          Diameter: `${formatDecimal(filament.filamentDiameterMm)} mm`,
          'Net weight per spool': formatGrams(filament.weightTotalGrams),
          'Empty spool weight (tare)': tareGrams && formatGrams(tareGrams),
          'Price per spool': purchasePrice && money(purchasePrice),
          'Article number': filament.articleNumber,
          'Extruder temperature': extruderTempC !== null && `${extruderTempC} °C`,
          'Bed temperature': bedTempC !== null && `${bedTempC} °C`,
          Comment: filament.comment,
          ...extraFacts(filament.extra),
          'Imported from': formatExternalIds(filament.externalIds),
          Added: <Moment at={filament.createdAt} />,
        }}
      />
      <Spools id={filament.id} />
    </Page>
  );
}

const describeColors = (color: string, colors: readonly string[], arrangement: Filament['colorArrangement']) =>
  arrangement === null ? color : `${colors.join(', ')} (${COLOR_ARRANGEMENTS[arrangement].toLowerCase()})`;

function Actions({ filament }: { filament: Filament }) {
  const editor = useEditor<FilamentRowFragment>();
  const spools = useEditor<SpoolRowFragment>();
  const navigate = useNavigate();
  return (
    <>
      <Button onClick={() => editor.open(filament)}>Edit product</Button>
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

/** Active spools come first. */
function Spools({ id }: { id: string }) {
  const query = useQuery(FilamentSpoolsDocument, { variables: { id }, context: { isWhole: true } });
  return (
    <Section title="Spools">
      <Loaded query={query} what="the spools" rows={3}>
        {({ filament }) => {
          const spools = filament?.spools.nodes ?? [];
          if (spools.length === 0)
            return <Empty>Spools of this product appear here. To add some, use “Add spools” above.</Empty>;
          const inUse = spools.filter(({ archivedAt }) => archivedAt === null);
          const rows = [...inUse, ...spools.filter(({ archivedAt }) => archivedAt !== null)];
          return (
            <SortedTable label="Spools" columns={createSpoolColumns()} rows={rows} getKey={({ id }) => id} isDense />
          );
        }}
      </Loaded>
    </Section>
  );
}
