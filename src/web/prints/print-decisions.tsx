// The decisions of a user about a print: its spools, its outcome, and whether it is booked.
import { lazy, Suspense, useState } from 'react';
import { IgnorePrintDocument, type PrintRowFragment } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { Button } from '../parts/button';
import { FormDialog } from '../parts/form';
import { Outcome } from '../parts/loading-states';
import { useSaving } from '../parts/saving';
import { useMayWrite } from '../parts/use-viewer';
import styles from './prints.module.css';
import { ResolveForm } from './resolve-form';

/** Loaded when it is first opened, because its search field would be a fifth of the first load of the farm page. */
const AssignForm = lazy(() => import('./assign-form'));
/** Loaded when it is first opened, because most prints are decided one by one. */
const ResolveAllForm = lazy(() => import('./resolve-all-form'));

type Print = PrintRowFragment;
type Question = 'spools' | 'outcome';

/** The page holds this state and not the row, because a decided row leaves the list before the outcome is announced. */
export function useDecision() {
  const [asked, setAsked] = useState<{ prints: readonly Print[]; question: Question }>();
  const [isOpen, setOpen] = useState(false);
  const { save, isBusy, faults } = useSaving();
  const [ignoredId, setIgnoredId] = useState<string>();
  /** @param prints the prints of one printer, newest first */
  const ask = (prints: readonly Print[], question: Question) => {
    setAsked({ prints, question });
    setOpen(true);
  };
  const ignore = async ({ id, ignoredAt }: Print) => {
    const ignored = ignoredAt === null;
    setIgnoredId(id);
    const saved = await save(IgnorePrintDocument, { printId: id, ignored });
    if (saved) announce(ignored ? 'The print will not be booked.' : 'The print will be booked.');
  };
  return { asked, isOpen, ask, close: () => setOpen(false), ignore, ignoredId, isBusy, faults };
}

type Decision = ReturnType<typeof useDecision>;

export function DecisionDialog({ decision: { asked, isOpen, close } }: { decision: Decision }) {
  const [print] = asked?.prints ?? [];
  if (asked === undefined || print === undefined) return null;
  const { prints, question } = asked;
  const isSpools = question === 'spools';
  const isOneSpool = new Set(prints.flatMap(({ slotsToChoose }) => slotsToChoose)).size === 1;
  const used = prints.length > 1 ? `${prints.length} prints on ${print.printer.name} use` : `${print.name} use`;
  const ended = prints.length > 1 ? `${prints.length} prints on ${print.printer.name} end` : `${print.name} end`;
  const title = isSpools ? `Which ${isOneSpool ? 'spool' : 'spools'} did ${used}?` : `How did ${ended}?`;
  return (
    <FormDialog title={title} isOpen={isOpen} onClose={close}>
      <Suspense>
        {isSpools ? (
          <AssignForm prints={prints} onDone={close} />
        ) : prints.length > 1 ? (
          <ResolveAllForm prints={prints} onDone={close} />
        ) : (
          <ResolveForm print={print} onDone={close} />
        )}
      </Suspense>
    </FormDialog>
  );
}

export function Decisions({ print, decision }: { print: Print; decision: Decision }) {
  const mayWrite = useMayWrite();
  if (!mayWrite) return null;
  const isIgnored = print.ignoredAt !== null;
  const chooseLabel = print.slotsToChoose.length > 1 ? 'Choose the spools' : 'Choose the spool';
  const isThisPrint = decision.ignoredId === print.id;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div className={styles['buttons']} role="group" aria-label={`Actions for ${print.name}`}>
      {print.waitsFor === 'SPOOL' && (
        <Button aria-label={`${chooseLabel} of ${print.name}`} onClick={() => decision.ask([print], 'spools')}>
          {chooseLabel}
        </Button>
      )}
      {print.waitsFor === 'OUTCOME' && (
        <Button aria-label={`Set the outcome of ${print.name}`} onClick={() => decision.ask([print], 'outcome')}>
          Set the outcome
        </Button>
      )}
      {(isIgnored || (print.waitsFor !== null && print.job === null)) && (
        <Button
          kind="quiet"
          isBusy={decision.isBusy}
          aria-label={`${isIgnored ? 'Book anyway:' : 'Don’t book'} ${print.name}`}
          onClick={() => void decision.ignore(print)}
        >
          {isIgnored ? 'Book anyway' : 'Don’t book'}
        </Button>
      )}
      <Outcome isBad>{isThisPrint && Object.values(decision.faults).join(' ')}</Outcome>
    </div>
  );
}
