// Shows what a job used of each spool as a bar in the colours of the spools and as a table.
import { useMemo } from 'react';
import type { JobPartFragment } from '../../generated/web-operations';
import { type Column, DataTable } from '../parts/data-table';
import { compareNaturally } from '../parts/formats';
import { useExactMoney } from '../parts/money';
import { formatDecimal } from '../parts/numbers';
import { Section } from '../parts/page';
import { slotName } from '../parts/slot-name';
import { BASES, formatJobWeight } from '../prints/amount-bases';
import { spoolCount } from '../prints/print-texts';
import { SpoolName } from '../prints/spool-name';
import styles from './jobs.module.css';

type Part = JobPartFragment;

const LAYERS: Column<Part> = { head: 'Layers', width: 'minmax(4rem, 1fr)', cell: formatLayers };

const COLUMNS: Column<Part>[] = [
  {
    head: 'Spool',
    width: 'minmax(9rem, 3fr)',
    cell: ({ spool }) => (spool === null ? 'Removed' : <SpoolName spool={spool} />),
  },
  { head: 'Slot', width: 'minmax(5rem, 1fr)', cell: ({ slot }) => slot && slotName(slot) },
  LAYERS,
  {
    head: 'Length',
    width: 'minmax(6rem, 1fr)',
    isNumber: true,
    cell: ({ mmExtruded }) => `${formatDecimal(mmExtruded)} mm`,
  },
  { head: 'Weight', width: 'minmax(4.5rem, 1fr)', isNumber: true, cell: formatJobWeight },
  { head: 'Cost', width: 'minmax(4rem, 1fr)', isNumber: true, cell: ({ cost }) => <ExactCost amount={cost} /> },
  { head: 'Weight source', width: 'minmax(8rem, 2fr)', cell: ({ filamentBasis }) => BASES[filamentBasis] },
];

const ExactCost = ({ amount }: { amount: string }) => <span>{useExactMoney()(amount)}</span>;

/** Sorts parts by slot, and within a slot by layer. */
const sortParts = (parts: readonly Part[]) =>
  [...parts].sort((a, b) => compareNaturally(a.slot ?? '', b.slot ?? '') || (a.fromLayer ?? 0) - (b.fromLayer ?? 0));

/** "1 to 89", "from 90" */
function formatLayers({ fromLayer, toLayer }: Part): string {
  if (fromLayer === null) return toLayer === null ? '' : `to ${toLayer}`;
  if (toLayer === null) return `from ${fromLayer}`;
  return `${fromLayer} to ${toLayer}`;
}

export function JobParts(props: { parts: readonly Part[] }) {
  const parts = useMemo(() => sortParts(props.parts), [props.parts]);
  const count = spoolCount({ parts });
  const hasLayers = parts.some((part) => formatLayers(part) !== '');
  return (
    <Section title="Parts" about={count === 1 ? 'from one spool' : `from ${count} spools`}>
      <PartsBar parts={parts} />
      <DataTable
        label="Parts"
        columns={hasLayers ? COLUMNS : COLUMNS.filter((column) => column !== LAYERS)}
        rows={parts}
        getKey={(part) => String(parts.indexOf(part))}
      />
    </Section>
  );
}

/** Hidden from screen readers, because the table has the same data. */
function PartsBar({ parts }: { parts: readonly Part[] }) {
  const used = parts.filter(({ gramsDerived }) => Number(gramsDerived) > 0);
  const total = used.reduce((sum, { gramsDerived }) => sum + Number(gramsDerived), 0);
  if (total === 0) return null;
  return (
    <div className={styles['bar']} aria-hidden="true">
      {used.map((part) => (
        <span
          key={parts.indexOf(part)}
          title={part.spool?.spoolSerial}
          // The values are scaled to 100, because flex values with a sum below 1 do not fill the bar.
          style={{
            flex: `${(100 * Number(part.gramsDerived)) / total} 1 0`,
            ...(part.spool?.colorHex && { background: part.spool.colorHex }),
          }}
        />
      ))}
    </div>
  );
}
