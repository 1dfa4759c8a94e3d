// The adjustments of a spool, newest first: what was weighed and corrected, and what a person does about it from here.
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
import { grams } from '../parts/numbers';
import { Section } from '../parts/page';
import { useSaving } from '../parts/saving';
import { useMayWrite } from '../parts/use-viewer';
import styles from './inventory.module.css';
import { CorrectForm, type SpoolOfPage } from './spool-ledger-forms';

type Adjustment = AdjustmentRowFragment;

const KINDS: Record<SpoolAdjustmentKind, string> = {
  OPENING: 'Starting weight',
  WEIGHED: 'Weighed',
  CORRECTED: 'Corrected',
  LOST: 'Thrown away',
};

const columnsOf = (takeBack: ((adjustment: Adjustment) => void) | undefined): Column<Adjustment>[] => [
  {
    head: 'Adjustment',
    width: 'minmax(9rem, 2fr)',
    cell: (adjustment) => (
      <>
        <span>{KINDS[adjustment.kind]}</span>
        <Measured of={adjustment} />
      </>
    ),
  },
  { head: 'When', width: 'minmax(7rem, 1fr)', cell: ({ at }) => <Moment at={at} /> },
  { head: 'Change', width: 'minmax(6rem, 1fr)', isNumber: true, cell: (adjustment) => <Grams of={adjustment} /> },
  { head: 'By', width: 'minmax(5rem, 1fr)', cell: ({ by }) => by },
  { head: 'Note', width: 'minmax(9rem, 3fr)', isLine: true, cell: ({ note }) => note },
  {
    head: 'Undo',
    width: 'minmax(8rem, 2fr)',
    cell: (adjustment) => {
      const { kind, at, takenBack } = adjustment;
      if (takenBack !== null) return <TakenBack {...takenBack} />;
      return (
        takeBack && (
          <Button aria-label={`Undo: ${KINDS[kind]}, ${exactTime(at)}`} onClick={() => takeBack(adjustment)}>
            Undo
          </Button>
        )
      );
    },
  },
];

const signed = (amount: string) => `${Number(amount) > 0 ? '+' : ''}${grams(amount)}`;

function Grams({ of: { grams, takenBack } }: { of: Adjustment }) {
  return takenBack === null ? signed(grams) : <span className={styles['quiet']}>Undone</span>;
}

function Measured({ of: { netGrams, grossGrams, tareGrams } }: { of: Adjustment }) {
  if (netGrams === null) return null;
  const onScale = grossGrams && tareGrams && ` (${grams(grossGrams)} − ${grams(tareGrams)} tare)`;
  return <span className={styles['quiet']}>{`${grams(netGrams)}${onScale ?? ''}`}</span>;
}

function TakenBack({ at, by, note }: NonNullable<Adjustment['takenBack']>) {
  return (
    <>
      <span>Undone </span>
      <Moment at={at} />
      <span className={styles['quiet']}>{[by && `by ${by}`, note].filter(Boolean).join(': ')}</span>
    </>
  );
}

export function SpoolLedger({ spool }: { spool: SpoolOfPage }) {
  const { id } = spool;
  const mayWrite = useMayWrite();
  const confirm = useConfirm();
  const { save, faults } = useSaving();
  const query = useQuery(SpoolLedgerDocument, { variables: { id }, context: { isPaged: true } });
  const { more, retry, problem } = useFurtherPages(query, query.data?.spool?.adjustments.pageInfo);
  const table = useRef<HTMLDivElement>(null);
  const takeBack = async (adjustment: Adjustment) => {
    const question = {
      title: `Undo “${KINDS[adjustment.kind]}, ${signed(adjustment.grams)}”?`,
      text: 'The adjustment stays in the list, but no longer counts. You cannot bring it back.',
      action: 'Undo adjustment',
    };
    if (!(await confirm(question))) return;
    if ((await save(TakeBackAdjustmentDocument, { id: adjustment.id })) === undefined) return;
    announce('Adjustment undone.');
    // The pressed button goes with its answer.
    const { activeElement: focused } = document;
    if (focused === document.body || table.current?.contains(focused)) table.current?.focus();
  };
  return (
    <Section title="Adjustments" actions={mayWrite && <Correct spool={spool} />}>
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
                columns={columnsOf(mayWrite ? (adjustment) => void takeBack(adjustment) : undefined)}
                rows={spool.adjustments.nodes}
                keyOf={({ id }) => id}
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

function Correct({ spool }: { spool: SpoolOfPage }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Adjust weight</Button>
      <FormDialog title={`Adjust the weight of ${spool.spoolSerial}`} isOpen={isOpen} onClose={close}>
        <CorrectForm spool={spool} onDone={close} />
      </FormDialog>
    </>
  );
}
