// Replays a recording through an adapter and the rules, with rows in memory that enforce the unique indexes of the database.

import { calculateFilament } from '../../src/farm/print-rules/amounts';
import { combineRows } from '../../src/farm/print-rules/continuation';
import type { Decision, Ending, EndingWithAmounts } from '../../src/farm/print-rules/decision';
import { type EndedPrint, hasAmounts, type RunningPrint } from '../../src/farm/print-rules/print.model';
import type { Step as WrittenStep } from '../../src/farm/prints/print-writing.service';
import { findPrintFacts } from '../../src/kind-facts';
import { PrintFollower, type PrintRows } from '../../src/machines/collector/print-follower';
import { type ExpectedPrint, instant, type Recording, type Step, T0 } from '../recordings/recording';
import { withMergedMessage } from './merged-messages';
import { PlayedMachine } from './played-machine';

interface Row {
  id: string;
  print: RunningPrint;
  ending: EndingWithAmounts | null;
}

export class Replay {
  readonly rows: Row[] = [];
  private readonly machine: PlayedMachine;

  constructor(private readonly recording: Pick<Recording, 'adapter'>) {
    const follower = new PrintFollower(this.createRows(), this, instant(0), findPrintFacts(null));
    this.machine = new PlayedMachine(recording.adapter, follower);
  }

  open = (step: Step) => this.machine.open(step);
  playStep = (step: Step, waits = false) => this.machine.playStep(step, waits);

  /** A new process, which finds the rows of this one. */
  restart(): Replay {
    const next = new Replay(this.recording);
    next.machine.lastContactAt = this.machine.lastContactAt;
    next.rows.push(...this.rows.map((row) => ({ ...row })));
    return next;
  }

  private createRows(): PrintRows {
    return {
      running: async () => this.running && { ...this.running.print, id: this.running.id },
      ended: async () => this.rows.flatMap(toEndedPrints),
      unplanned: async () => this.unplanned(),
      lastContact: async (seenAt) => seenAt ?? this.machine.lastContactAt,
    };
  }

  async write(step: WrittenStep): Promise<'DONE'> {
    this.apply(step);
    return 'DONE';
  }

  private get running(): Row | null {
    return this.rows.find(({ ending }) => ending === null) ?? null;
  }

  /** As the store reads it: the last print that ended, if no amounts were reported for it. */
  private unplanned() {
    const last = this.rows.filter(({ ending }) => ending !== null).at(-1);
    if (last === undefined || !isUnplanned(last) || last.print.filePath === null) return null;
    return { filePath: last.print.filePath, endedAt: last.ending?.at ?? last.print.seenAt };
  }

  private apply({ printId, decision }: WrittenStep): void {
    switch (decision.do) {
      case 'BEGIN':
      case 'RECORD': {
        const { externalId } = decision.print;
        const isTaken = externalId !== null && this.rows.some(({ print }) => print.externalId === externalId);
        if (isTaken) throw new Error(`The external id ${externalId} is there already`);
        if (decision.do === 'BEGIN' && this.running !== null) throw new Error('Another print is running');
        const ending = decision.do === 'RECORD' ? addAmounts(decision) : null;
        this.rows.push({ id: printId, print: decision.print, ending });
        return;
      }
      case 'AMEND':
        for (const row of this.rows) amend(row, decision);
        return;
      case 'RESOLVE':
        this.byId(decision.id).ending = addAmounts(decision);
        return;
      case 'REOPEN': {
        const found = this.byId(decision.id);
        if (found.ending?.outcome !== 'UNRESOLVED') throw new Error('It is over for good');
        Object.assign(found, { print: combineRows(found.print, decision.print), ending: null });
        return;
      }
      case 'MERGE': {
        const found = this.byId(decision.id);
        this.rows.splice(this.rows.indexOf(this.running as Row), 1);
        if (found.ending?.outcome !== 'UNRESOLVED') return;
        Object.assign(found, { print: combineRows(found.print, decision.print), ending: null });
        return;
      }
      default: {
        const found = this.running;
        if (found?.id !== printId) throw new Error(`Nothing runs that could ${decision.do}`);
        found.print = decision.print;
        if (decision.do === 'END') found.ending = addAmounts(decision);
      }
    }
  }

  private byId(id: string): Row {
    return this.rows.find((row) => row.id === id) as Row;
  }

  /** Sorted by their starts. */
  prints(): ExpectedPrint[] {
    const seconds = (at: string | null | undefined) => (at == null ? null : (Date.parse(at) - T0) / 1000);
    return this.rows
      .map(({ print, ending }) => ({
        name: print.name,
        externalId: print.externalId,
        outcome: ending?.outcome ?? ('RUNNING' as const),
        startedAt: seconds(print.startedAt),
        endedAt: seconds(ending?.at),
        reason: ending?.reason ?? null,
        filament: (ending?.filament ?? []).map(
          ({ slot, mm, grams, basis }) => `${slot} ${mm ?? '-'} ${grams ?? '-'} ${basis}`,
        ),
      }))
      .sort((one, other) => (one.startedAt ?? 0) - (other.startedAt ?? 0));
  }
}

const addAmounts = ({ print, ending }: { print: RunningPrint; ending: Ending }): EndingWithAmounts => ({
  ...ending,
  filament: calculateFilament(print, ending.outcome),
});

function amend(row: Row, { filePath, plan, since }: Extract<Decision, { do: 'AMEND' }>): void {
  const { print, ending } = row;
  if (ending === null || print.filePath !== filePath || print.seenAt < since || !isUnplanned(row)) return;
  row.print = { ...print, plan };
  row.ending = addAmounts({ print: row.print, ending });
}

const isUnplanned = ({ print: { plan, measured } }: Row) => measured.length === 0 && !hasAmounts(plan);

function toEndedPrints({ id, print, ending }: Row): EndedPrint[] {
  return ending === null ? [] : [{ ...print, id, endedAt: ending.at ?? print.seenAt, outcome: ending.outcome }];
}

/** Replays the whole recording. */
export async function replay(recording: Recording): Promise<Replay> {
  const replayed = new Replay(recording);
  for (const step of recording.steps) await replayed.playStep(step);
  return replayed;
}

/** All cuts of all recordings take 25 s instead of 5: `npm run test:all` sets EVERY_CUT. */
export const isEveryCut = process.env['EVERY_CUT'] === 'true';

/** Replays the whole recording with the readings of so many steps waiting together. @param first the number of steps before the first group */
export async function replayInTurns(recording: Recording, count: number, first: number): Promise<Replay> {
  const replayed = new Replay(recording);
  for (const [at, step] of recording.steps.entries()) {
    const isLinked = step.link === 'up' && recording.steps[at + 1]?.link === 'up';
    await replayed.playStep(step, isLinked && (at + 1 - first) % count !== 0);
  }
  return replayed;
}

/** Replays the recording once for each message that is merged with the next one; without EVERY_CUT for two of them. */
export async function* replayMerges(recording: Recording) {
  const { steps } = recording;
  const places = steps.flatMap((step, place) => {
    const merged = withMergedMessage(recording, place);
    return merged === null ? [] : [{ step, merged }];
  });
  for (const [at, { step, merged }] of places.entries()) {
    if (!isOneOfThirds(at, places.length)) continue;
    yield { step, replayed: await replay({ ...recording, steps: merged }) };
  }
}

const isOneOfThirds = (at: number, length: number) =>
  isEveryCut || [1, 2].some((third) => at === Math.floor((third * length) / 3));

/**
 * Replays the recording once for each step after which the process is killed; without EVERY_CUT for two of them. The process
 * restarts immediately, or misses the steps before `until`.
 */
export async function* replayCuts(recording: Recording, untils = (cut: number): Iterable<number> => [cut + 1]) {
  const before = new Replay(recording);
  for (const [cut, step] of recording.steps.entries()) {
    await before.playStep(step);
    for (const until of isOneOfThirds(cut, recording.steps.length) ? untils(cut) : []) {
      const after = before.restart();
      const [first, ...rest] = recording.steps.slice(until - 1);
      if (first?.link === 'up') await after.open(first);
      for (const next of rest) await after.playStep(next);
      yield { cut, until, step, replayed: after };
    }
  }
}
