// Records which alerts are active when the first channel is enabled: they are not news, so no channel gets them.
import type { Queryable } from '../../database/queryable';
import type { Instant } from '../../values/instant';
import type { AlertServiceFactory } from './alert-service-factory';
import { AlertStatesStore } from './alert-states.store';
import { createRaisedState } from './alert-transitions';

export class AlertBaseline {
  constructor(private readonly alertServices: AlertServiceFactory) {}

  /**
   * Does nothing if the active alerts are recorded already.
   * @param transaction the transaction that enables a channel, or a transaction of the notifier if another program has enabled the channel
   */
  async record(transaction: Queryable, now: Instant): Promise<void> {
    const states = new AlertStatesStore(transaction);
    if (await states.areKnown()) return;
    const active = await this.alertServices.createOn(transaction).listAll(now);
    await states.replaceAll(active.map((alert) => createRaisedState(alert, now)));
  }
}
