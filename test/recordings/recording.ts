// What a recording is: the messages of one machine with their times, its answers at each of them, and the prints in them.
import type { Simulator } from '../../src/demo/machines/simulator';
import type { Adapter, Ask, MachineMessage } from '../../src/machines/machine-adapter';

export const T0 = Date.parse('2026-11-20T08:00:00.000Z');
export const instant = (seconds: number) => new Date(T0 + seconds * 1000).toISOString();

/** A print as it must come out. Times are seconds of the recording. */
export interface ExpectedPrint {
  name: string;
  externalId?: string | null;
  outcome: 'RUNNING' | 'COMPLETED' | 'CANCELLED' | 'FAILED' | 'UNRESOLVED';
  /** null: not known. */
  startedAt: number | null;
  endedAt: number | null;
  reason?: string | null;
  /** `slot mm grams basis`, with - for what is not known. */
  filament: string[];
}

export interface Step {
  at: number;
  /** null: the connection was lost here, or opened. */
  message: MachineMessage | null;
  link: 'up' | 'down';
  /** What a connection hears first when it is opened behind this step. */
  greeting: MachineMessage[];
  answer(ask: Ask): MachineMessage;
}

export interface Recording {
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: each adapter has a memory of its own, which only it reads.
  adapter: Adapter<any>;
  steps: Step[];
  expected: ExpectedPrint[];
  /** What comes out otherwise behind a cut at the steps from `from` to `to`, because the machine cannot tell it. */
  cannotTell: CannotTell[];
  /** What else a print may come to when its end falls into a gap, or may have used, how many more there may be, and why. */
  inGaps?: InGaps | undefined;
  /** What comes out otherwise where a message of that time comes as one with the next message, because neither says it then. */
  inMerges: CannotTell[];
}

interface InGaps {
  why: string;
  outcome?: ExpectedPrint['outcome'];
  filament?: string[];
  /** Millimetres of all slots together, where the slots can only be estimated. */
  total?: number;
  more?: number;
}

export interface CannotTell {
  why: string;
  /** Seconds of the recording. */
  from: number;
  to: number;
  expected: ExpectedPrint[];
}

/** The machine that a recording is made with: each of its messages becomes a step. */
// biome-ignore lint/suspicious/noExplicitAny: the compiler wants it of a class that extends one that is given.
export function recorded<Machine extends new (...given: any[]) => Simulator>(Machine: Machine) {
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
      // As it is now, since the state goes on.
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

interface Kind<Machine> {
  name: string;
  adapter: Recording['adapter'];
  start(): Machine;
  /** How a recording ends; the machine rests when it is left out. */
  end?(machine: Machine): unknown;
  /** Of recordings that have none of their own. */
  inGaps?: InGaps;
}

/** Makes the recordings of a kind. */
export const recorder =
  <Machine extends { up(): unknown; rest(): unknown; steps: Step[] }>(kind: Kind<Machine>) =>
  (
    name: string,
    play: (machine: Machine) => void,
    expected: ExpectedPrint[],
    cannotTell: CannotTell[] = [],
    inGaps = kind.inGaps,
    inMerges: CannotTell[] = [],
  ): Recording => {
    const { adapter, end = (its: Machine) => its.rest() } = kind;
    const machine = kind.start();
    machine.up();
    machine.rest();
    play(machine);
    end(machine);
    return { name: `${kind.name}: ${name}`, adapter, steps: machine.steps, expected, cannotTell, inGaps, inMerges };
  };
