// The brokers that this process tells: one teller for each target, and one look at the farm for all of them.
import type { Instant } from '../../values/instant';
import type { ReceiverFault } from '../../wire/faults';
import { BrokerFailure } from './broker';
import type { FarmStates } from './farm-states';
import { BrokerTeller, type TellerParts, type ToldTarget } from './teller';

/** A target, with what changes when a person edits it. */
export interface KeptTarget extends ToldTarget {
  edited: string;
}

interface TellersParts extends Omit<TellerParts, 'changed'> {
  read(now: Instant): Promise<FarmStates>;
  changed(targetId: string, fault: ReceiverFault | null): void;
}

export class BrokerTellers {
  private readonly kept = new Map<string, { edited: string; teller: BrokerTeller }>();
  /** By target. */
  private readonly closing = new Map<string, Promise<void>>();

  constructor(private readonly parts: TellersParts) {}

  /** Those that are not among the targets any more are closed, and what their brokers hold is emptied. */
  keep(targets: readonly KeptTarget[]): void {
    const wanted = new Map(targets.map((target) => [target.id, target]));
    for (const [id, { edited, teller }] of this.kept) {
      const target = wanted.get(id);
      if (target?.edited === edited) continue;
      this.kept.delete(id);
      this.close(id, teller, target?.url !== teller.target.url);
    }
    for (const target of targets) {
      if (this.kept.has(target.id)) continue;
      const changed = (fault: ReceiverFault | null) => this.parts.changed(target.id, fault);
      this.kept.set(target.id, {
        edited: target.edited,
        teller: new BrokerTeller(target, { ...this.parts, changed }, this.closing.get(target.id) ?? Promise.resolve()),
      });
    }
  }

  get size(): number {
    return this.kept.size;
  }

  /** Tells each broker what has changed. Nothing is read for none. */
  async tell(now: Instant): Promise<void> {
    if (this.kept.size === 0) return;
    const states = await this.parts.read(now);
    for (const { teller } of this.kept.values()) teller.tell(states);
  }

  /** Resolves when the broker of the target has the event. */
  async send(targetId: string, event: { type: string; body: string }, signal: AbortSignal): Promise<void> {
    const kept = this.kept.get(targetId);
    if (kept === undefined) throw new BrokerFailure('NOT_REACHABLE');
    await kept.teller.send(event.type, event.body, signal);
  }

  /** Another process may go on: what the brokers hold stays. */
  async stop(): Promise<void> {
    for (const [id, { teller }] of this.kept) this.close(id, teller, false);
    this.kept.clear();
    await Promise.all(this.closing.values());
  }

  private close(id: string, teller: BrokerTeller, forget: boolean): void {
    const closing = teller.close(forget).finally(() => {
      if (this.closing.get(id) === closing) this.closing.delete(id);
    });
    this.closing.set(id, closing);
  }
}
