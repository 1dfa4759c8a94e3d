// Random scenes of a printer whose spools are changed, and what each spool used, computed by a separate model by layers and slots.
import Decimal from 'decimal.js';
import { amsOf, unit } from '../../src/demo/machines/bambu';
import { moonraker } from '../../src/machines/moonraker/adapter';
import { BambuMachine } from '../recordings/bambu/machine';
import { MoonrakerMachine } from '../recordings/moonraker/machine';
import { type Played, playBambu } from './played-farm';

/** Random numbers below 1, the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What a user does after a step, or enters then as done at that second. */
export type Act =
  | { do: 'LOAD'; slot: string; spool: string | null; at: number | null }
  | { do: 'SEND_PLAN' }
  | { do: 'ASSIGN' }
  | { do: 'WORDS' };

export interface Scene {
  kind: 'BAMBU' | 'MOONRAKER';
  played: Played;
  /** The names of the spools by slot, for the slots that are loaded at the start. */
  loaded: Record<string, string>;
  /** By step, from 1. */
  acts: Map<number, Act[]>;
  /** The spools that a user enters when the print waits, by slot. */
  entered: Record<string, string>;
  plan: { slots: [number, string | null, string | null][]; layers: [number, ...string[]][] } | null;
  /** The spool of a queued job. */
  queued: string | null;
  cutEvery: number;
  /** No new process starts from this step on. */
  cutUntil: number;
  expected: { outcome: string; amounts: Record<string, string>; isMeasured: boolean };
}

/** The spools in the slots, and the length that each spool fed from each slot. */
class Shelf {
  private readonly present: Record<string, string> = {};
  private readonly amounts = new Map<string, Decimal>();
  private made = 0;

  put(slot: string, spool: string): void {
    this.present[slot] = spool;
  }
  findSpool(slot: string): string {
    return this.present[slot] as string;
  }
  createSpool(): string {
    this.made += 1;
    return `s${this.made}`;
  }
  feed(slot: string, mm: Decimal.Value): void {
    const key = `${slot} ${this.findSpool(slot)}`;
    this.amounts.set(key, new Decimal(mm).plus(this.amounts.get(key) ?? 0));
  }
  get usedAmounts(): Record<string, string> {
    const given = [...this.amounts].filter(([, mm]) => !mm.isZero()).map(([key, mm]) => [key, mm.toFixed()]);
    return Object.fromEntries(given.sort());
  }
}

class Acts {
  readonly byStep = new Map<number, Act[]>();
  add(step: number, act: Act): void {
    this.byStep.set(step, [...(this.byStep.get(step) ?? []), act]);
  }
}

const LAYERS = 10;
const formatSlot = (tray: number) => `ams:0:${tray}`;

/** The filaments of a Bambu printer, with a table of their lengths by layer. */
export function createBambuScene(seed: number): Scene {
  const random = createRandom(seed);
  const upTo = (count: number) => Math.floor(random() * count);
  const isTrue = (share: number) => random() < share;
  const filaments = 1 + upTo(3);
  const shelf = new Shelf();
  const acts = new Acts();
  const loaded: Record<string, string> = {};
  const entered: Record<string, string> = {};
  const trays = [0, 1, 2, 3].sort(() => random() - 0.5);
  const feeding = trays.slice(0, filaments);
  const spare = trays.slice(filaments);
  const isEmptyAtBegin = isTrue(0.3);
  for (const [at, tray] of trays.entries()) {
    const spool = shelf.createSpool();
    shelf.put(formatSlot(tray), spool);
    const isEmpty = at === 0 ? isEmptyAtBegin : at >= filaments && isTrue(0.3);
    (isEmpty ? entered : loaded)[formatSlot(tray)] = spool;
  }
  const mm = Array.from({ length: LAYERS }, () => feeding.map(() => (isTrue(0.85) ? (1 + upTo(3000)) / 100 : 0)));
  // A filament that feeds nothing at all does not belong to the print.
  for (const filament of feeding.keys()) (mm[0] as number[])[filament] = 5.25;
  const last = isTrue(0.5) ? LAYERS : 2 + upTo(LAYERS - 3);
  const outcome = last === LAYERS ? 'COMPLETED' : (['CANCELLED', 'FAILED', 'SWITCHED_OFF'][upTo(3)] as string);
  const queued = isTrue(0.3)
    ? shelf.findSpool(formatSlot(isEmptyAtBegin ? (trays[0] as number) : (feeding[upTo(filaments)] as number)))
    : null;
  let cutUntil = Number.POSITIVE_INFINITY;
  const planAt = isTrue(0.5) ? 0 : 1 + upTo(last - 1);
  let isPlanSent = planAt === 0;
  const wordsAt = isTrue(0.3) ? 1 + upTo(last) : null;
  const assignAt = isTrue(0.5) ? 2 + upTo(last) : null;
  const late: { step: number; act: Act }[] = [];
  const played = playBambu((printer) => {
    printer.sendsDeltas = false;
    const ams = (tray: number) => ({ ams: { ...amsOf(unit(0)), tray_now: String(tray) } });
    const now = () => printer.steps.at(-1)?.at as number;
    const steps = () => printer.steps.length;
    printer.prepare({ ...ams(255), mapping: [...feeding] });
    const current = [...feeding];
    for (let layer = 1; layer <= last; layer += 1) {
      printer.print(1, layer - 1);
      if (layer === planAt) {
        acts.add(steps(), { do: 'SEND_PLAN' });
        isPlanSent = true;
      }
      if (layer === wordsAt) acts.add(steps(), { do: 'WORDS' });
      if (layer === assignAt) acts.add(steps(), { do: 'ASSIGN' });
      for (const act of late.splice(0)) acts.add(steps(), act.act);
      for (const [filament, tray] of current.entries()) {
        if (filaments > 1) printer.sendReport(ams(tray));
        shelf.feed(formatSlot(tray), mm[layer - 1]?.[filament] as number);
        const next = spare[0];
        if (next === undefined || layer === last || !isTrue(0.06)) continue;
        spare.shift();
        printer.sendReport(ams(255)).sendReport(ams(next));
        current[filament] = next;
      }
      if (!isTrue(0.3)) continue;
      printer.wait(3).sendReport({ gcode_state: 'PAUSE' }).wait(5).sendReport({ wifi_signal: '-50dBm' });
      const isLater = isTrue(0.5);
      const changed = isTrue(0.7) ? (current[upTo(filaments)] as number) : (trays[upTo(4)] as number);
      const slot = formatSlot(changed);
      const load = (spool: string | null, place = slot) => {
        const act: Act = { do: 'LOAD', slot: place, spool, at: isLater ? now() : null };
        if (isLater) late.push({ step: steps(), act });
        else acts.add(steps(), act);
        printer.wait(2).sendReport({ wifi_signal: '-51dBm' });
      };
      // The spool that a user enters for an empty slot is the one with which it started.
      const isKnown = loaded[slot] !== undefined || isFeeding(slot, current);
      if (isKnown) {
        const before = shelf.findSpool(slot);
        if (isTrue(0.3) && loaded[slot] !== undefined) {
          load(null);
          load(before);
        } else if (isTrue(0.25) && loaded[slot] !== undefined) {
          // A spool from another slot, which gets another spool.
          const other = formatSlot(
            trays.find((one) => formatSlot(one) !== slot && loaded[formatSlot(one)] !== undefined) ?? changed,
          );
          const [moved, instead] = [shelf.findSpool(other), isTrue(0.5) ? before : shelf.createSpool()];
          load(moved);
          shelf.put(slot, moved);
          if (other !== slot) {
            load(instead, other);
            shelf.put(other, instead);
          }
        } else {
          if (isTrue(0.3)) load(shelf.createSpool());
          const next = isTrue(0.2) && loaded[slot] !== undefined ? before : shelf.createSpool();
          load(next);
          shelf.put(slot, next);
        }
      }
      printer.wait(2).sendReport({ gcode_state: 'RUNNING' }).wait(2);
    }
    for (const act of late.splice(0)) acts.add(steps(), act.act);
    if (!isPlanSent) acts.add(steps(), { do: 'SEND_PLAN' });
    cutUntil = steps();
    if (outcome === 'SWITCHED_OFF') {
      // The user enters that the print was completed.
      for (let layer = last; layer < LAYERS; layer += 1)
        for (const [filament, tray] of current.entries()) shelf.feed(formatSlot(tray), mm[layer]?.[filament] as number);
      printer.down().wait(120).set({ report: new BambuMachine().report }).up();
      return;
    }
    if (outcome === 'COMPLETED') printer.finish();
    else if (outcome === 'CANCELLED') printer.fail().sendReport({ print_error: 50348044 });
    else printer.fail().stayIdle(60);
    printer.sendReport(ams(255));
  });
  const table = mm.map((_, at): [number, ...string[]] => [
    at + 1,
    ...feeding.map((_, filament) => sumLayers(mm.slice(0, at + 1), filament)),
  ]);
  const slots = feeding.map((_, at): [number, string | null, string | null] => [at + 1, sumLayers(mm, at), null]);
  return {
    kind: 'BAMBU',
    played,
    loaded,
    entered,
    acts: acts.byStep,
    plan: { slots, layers: table },
    // A failure is believed after a process has seen it for 15 s.
    queued,
    cutEvery: 1 + upTo(4),
    cutUntil,
    expected: {
      outcome: outcome === 'SWITCHED_OFF' ? 'COMPLETED' : outcome,
      amounts: shelf.usedAmounts,
      isMeasured: false,
    },
  };
}

const isFeeding = (slot: string, current: readonly number[]) => current.some((tray) => formatSlot(tray) === slot);

const sumLayers = (mm: readonly (readonly number[])[], filament: number) =>
  Decimal.sum(0, ...mm.map((layer) => layer[filament] as number)).toFixed();

/** One tool of a Moonraker that measures its length. */
export function createMoonrakerScene(seed: number): Scene {
  const random = createRandom(seed);
  const upTo = (count: number) => Math.floor(random() * count);
  const isTrue = (share: number) => random() < share;
  const [shelf, acts] = [new Shelf(), new Acts()];
  const first = shelf.createSpool();
  shelf.put('tool:0', first);
  const isEmpty = isTrue(0.3);
  const machine = new MoonrakerMachine();
  const pieces = 2 + upTo(3);
  machine.files = isTrue(0.8) ? { 'cube.gcode': { filament_total: 1000 } } : {};
  machine.up();
  machine.stayIdle();
  machine.startPrint('cube.gcode');
  const [steps, now] = [() => machine.steps.length, () => machine.steps.at(-1)?.at as number];
  const late: Act[] = [];
  const assignAt = upTo(pieces + 1);
  let [layer, mm] = [0, new Decimal(0)];
  for (let piece = 0; piece < pieces; piece += 1) {
    layer += 1 + upTo(9);
    const used = new Decimal(1 + upTo(20_000)).div(100);
    mm = mm.plus(used);
    machine.print(20, mm.toNumber(), Math.min(0.99, layer / 50), layer);
    shelf.feed('tool:0', used);
    for (const act of late.splice(0)) acts.add(steps(), act);
    if (piece === assignAt) acts.add(steps(), { do: 'ASSIGN' });
    if (isTrue(0.2)) acts.add(steps(), { do: 'WORDS' });
    if (piece === pieces - 1 && isTrue(0.5)) continue;
    machine
      .update({ print_stats: { state: 'paused' } })
      .wait(3)
      .sendHeartbeat();
    const isLater = isTrue(0.5) && piece < pieces - 1;
    const load = (spool: string | null) => {
      const act: Act = { do: 'LOAD', slot: 'tool:0', spool, at: isLater ? now() : null };
      if (isLater) late.push(act);
      else acts.add(steps(), act);
      machine.wait(2).sendHeartbeat();
    };
    const before = shelf.findSpool('tool:0');
    const isThere = !isEmpty || before !== first;
    if (isTrue(0.3) && isThere) {
      load(null);
      load(before);
    } else {
      if (isTrue(0.3)) load(shelf.createSpool());
      const next = isThere && isTrue(0.2) ? before : shelf.createSpool();
      load(next);
      shelf.put('tool:0', next);
    }
    machine.wait(2).update({ print_stats: { state: 'printing' } });
  }
  const outcome = isTrue(0.6) ? 'COMPLETED' : isTrue(0.5) ? 'CANCELLED' : 'FAILED';
  if (outcome === 'COMPLETED') machine.endPrint('complete', 'completed');
  else if (outcome === 'CANCELLED') machine.endPrint('cancelled', 'cancelled');
  else machine.endPrint('error', 'error');
  machine.stayIdle();
  return {
    kind: 'MOONRAKER',
    played: { adapter: moonraker, steps: machine.steps },
    plan: null,
    acts: acts.byStep,
    loaded: isEmpty ? {} : { 'tool:0': first },
    entered: isEmpty ? { 'tool:0': first } : {},
    queued: null,
    cutEvery: 1 + upTo(4),
    cutUntil: Number.POSITIVE_INFINITY,
    expected: { outcome, amounts: shelf.usedAmounts, isMeasured: true },
  };
}

/** Several tools of a Moonraker, each of which measures its length. */
export function createToolsScene(seed: number): Scene {
  const random = createRandom(seed);
  const upTo = (count: number) => Math.floor(random() * count);
  const isTrue = (share: number) => random() < share;
  const [shelf, acts] = [new Shelf(), new Acts()];
  const tools = 2 + upTo(2);
  const slotOfTool = (tool: number) => `tool:${tool}`;
  const loaded: Record<string, string> = {};
  for (let tool = 0; tool < tools; tool += 1) {
    const spool = shelf.createSpool();
    shelf.put(slotOfTool(tool), spool);
    loaded[slotOfTool(tool)] = spool;
  }
  const machine = new MoonrakerMachine();
  const weights = Array.from({ length: tools }, () => (1 + upTo(30)) / 10);
  machine.files = { 'cube.gcode': { filament_total: 1000, ...(isTrue(0.6) && { filament_weights: weights }) } };
  machine.up();
  machine.stayIdle();
  machine.addExtruders().startPrint('cube.gcode');
  const [steps, now] = [() => machine.steps.length, () => machine.steps.at(-1)?.at as number];
  const late: Act[] = [];
  let [layer, mm, tool] = [0, new Decimal(0), 0];
  const change = (changed: number) => {
    const slot = slotOfTool(changed);
    const isLater = late.length > 0 || isTrue(0.4);
    const load = (spool: string | null, place = slot) => {
      const act: Act = { do: 'LOAD', slot: place, spool, at: isLater ? now() : null };
      if (isLater) late.push(act);
      else acts.add(steps(), act);
      machine.wait(2).sendHeartbeat();
    };
    const before = shelf.findSpool(slot);
    const others = [...Array(tools).keys()].filter((one) => one !== changed && one !== tool);
    const other = others[upTo(others.length)];
    if (isTrue(0.2)) {
      load(null);
      load(before);
    } else if (isTrue(0.25) && other !== undefined) {
      const moved = shelf.findSpool(slotOfTool(other));
      const instead = isTrue(0.5) ? before : shelf.createSpool();
      load(moved);
      shelf.put(slot, moved);
      load(instead, slotOfTool(other));
      shelf.put(slotOfTool(other), instead);
    } else {
      if (isTrue(0.3)) load(isTrue(0.5) ? shelf.createSpool() : null);
      const next = isTrue(0.1) ? before : shelf.createSpool();
      load(next);
      shelf.put(slot, next);
    }
  };
  const pieces = 3 + upTo(6);
  for (let piece = 0; piece < pieces; piece += 1) {
    if (isTrue(0.6)) {
      tool = upTo(tools);
      machine.selectTool(tool);
    }
    const idle = [...Array(tools).keys()].filter((one) => one !== tool);
    if (isTrue(0.3)) change(idle[upTo(idle.length)] as number);
    if (isTrue(0.1)) machine.selectTool(idle[0] as number).selectTool(tool);
    layer += 1 + upTo(4);
    const used = new Decimal(1 + upTo(20_000)).div(100);
    mm = mm.plus(used);
    machine.print(20, mm.toNumber(), Math.min(0.99, layer / 50), layer);
    shelf.feed(slotOfTool(tool), used);
    if (isTrue(0.6)) for (const act of late.splice(0)) acts.add(steps(), act);
    if (isTrue(0.1)) acts.add(steps(), { do: 'WORDS' });
    if (isTrue(0.3)) change(idle[upTo(idle.length)] as number);
    if (!isTrue(0.35) || piece === pieces - 1) continue;
    machine
      .update({ print_stats: { state: 'paused' } })
      .wait(3)
      .sendHeartbeat();
    for (let count = 1 + upTo(2); count > 0; count -= 1) change(upTo(tools));
    if (isTrue(0.2)) {
      tool = upTo(tools);
      machine.selectTool(tool);
    }
    machine.wait(2).update({ print_stats: { state: 'printing' } });
  }
  for (const act of late.splice(0)) acts.add(steps(), act);
  const outcome = isTrue(0.6) ? 'COMPLETED' : isTrue(0.5) ? 'CANCELLED' : 'FAILED';
  if (outcome === 'COMPLETED') machine.endPrint('complete', 'completed');
  else if (outcome === 'CANCELLED') machine.endPrint('cancelled', 'cancelled');
  else machine.endPrint('error', 'error');
  machine.stayIdle();
  return {
    kind: 'MOONRAKER',
    played: { adapter: moonraker, steps: machine.steps },
    plan: null,
    acts: acts.byStep,
    loaded,
    entered: {},
    queued: null,
    cutEvery: isTrue(0.3) ? 1000 : 1 + upTo(4),
    cutUntil: Number.POSITIVE_INFINITY,
    expected: { outcome, amounts: shelf.usedAmounts, isMeasured: true },
  };
}
