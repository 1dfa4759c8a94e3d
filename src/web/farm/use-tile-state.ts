// Reads the state of a printer's machine and of its tile. Each tile reads the state of its machine from the cache, so that a message about one of a
// thousand printers draws only one tile.
import { createContext, useContext } from 'react';
import { type PrinterState, usePrinterConnection, usePrinterState } from '../printers/live-states';
import { NO_FACTS, type PrinterFacts } from './farm-facts';
import type { Printer } from './printer-job';
import { decideTileState, type TileState } from './tile-state';

/** What the alerts and the waiting prints mean for each printer, by its id. */
export const FarmFacts = createContext<ReadonlyMap<string, PrinterFacts>>(new Map());

/** @returns `state` is `null` if the printer has no state */
export function useTileState({ id, jobs }: Printer): { tile: TileState; state: PrinterState | null } {
  const { waiting, snoozed } = useContext(FarmFacts).get(id) ?? NO_FACTS;
  const state = usePrinterState(id);
  const connection = usePrinterConnection(id);
  return { tile: decideTileState({ state, connection, hasJob: jobs.nodes.length > 0, waiting, snoozed }), state };
}
