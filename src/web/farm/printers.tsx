// Shows the printers of the farm as tiles or as a table, in the order that the user chose, and counts those that print or need a person.
import { useEffect, useMemo } from 'react';
import { Link } from 'react-router';
import type { AlertRowFragment, WaitingPrintsQuery } from '../../generated/web-operations';
import { Empty } from '../parts/loading-states';
import { needsYouCount } from '../parts/needs-you';
import { useStoredChoice } from '../parts/stored-choice';
import { AddPrinter } from '../printers/add-printer';
import { isBusy } from '../printers/live-states';
import { collectFacts, NO_FACTS } from './farm-facts';
import { useFarmStates } from './farm-states';
import type { Printer } from './printer-job';
import { type Order, orderPrinters } from './printer-order';
import { PrinterTable } from './printer-table';
import { PrinterTiles } from './printer-tiles';
import { decideTileState } from './tile-state';
import { useShownOrder } from './use-shown-order';
import { FarmFacts } from './use-tile-state';

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
  alerts: readonly AlertRowFragment[];
  isTable: boolean;
  order: Order;
}

export function Printers({ printers, alerts, isTable, order: choice, forSpool, forOutcome }: PrintersProps) {
  const facts = useMemo(() => collectFacts(alerts, { forSpool, forOutcome }), [alerts, forSpool, forOutcome]);
  const states = useFarmStates();
  const tiles = printers.map((printer) => {
    const { id, jobs } = printer;
    const row = states.get(id);
    const state = row?.state ?? null;
    const connection = row === undefined ? undefined : (row.device?.connection ?? null);
    const { waiting, snoozed } = facts.get(id) ?? NO_FACTS;
    const tile = decideTileState({ state, connection, hasJob: jobs.nodes.length > 0, waiting, snoozed });
    const { remainingSec } = state ?? { remainingSec: null };
    const isPrinting = state !== null && isBusy(state) && !state.stale && remainingSec !== null;
    return { printer, tile, endsAt: isPrinting ? Date.parse(state.heardAt) + remainingSec * 1000 : null };
  });
  const needing = tiles.filter(({ tile }) => tile.name === 'NEEDS_YOU').length;
  // After each rendering, because another count may have been set while the page was hidden.
  useEffect(() => {
    needsYouCount(needing);
  });
  const { order, holder } = useShownOrder(orderPrinters(tiles, choice), choice);
  const rows = useMemo(() => {
    const byId = new Map(printers.map((printer) => [printer.id, printer]));
    return order.flatMap((id) => byId.get(id) ?? []);
  }, [printers, order]);
  if (rows.length === 0) {
    return (
      <Empty action={<AddPrinter isFirst />}>
        <span>{'Your printers appear here, with their progress, spools and cameras. New here? Follow the '}</span>
        <Link to="/start">first steps</Link>
        <span>.</span>
      </Empty>
    );
  }
  return (
    <FarmFacts.Provider value={facts}>
      <div {...holder}>{isTable ? <PrinterTable printers={rows} /> : <PrinterTiles printers={rows} />}</div>
    </FarmFacts.Provider>
  );
}

/** Counts the printers that print, by their states, or by their jobs if they have no state. */
export function PrintingCount({ printers }: { printers: readonly Printer[] }) {
  const states = useFarmStates();
  const busy = printers.filter(({ id, jobs }) => {
    const state = states.get(id)?.state;
    return state ? isBusy(state) : jobs.nodes.length > 0;
  });
  return <span>{`${busy.length} of ${printers.length} printing`}</span>;
}
