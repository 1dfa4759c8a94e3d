// Lists the adjustments of a spool, newest first. Users adjust the weight and undo adjustments here.
import { useQuery } from '@apollo/client/react';
import { useRef, useState } from 'react';
import {
  type AdjustmentRowFragment,
  type SpoolAdjustmentKind,
  SpoolLedgerDocument,
  TakeBackAdjustmentDocument,
} from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { Button } from '../parts/button';
import { useConfirm } from '../parts/confirm';
import { type Column, DataTable } from '../parts/data-table';
import { FormDialog } from '../parts/form';
import { exactTime } from '../parts/formats';
import { useFurtherPages } from '../parts/further-pages';
import { Empty, Loaded, Outcome, ProblemBox } from '../parts/loading-states';
import { Moment } from '../parts/moment';
import { formatGrams } from '../parts/numbers';
import { Section } from '../parts/page';
import { useSaving } from '../parts/saving';
import { useMayWrite } from '../parts/use-viewer';
import styles from './inventory.module.css';
import { AdjustWeightForm, type PageSpool } from './spool-ledger-forms';

type Adjustment = AdjustmentRowFragment;

const KINDS: Record<SpoolAdjustmentKind, string> = {
  OPENING: 'Starting weight',
  WEIGHED: 'Weighed',
  CORRECTED: 'Corrected',
  LOST: 'Thrown away',
};

const createColumns = (undo: ((adjustment: Adjustment) => void) | undefined): Column<Adjustment>[] => [
  {
    head: 'Adjustment',
    width: 'minmax(9rem, 2fr)',
    cell: (adjustment) => (
      <>
        <span>{KINDS[adjustment.kind]}</span>
        <WeighedGrams adjustment={adjustment} />
      </>
    ),
  },
  { head: 'When', width: 'minmax(7rem, 1fr)', cell: ({ at }) => <Moment at={at} /> },
  {
    head: 'Change',
    width: 'minmax(6rem, 1fr)',
    isNumber: true,
    cell: (adjustment) => <AdjustedGrams adjustment={adjustment} />,
  },
  { head: 'By', width: 'minmax(5rem, 1fr)', cell: ({ by }) => by },
  { head: 'Note', width: 'minmax(9rem, 3fr)', isFullWidth: true, cell: ({ note }) => note },
  {
    head: 'Undo',
    width: 'minmax(8rem, 2fr)',
    cell: (adjustment) => {
      const { kind, at, takenBack } = adjustment;
      if (takenBack !== null) return <Undone {...takenBack} />;
      return (
        undo && (
          <Button aria-label={`Undo: ${KINDS[kind]}, ${exactTime(at)}`} onClick={() => undo(adjustment)}>
            Undo
          </Button>
        )
      );
    },
  },
];

const formatSigned = (amount: string) => `${Number(amount) > 0 ? '+' : ''}${formatGrams(amount)}`;

function AdjustedGrams({ adjustment: { grams, takenBack } }: { adjustment: Adjustment }) {
  return takenBack === null ? formatSigned(grams) : <span className={styles['quiet']}>Undone</span>;
}

function WeighedGrams({ adjustment: { netGrams, grossGrams, tareGrams } }: { adjustment: Adjustment }) {
  if (netGrams === null) return null;
  const scaleText = grossGrams && tareGrams && ` (${formatGrams(grossGrams)} − ${formatGrams(tareGrams)} tare)`;
  return <span className={styles['quiet']}>{`${formatGrams(netGrams)}${scaleText ?? ''}`}</span>;
}

function Undone({ at, by, note }: NonNullable<Adjustment['takenBack']>) {
  return (
    <>
      <span>Undone </span>
      <Moment at={at} />
      <span className={styles['quiet']}>{[by && `by ${by}`, note].filter(Boolean).join(': ')}</span>
    </>
  );
}

export function SpoolLedger({ spool }: { spool: PageSpool }) {
  const { id } = spool;
  const mayWrite = useMayWrite();
  const confirm = useConfirm();
  const { save, faults } = useSaving();
  const query = useQuery(SpoolLedgerDocument, { variables: { id }, context: { isPaged: true } });
  const { more, retry, problem } = useFurtherPages(query, query.data?.spool?.adjustments.pageInfo);
  const table = useRef<HTMLDivElement>(null);
  const undo = async (adjustment: Adjustment) => {
    const question = {
      title: `Undo “${KINDS[adjustment.kind]}, ${formatSigned(adjustment.grams)}”?`,
      text: 'The adjustment stays in the list, but no longer counts. You cannot bring it back.',
      action: 'Undo adjustment',
    };
    if (!(await confirm(question))) return;
    if ((await save(TakeBackAdjustmentDocument, { id: adjustment.id })) === undefined) return;
    announce('Adjustment undone.');
    // The pressed button disappears when the answer arrives, so the focus moves to the list.
    const { activeElement: focused } = document;
    if (focused === document.body || table.current?.contains(focused)) table.current?.focus();
  };
  return (
    <Section title="Adjustments" actions={mayWrite && <AdjustWeight spool={spool} />}>
      <Outcome isBad>{Object.values(faults).join(' ')}</Outcome>
      <Loaded query={query} what="the adjustments" rows={2}>
        {({ spool }) =>
          spool === null || spool.adjustments.nodes.length === 0 ? (
            <Empty>Weighings and corrections of this spool appear here.</Empty>
          ) : (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
            <div ref={table} role="group" aria-label="List of adjustments" tabIndex={-1}>
              <DataTable
                label="Adjustments"
                columns={createColumns(mayWrite ? (adjustment) => void undo(adjustment) : undefined)}
                rows={spool.adjustments.nodes}
                getKey={({ id }) => id}
              />
            </div>
          )
        }
      </Loaded>
      {problem !== undefined && <ProblemBox title="Could not load older adjustments" error={problem} onRetry={retry} />}
      {more && <Button onClick={more}>Show older adjustments</Button>}
    </Section>
  );
}

function AdjustWeight({ spool }: { spool: PageSpool }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Adjust weight</Button>
      <FormDialog title={`Adjust the weight of ${spool.spoolSerial}`} isOpen={isOpen} onClose={close}>
        <AdjustWeightForm spool={spool} onDone={close} />
      </FormDialog>
    </>
  );
}
