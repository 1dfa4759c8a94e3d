// Lists the prints that need the user's input, because their spool or their outcome is unknown.
import { useState } from 'react';
import type { PrintRowFragment, WaitingPrintsQuery } from '../../generated/web-operations';
import { Button } from '../parts/button';
import { type Column, DataTable } from '../parts/data-table';
import { Section } from '../parts/page';
import { useMayWrite } from '../parts/use-viewer';
import { NAME_COLUMN, PRINTER, STARTED, WaitReason } from './print-columns';
import { DecisionDialog, Decisions, useDecision } from './print-decisions';

/** Limits the height of the list, so that the printers stay in view. */
const MAX_SHOWN = 5;
/** The maximum number of buttons for several prints. The alerts have the same buttons for other printers. */
const MAX_GROUPS = 3;

const COLUMNS: Column<PrintRowFragment>[] = [
  NAME_COLUMN,
  PRINTER,
  {
    head: 'Reason',
    width: 'minmax(12rem, 4fr)',
    cell: (print) => <WaitReason print={print} />,
  },
  STARTED,
];

export function WaitingPrints({ forSpool, forOutcome }: WaitingPrintsQuery) {
  const [areAllShown, setAllShown] = useState(false);
  const mayWrite = useMayWrite();
  const decision = useDecision();
  const actions: Column<PrintRowFragment> = {
    head: 'Actions',
    width: 'minmax(19rem, 2fr)',
    isFullWidth: true,
    cell: (print) => <Decisions print={print} decision={decision} />,
  };
  // A decided print is hidden immediately. The lists are refetched later.
  const prints = [...forOutcome.nodes, ...forSpool.nodes].filter(({ waitsFor }) => waitsFor !== null);
  const printsByPrinter = new Map<string, PrintRowFragment[]>();
  for (const print of prints)
    if (print.waitsFor === 'SPOOL')
      printsByPrinter.set(print.printer.id, [...(printsByPrinter.get(print.printer.id) ?? []), print]);
  const groups = mayWrite ? [...printsByPrinter.values()].filter((ofOne) => ofOne.length > 1) : [];
  const total = Math.max(prints.length, forSpool.totalCount + forOutcome.totalCount);
  return (
    <>
      <DecisionDialog decision={decision} />
      {prints.length > 0 && (
        <Section
          title="Needs your input"
          about={total}
          actions={
            <>
              {groups.slice(0, MAX_GROUPS).map((ofOne) => (
                <Button key={ofOne[0]?.printer.id} onClick={() => decision.ask(ofOne, 'spools')}>
                  {`Choose the spool for ${ofOne.length} prints on ${ofOne[0]?.printer.name}`}
                </Button>
              ))}
              {prints.length > MAX_SHOWN && (
                <Button kind="quiet" aria-expanded={areAllShown} onClick={() => setAllShown(!areAllShown)}>
                  {areAllShown ? 'Show fewer' : `Show ${prints.length < total ? 'the first' : 'all'} ${prints.length}`}
                </Button>
              )}
            </>
          }
        >
          <DataTable
            label="Prints that need your input"
            columns={mayWrite ? [...COLUMNS, actions] : COLUMNS}
            rows={areAllShown ? prints : prints.slice(0, MAX_SHOWN)}
            getKey={({ id }) => id}
          />
        </Section>
      )}
    </>
  );
}
