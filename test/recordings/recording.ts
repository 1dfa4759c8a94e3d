// Defines a recording: the messages of one machine with their times, its answers at each of them, and the prints that must result.
import type { Simulator } from '../../src/demo/machines/simulator';
import type { Adapter, Ask, MachineMessage } from '../../src/machines/machine-adapter';

export const T0 = Date.parse('2026-11-20T08:00:00.000Z');
export const instant = (seconds: number) => new Date(T0 + seconds * 1000).toISOString();

/** A print as it must result. Times are seconds of the recording. */
export interface ExpectedPrint {
  name: string;
  externalId?: string | null;
  outcome: 'RUNNING' | 'COMPLETED' | 'CANCELLED' | 'FAILED' | 'UNRESOLVED';
  /** null: unknown. */
  startedAt: number | null;
  endedAt: number | null;
  reason?: string | null;
  /** `slot mm grams basis`, with - for an unknown value. */
  filament: string[];
}

export interface Step {
  at: number;
  /** null: the connection was lost here, or opened. */
  message: MachineMessage | null;
  link: 'up' | 'down';
  /** The first messages of a connection that is opened after this step. */
  greeting: MachineMessage[];
  answer(ask: Ask): MachineMessage;
}

export interface Recording {
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: each adapter has a memory of its own, which only it reads.
  adapter: Adapter<any>;
  steps: Step[];
  expected: ExpectedPrint[];
  /** Different results after a cut at the steps from `from` to `to`, because the machine cannot report what happened. */
  cannotTell: ReportGap[];
  /** Other possible outcomes and amounts of a print whose end falls into a gap, how many more prints there may be, and why. */
  inGaps?: InGaps | undefined;
  /** Different results if a message of that time is merged with the next message, because the merged message lacks the information. */
  inMerges: ReportGap[];
}

interface InGaps {
  why: string;
  outcome?: ExpectedPrint['outcome'];
  filament?: string[];
  /** Millimetres of all slots together, if the slots can only be estimated. */
  total?: number;
  more?: number;
}

export interface ReportGap {
  why: string;
  /** Seconds of the recording. */
  from: number;
  to: number;
  expected: ExpectedPrint[];
}

/** Turns a simulator into the machine of a recording: each of its messages becomes a step. */
// biome-ignore lint/suspicious/noExplicitAny: the compiler wants it of a class that extends one that is given.
export function recordSteps<Machine extends new (...given: any[]) => Simulator>(Machine: Machine) {
  return class extends Machine {
    override epoch = T0 / 1000;
    link: 'up' | 'down' = 'up';
    readonly steps: Step[] = [];

    set(members: Partial<this>): this {
      return Object.assign(this, members);
    }
    override send(source: string, body: unknown): this {
      return this.push({ source, body });
    }
    push(message: MachineMessage | null): this {
      // A copy of the present state, because the state changes later.
      const then: this = Object.assign(Object.create(this), copy({ ...this, steps: [] }));
      const { clock: at, link } = this;
      const answer = (ask: Ask) => copy(then.answer(ask));
      this.steps.push({ at, message: copy(message), link, greeting: copy(then.greeting()), answer });
      return this;
    }
    down(): this {
      return this.set({ link: 'down' } as Partial<this>).push(null);
    }
    up(): this {
      return this.set({ link: 'up' } as Partial<this>).push(null);
    }
  };
}

const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

interface RecordedKind<Machine> {
  name: string;
  adapter: Recording['adapter'];
  start(): Machine;
  /** How a recording ends; without it the machine rests. */
  end?(machine: Machine): unknown;
  /** For recordings that have none of their own. */
  inGaps?: InGaps;
}

/** Creates the recordings of a kind. */
export const createRecorder =
  <Machine extends { up(): unknown; stayIdle(): unknown; steps: Step[] }>(kind: RecordedKind<Machine>) =>
  (
    name: string,
    play: (machine: Machine) => void,
    expected: ExpectedPrint[],
    cannotTell: ReportGap[] = [],
    inGaps = kind.inGaps,
    inMerges: ReportGap[] = [],
  ): Recording => {
    const { adapter, end = (finished: Machine) => finished.stayIdle() } = kind;
    const machine = kind.start();
    machine.up();
    machine.stayIdle();
    play(machine);
    end(machine);
    return { name: `${kind.name}: ${name}`, adapter, steps: machine.steps, expected, cannotTell, inGaps, inMerges };
  };
