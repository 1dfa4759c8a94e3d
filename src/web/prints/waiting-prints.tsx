// The prints that need a user's input: their spool, or their outcome.
import { useState } from 'react';
import type { PrintRowFragment, WaitingPrintsQuery } from '../../generated/web-operations';
import { Button } from '../parts/button';
import { type Column, DataTable } from '../parts/data-table';
import { Section } from '../parts/page';
import { useMayWrite } from '../parts/use-viewer';
import { NAME_COLUMN, PRINTER, STARTED, Waits } from './print-columns';
import { DecisionDialog, Decisions, useDecision } from './print-decisions';

/** The printers stay in view, however many prints wait. */
const MAX_SHOWN = 5;
/** For further printers the line of alerts has the buttons. */
const MAX_TOGETHER = 3;

const COLUMNS: Column<PrintRowFragment>[] = [
  NAME_COLUMN,
  PRINTER,
  {
    head: 'Reason',
    width: 'minmax(10rem, 1fr)',
    cell: (print) => <Waits print={print} />,
  },
  STARTED,
];

export function WaitingPrints({ forSpool, forOutcome }: WaitingPrintsQuery) {
  const [isWhole, setWhole] = useState(false);
  const mayWrite = useMayWrite();
  const decision = useDecision();
  const next: Column<PrintRowFragment> = {
    head: 'Actions',
    width: 'minmax(19rem, 2fr)',
    isLine: true,
    cell: (print) => <Decisions print={print} decision={decision} />,
  };
  // A decision takes the print out at once; the lists are read again later.
  const prints = [...forOutcome.nodes, ...forSpool.nodes].filter(({ waitsFor }) => waitsFor !== null);
  const ofPrinters = new Map<string, PrintRowFragment[]>();
  for (const print of prints)
    if (print.waitsFor === 'SPOOL')
      ofPrinters.set(print.printer.id, [...(ofPrinters.get(print.printer.id) ?? []), print]);
  const together = mayWrite ? [...ofPrinters.values()].filter((ofOne) => ofOne.length > 1) : [];
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
              {together.slice(0, MAX_TOGETHER).map((ofOne) => (
                <Button key={ofOne[0]?.printer.id} onClick={() => decision.ask(ofOne, 'spools')}>
                  {`Choose the spool for ${ofOne.length} prints on ${ofOne[0]?.printer.name}`}
                </Button>
              ))}
              {prints.length > MAX_SHOWN && (
                <Button kind="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
                  {isWhole ? 'Show fewer' : `Show ${prints.length < total ? 'the first' : 'all'} ${prints.length}`}
                </Button>
              )}
            </>
          }
        >
          <DataTable
            label="Prints that need your input"
            columns={mayWrite ? [...COLUMNS, next] : COLUMNS}
            rows={isWhole ? prints : prints.slice(0, MAX_SHOWN)}
            keyOf={({ id }) => id}
          />
        </Section>
      )}
    </>
  );
}
