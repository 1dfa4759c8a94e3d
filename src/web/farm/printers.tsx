// Shows the printers of the farm as tiles or as a table, and counts those that print.
import { useQuery } from '@apollo/client/react';
import { Link } from 'react-router';
import { FarmStatesDocument, type WaitingPrintsQuery } from '../../generated/web-operations';
import { inNaturalOrder } from '../parts/formats';
import { Empty } from '../parts/loading-states';
import { POLLING } from '../parts/poll-interval';
import { useStoredChoice } from '../parts/stored-choice';
import { AddPrinter } from '../printers/add-printer';
import { isBusy, type Printer } from './printer-job';
import { PrinterTable } from './printer-table';
import { PrinterTiles } from './printer-tiles';

/** With more printers the table is the default, because it draws only the rows in view. */
const MAX_TILES = 200;

/**
 * Whether the table is shown: the choice stored in this browser, or else by the number of printers. Also a function that stores a
 * choice.
 */
export function useTableChoice(printers = 0) {
  const [chosen, keep] = useStoredChoice('print-farm-printers-as-table');
  return [chosen ?? printers > MAX_TILES, keep] as const;
}

interface PrintersProps extends WaitingPrintsQuery {
  printers: readonly Printer[];
  isTable: boolean;
}

export function Printers({ printers, isTable, forSpool, forOutcome }: PrintersProps) {
  const rows = [...printers].sort((a, b) => inNaturalOrder(a.name, b.name));
  const waiting = new Map<string, number>();
  for (const { waitsFor, printer } of [...forSpool.nodes, ...forOutcome.nodes])
    if (waitsFor !== null) waiting.set(printer.id, (waiting.get(printer.id) ?? 0) + 1);
  if (rows.length === 0) {
    return (
      <Empty action={<AddPrinter isFirst />}>
        <span>{'Your printers appear here, with their progress, spools and cameras. New here? Follow the '}</span>
        <Link to="/start">first steps</Link>
        <span>.</span>
      </Empty>
    );
  }
  return isTable ? <PrinterTable printers={rows} /> : <PrinterTiles printers={rows} waiting={waiting} />;
}

/**
 * Counts the printers that print, by their states, or by their jobs if they have no state. It polls the states, because none arrive
 * while the stream is lost.
 */
export function PrintingCount({ printers }: { printers: readonly Printer[] }) {
  const { data } = useQuery(FarmStatesDocument, { ...POLLING, context: { isWhole: true } });
  const states = new Map(data?.printers.nodes.map(({ id, state }) => [id, state]));
  const busy = printers.filter(({ id, jobs }) => {
    const state = states.get(id);
    return state ? isBusy(state) : jobs.nodes.length > 0;
  });
  return <span>{`${busy.length} of ${printers.length} printing`}</span>;
}
