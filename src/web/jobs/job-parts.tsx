// What a job used of each spool: a bar in the colours of the spools, and a table.
import { useMemo } from 'react';
import type { JobPartFragment } from '../../generated/web-operations';
import { type Column, DataTable } from '../parts/data-table';
import { inNaturalOrder } from '../parts/formats';
import { useExactMoney } from '../parts/money';
import { decimal } from '../parts/numbers';
import { Section } from '../parts/page';
import { slotName } from '../parts/slot-name';
import { BASES, jobGramsOf } from '../prints/amount-bases';
import { spoolCount } from '../prints/print-texts';
import { SpoolName } from '../prints/spool-name';
import styles from './jobs.module.css';

type Part = JobPartFragment;

const LAYERS: Column<Part> = { head: 'Layers', width: 'minmax(4rem, 1fr)', cell: layersOf };

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
    cell: ({ mmExtruded }) => `${decimal(mmExtruded)} mm`,
  },
  { head: 'Weight', width: 'minmax(4.5rem, 1fr)', isNumber: true, cell: jobGramsOf },
  { head: 'Cost', width: 'minmax(4rem, 1fr)', isNumber: true, cell: ({ cost }) => <ExactCost of={cost} /> },
  { head: 'Weight source', width: 'minmax(8rem, 2fr)', cell: ({ filamentBasis }) => BASES[filamentBasis] },
];

const ExactCost = ({ of }: { of: string }) => <span>{useExactMoney()(of)}</span>;

/** Parts are sorted by slots, and in a slot as they followed each other. */
const inOrder = (parts: readonly Part[]) =>
  [...parts].sort(
    (one, other) => inNaturalOrder(one.slot ?? '', other.slot ?? '') || (one.fromLayer ?? 0) - (other.fromLayer ?? 0),
  );

/** "1 to 89", "from 90" */
function layersOf({ fromLayer, toLayer }: Part): string {
  if (fromLayer === null) return toLayer === null ? '' : `to ${toLayer}`;
  if (toLayer === null) return `from ${fromLayer}`;
  return `${fromLayer} to ${toLayer}`;
}

export function JobParts(props: { parts: readonly Part[] }) {
  const parts = useMemo(() => inOrder(props.parts), [props.parts]);
  const count = spoolCount({ parts });
  const areLayersKnown = parts.some((part) => layersOf(part) !== '');
  return (
    <Section title="Parts" about={count === 1 ? 'from one spool' : `from ${count} spools`}>
      <PartsBar parts={parts} />
      <DataTable
        label="Parts"
        columns={areLayersKnown ? COLUMNS : COLUMNS.filter((column) => column !== LAYERS)}
        rows={parts}
        keyOf={(part) => String(parts.indexOf(part))}
      />
    </Section>
  );
}

/** The table says the same. */
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
          // Shares whose sum is below 1, as the grams may be, would not fill the bar.
          style={{
            flex: `${(100 * Number(part.gramsDerived)) / total} 1 0`,
            ...(part.spool?.colorHex && { background: part.spool.colorHex }),
          }}
        />
      ))}
    </div>
  );
}
