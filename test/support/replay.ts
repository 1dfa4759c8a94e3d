// Replays a recording through an adapter and the rules, with rows in memory that keep the database's unique indexes.
import type { Ask, Message, Opened } from '../../src/devices/adapter';
import { printFactsOf } from '../../src/kinds';
import { consumption } from '../../src/print-rules/consumption';
import { evaluate } from '../../src/print-rules/evaluation';
import { together } from '../../src/print-rules/one-print';
import { isUnplanned } from '../../src/print-rules/plan-completion';
import {
  type Decision,
  type EndedPrint,
  type Ending,
  type HeardPrint,
  type RunningPrint,
  resumed,
} from '../../src/print-rules/print.model';
import type { Reading } from '../../src/print-rules/readings';
import { type ExpectedPrint, instant, type Recording, type Step, T0 } from '../recordings/recording';

interface Row {
  print: RunningPrint;
  ending: Ending | null;
  sightings: string[];
}

export class Replay {
  readonly rows: Row[] = [];
  readonly readings: Reading[] = [];
  private lastContactAt: string | null = null;
  /** Of the process, which a cut forgets. */
  private lastContactBefore: string | null = null;
  private memory: unknown;
  private heard: HeardPrint | null = null;
  private isOpen = false;

  constructor(private readonly recording: Pick<Recording, 'adapter'>) {
    this.memory = recording.adapter.start;
  }

  private get running(): Row | undefined {
    return this.rows.find(({ ending }) => ending === null);
  }

  open(step: Step): void {
    const row = this.running;
    this.memory = this.recording.adapter.start;
    this.lastContactBefore = this.lastContactAt;
    this.heard = row === undefined ? null : resumed(row.print);
    this.isOpen = true;
    const lastContactAt = row?.print.seenAt ?? this.lastContactAt;
    const body: Opened = {
      lastContactAt,
      name: row?.print.name ?? null,
      filePath: row?.print.filePath ?? null,
      externalId: row?.print.externalId ?? null,
      ...this.unplanned(),
    };
    for (const message of [{ source: 'opened', body }, ...step.greeting]) this.deliver(message, step);
  }

  /** As the store reads it: the last print that is over, if nobody told its amounts. */
  private unplanned(): Pick<Opened, 'unplanned'> {
    const last = this.rows.filter(({ ending }) => ending !== null).at(-1);
    if (last === undefined || !isUnplanned(last.print) || last.print.filePath === null) return {};
    return { unplanned: { filePath: last.print.filePath, endedAt: last.ending?.at ?? last.print.seenAt } };
  }

  /** What a new process finds: the rows. */
  killed(): Replay {
    const next = new Replay(this.recording);
    next.lastContactAt = this.lastContactAt;
    next.rows.push(...this.rows.map((row) => ({ ...row, sightings: [...row.sightings] })));
    return next;
  }

  /** One step of the recording. */
  hear(step: Step): void {
    if (step.link === 'down') this.isOpen = false;
    else if (!this.isOpen) this.open(step);
    if (step.message !== null && this.isOpen) this.deliver(step.message, step);
  }

  private deliver(message: Message, step: Step): void {
    const at = instant(step.at);
    const { memory, readings, asks } = this.recording.adapter.hear(this.memory, message, at);
    this.memory = memory;
    this.lastContactAt = at;
    for (const reading of readings) this.evaluate(reading);
    for (const ask of asks as Ask[]) this.deliver(step.answer(ask), step);
  }

  evaluate(reading: Reading): Decision[] {
    this.readings.push(reading);
    const ended = this.rows.flatMap(endedOf);
    const times = { lastContactAt: this.lastContactBefore, addedAt: instant(0) };
    const known = { running: this.heard, ended, ...times, machine: printFactsOf(null) };
    const { running, decisions } = evaluate(known, reading);
    this.heard = running;
    for (const decision of decisions) this.apply(decision);
    if (decisions.some((one) => one.do === 'MERGE' || one.do === 'REOPEN')) {
      const row = this.running;
      this.heard = row === undefined ? null : { ...resumed(row.print), ordinal: running?.ordinal ?? null };
    }
    return decisions[0]?.do === 'MERGE' ? [...decisions, ...this.evaluate(reading)] : decisions;
  }

  private apply(decision: Decision): void {
    const row = this.running ?? this.rows.at(-1);
    if (decision.do === 'BEGIN' || decision.do === 'RECORD') {
      const { externalId } = decision.print;
      const isTaken = externalId !== null && this.rows.some(({ print }) => print.externalId === externalId);
      if (isTaken) throw new Error(`The external id ${externalId} is there already`);
      if (decision.do === 'BEGIN' && this.running !== undefined) throw new Error('Another print is running');
      const ending = decision.do === 'RECORD' ? decision.ending : null;
      this.rows.push({ print: decision.print, ending, sightings: [] });
    } else if (decision.do === 'AMEND') {
      const { filePath, plan, since } = decision;
      for (const one of this.rows) {
        const { print, ending } = one;
        if (ending === null || print.filePath !== filePath || print.seenAt < since || !isUnplanned(print)) continue;
        one.print = { ...print, plan };
        one.ending = { ...ending, filament: consumption(one.print, ending.outcome) };
      }
    } else if (decision.do === 'SIGHT') row?.sightings.push(`${decision.kind} ${decision.text}`);
    else if (decision.do === 'RESOLVE') {
      (this.rows[Number(decision.id)] as Row).ending = decision.ending;
    } else if (decision.do === 'REOPEN') {
      const found = this.rows[Number(decision.id)] as Row;
      if (found.ending?.outcome !== 'UNRESOLVED') throw new Error('It is over for good');
      Object.assign(found, { print: together(found.print, decision.print), ending: null });
    } else if (decision.do === 'MERGE') {
      const found = this.rows[Number(decision.id)] as Row;
      const younger = this.running as Row;
      found.sightings.push(...younger.sightings);
      if (found.ending?.outcome === 'UNRESOLVED') {
        Object.assign(found, { print: together(found.print, decision.print), ending: null });
      }
      this.rows.splice(this.rows.indexOf(younger), 1);
    } else {
      const found = this.running;
      if (found === undefined) throw new Error(`Nothing runs that could ${decision.do}`);
      found.print = decision.print;
      if (decision.do === 'END') found.ending = decision.ending;
    }
  }

  /** By their begins. */
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

function endedOf({ print, ending }: Row, at: number): EndedPrint[] {
  if (ending === null) return [];
  return [{ ...print, id: String(at), endedAt: ending.at ?? print.seenAt, outcome: ending.outcome }];
}

/** The whole recording. */
export function replay(recording: Recording): Replay {
  const replayed = new Replay(recording);
  for (const step of recording.steps) replayed.hear(step);
  return replayed;
}

/**
 * The recording for each step behind which the process is killed. It starts again at once, or hears nothing of the steps
 * before `until`.
 */
export function* cuts(recording: Recording, untils = (cut: number): Iterable<number> => [cut + 1]) {
  const before = new Replay(recording);
  for (const [cut, step] of recording.steps.entries()) {
    before.hear(step);
    for (const until of untils(cut)) {
      const after = before.killed();
      const [first, ...rest] = recording.steps.slice(until - 1);
      if (first?.link === 'up') after.open(first);
      for (const next of rest) after.hear(next);
      yield { cut, until, step, replayed: after };
    }
  }
}
