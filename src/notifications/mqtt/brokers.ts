// The brokers of the farm, while this process is the one that tells.

import { instantNow } from '../../values/instant';
import type { Secrets } from '../../wire/secrets';
import { addressOf } from '../address';
import { readable } from '../readable';
import type { BrokerTargetStore } from './broker-target.store';
import type { BrokerTellers, KeptTarget } from './tellers';

/** States are told at most once in this time. A timer of 2 s may be early. */
const EVERY_MS = 1_900;

export class Brokers {
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly parts: {
      store: BrokerTargetStore;
      tellers: BrokerTellers;
      secrets: Pick<Secrets, 'decrypt'>;
    },
  ) {}

  /** Keeps the connections of the targets, and tells them what has changed. */
  async step(): Promise<void> {
    if (performance.now() - this.lookedAt < EVERY_MS) return;
    this.lookedAt = performance.now();
    const { store, tellers, secrets } = this.parts;
    const targets = (await store.enabled()).flatMap(({ printerIds, edited, ...sealed }): KeptTarget[] => {
      const target = readable(sealed, true, secrets);
      return target === 'SECRET_NOT_READABLE' || !isReadable(sealed.url) ? [] : [{ ...target, printerIds, edited }];
    });
    tellers.keep(targets);
    await tellers.tell(instantNow());
  }

  /** Another process goes on. */
  stop(): Promise<void> {
    return this.parts.tellers.stop();
  }
}

/** Another program may have written the row. */
function isReadable(url: string): boolean {
  try {
    addressOf('MQTT', url);
    return true;
  } catch {
    return false;
  }
}
