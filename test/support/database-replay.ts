// Replays a recording through an adapter, the rules and the recorder, on a database.
import { randomUUID } from 'node:crypto';
import type { Ask, Message, Opened } from '../../src/devices/adapter';
import { printFactsOf } from '../../src/kinds';
import type { Lease } from '../../src/leases/lease';
import type { DevicePrintsStore } from '../../src/observed-prints/device-prints.store';
import { type PrintRecorderService, stepsOf } from '../../src/observed-prints/print-recorder.service';
import { evaluate } from '../../src/print-rules/evaluation';
import { type HeardPrint, resumed } from '../../src/print-rules/print.model';
import type { Reading } from '../../src/print-rules/readings';
import { instant, type Recording, type Step } from '../recordings/recording';

interface Machine {
  lease: Lease;
  printerId: string;
  kind: string;
  store: DevicePrintsStore;
  recorder: PrintRecorderService;
}

/** One process, from its start to its end. The rows are what the next one has. */
export class DatabaseReplay {
  private memory: unknown;
  private heard: HeardPrint | null = null;
  private printId: string | null = null;
  private lastContactBefore: string | null = null;
  private isOpen = false;

  /** @param lastContactAt of the process before it */
  constructor(
    private readonly recording: Pick<Recording, 'adapter'>,
    private readonly machine: Machine,
    public lastContactAt: string | null,
  ) {}

  async hear(step: Step): Promise<void> {
    if (step.link === 'down') this.isOpen = false;
    else if (!this.isOpen) await this.open(step);
    if (step.message !== null && this.isOpen) await this.deliver(step.message, step);
  }

  async open(step: Step): Promise<void> {
    const { store, lease } = this.machine;
    const row = await store.running(lease.deviceId);
    const unplanned = await store.lastUnplanned(lease.deviceId);
    this.memory = this.recording.adapter.start;
    this.heard = row && resumed(row);
    this.printId = row?.id ?? null;
    this.lastContactBefore = row?.seenAt ?? this.lastContactAt;
    this.isOpen = true;
    const body: Opened = {
      lastContactAt: this.lastContactBefore,
      name: row?.name ?? null,
      filePath: row?.filePath ?? null,
      externalId: row?.externalId ?? null,
      ...(unplanned && { unplanned }),
    };
    for (const message of [{ source: 'opened', body }, ...step.greeting]) await this.deliver(message, step);
  }

  private async deliver(message: Message, step: Step): Promise<void> {
    const at = instant(step.at);
    const { memory, readings, asks } = this.recording.adapter.hear(this.memory, message, at);
    this.memory = memory;
    this.lastContactAt = at;
    for (const reading of readings) await this.evaluate(reading, at);
    for (const ask of asks as Ask[]) await this.deliver(step.answer(ask), step);
  }

  private async evaluate(reading: Reading, at: string): Promise<void> {
    const { lease, printerId, store, recorder } = this.machine;
    const { deviceId } = lease;
    const ended = await store.ended(deviceId, typeof reading.print === 'string' ? null : reading.print.externalId);
    const times = { lastContactAt: this.lastContactBefore, addedAt: instant(0) };
    const known = { running: this.heard, ended, ...times, machine: printFactsOf(this.machine.kind) };
    const { running, decisions } = evaluate(known, reading);
    for (const step of stepsOf(decisions, this.printId, randomUUID)) {
      const moment = { now: at, end: Number.POSITIVE_INFINITY, newId: randomUUID };
      const recorded = await recorder.record(lease, { deviceId, printerId }, step, moment);
      // A plan that is told again finds no print without one.
      if (step.decision.do === 'AMEND') expect(['DONE', 'STALE']).toContain(recorded);
      else expect({ step, recorded }).toEqual({ step, recorded: 'DONE' });
      this.printId = (await store.running(deviceId))?.id ?? null;
    }
    this.heard = running;
    const [first] = decisions;
    if (first?.do !== 'MERGE' && first?.do !== 'REOPEN') return;
    const row = await store.running(deviceId);
    this.heard = row && { ...resumed(row), ordinal: running?.ordinal ?? null };
    if (first.do === 'MERGE') await this.evaluate(reading, at);
  }
}
