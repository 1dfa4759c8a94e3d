// Collects what the alerts and the waiting prints of the farm mean for each printer.
import type { AlertKind, AlertRowFragment, PrintRowFragment } from '../../generated/web-operations';
import type { TileFacts } from './tile-state';

type Alert = Pick<AlertRowFragment, 'kind' | 'prints'> & { silence: object | null; printer: { id: string } | null };
interface WaitingList {
  totalCount: number;
  nodes: readonly { waitsFor: PrintRowFragment['waitsFor']; printer: { id: string } }[];
}

export type PrinterFacts = Pick<TileFacts, 'waiting' | 'snoozed'>;

export const NO_FACTS: PrinterFacts = { waiting: { forSpool: 0, forOutcome: 0 }, snoozed: new Set() };

/** @returns the facts by the id of the printer; a printer without an entry has NO_FACTS */
export function collectFacts(
  alerts: readonly Alert[],
  { forSpool, forOutcome }: { forSpool: WaitingList; forOutcome: WaitingList },
): ReadonlyMap<string, PrinterFacts> {
  const facts = new Map<string, { waiting: TileFacts['waiting']; snoozed: Set<AlertKind> }>();
  const factsOf = (id: string) => {
    const known = facts.get(id) ?? { waiting: { ...NO_FACTS.waiting }, snoozed: new Set<AlertKind>() };
    facts.set(id, known);
    return known;
  };
  // A decided print leaves the list later.
  for (const { waitsFor, printer } of [...forSpool.nodes, ...forOutcome.nodes]) {
    if (waitsFor === 'SPOOL') factsOf(printer.id).waiting.forSpool += 1;
    if (waitsFor === 'OUTCOME') factsOf(printer.id).waiting.forOutcome += 1;
  }
  const isWhole = ({ nodes, totalCount }: WaitingList) => nodes.length >= totalCount;
  for (const { kind, prints, silence, printer } of alerts) {
    if (printer === null) continue;
    if (silence !== null) factsOf(printer.id).snoozed.add(kind);
    // The lists are limited. An alert counts all prints of its printer.
    const { waiting } = factsOf(printer.id);
    if (kind === 'PRINT_WAITS' && !isWhole(forSpool)) waiting.forSpool = Math.max(waiting.forSpool, prints ?? 1);
    if (kind === 'PRINT_UNRESOLVED' && !isWhole(forOutcome))
      waiting.forOutcome = Math.max(waiting.forOutcome, prints ?? 1);
  }
  return facts;
}
