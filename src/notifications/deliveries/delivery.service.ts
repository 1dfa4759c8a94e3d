// Decides how a channel is tested, how its deliveries are listed, and which delivery may be sent again.

import { Conflict, orNotFound, TooManyRequests } from '../../errors';
import { parseGuid } from '../../values/guid';
import { clamp, type Page, type PageRange } from '../../values/page';
import type { RequestTime } from '../../values/request-time';
import { createTimeoutSignal } from '../../values/timers';
import { describeNotificationFault } from '../delivery-faults';
import type { NotifierWaker } from '../notifier-waker';
import type { Sender } from '../sender';
import { type DeliveryRow, toDelivery } from '../target.rows';
import type { TargetStore } from '../target.store';
import type { NotificationDelivery, NotificationKind, NotificationTest } from '../target.types';
import type { DeliveryStore } from './delivery.store';
import { ATTEMPT_MS } from './retries';

/** The number of tests that one process runs at a time. Each test holds a socket for up to the time of a request. */
export const MAX_TARGET_TESTS = 10;
/** The part of the time of a request that is reserved for its answer. */
const ANSWER_MS = 300;
const TEST = {
  ...({ event: 'TEST', severity: null, title: 'Test', data: {}, url: null } as const),
  text: 'This is a test of the notifications of the print farm.',
};

export class DeliveryService {
  private runningTests = 0;

  constructor(
    private readonly store: DeliveryStore,
    private readonly targets: TargetStore,
    private readonly sender: Pick<Sender, 'send'>,
    private readonly notifier: NotifierWaker,
  ) {}

  async listByTarget(
    targetId: string,
    range: PageRange,
    { deadline }: RequestTime,
  ): Promise<Page<NotificationDelivery>> {
    const { nodes, cursorOf, ...page } = await this.store.listByTarget(targetId, range, deadline);
    return {
      ...page,
      nodes: nodes.map(toDelivery),
      cursorOf: (row) => cursorOf(row as NotificationDelivery & DeliveryRow),
    };
  }

  /** Makes one attempt, without waiting for the deliveries of the channel. Nothing is stored. */
  async test(id: string, { now, deadline, newId }: RequestTime): Promise<NotificationTest> {
    const row = orNotFound(await this.targets.findRow(parseGuid(id, 'id')), 'notification channel', id);
    if (this.runningTests >= MAX_TARGET_TESTS)
      throw new TooManyRequests('Other channels are being tested now. Try again in 5 seconds');
    const signal = createTimeoutSignal(clamp(deadline - performance.now() - ANSWER_MS, 1, ATTEMPT_MS));
    this.runningTests += 1;
    try {
      const formerSecret = isLater(row.formerSecretUntil, now) ? row.formerSecret : null;
      const answer = await this.sender.send({ ...TEST, id: newId(), at: now }, { ...row, formerSecret }, signal);
      const { fault, httpStatus, certificateFingerprint } = answer;
      const message = fault && describeNotificationFault(fault, row.kind as NotificationKind);
      return { delivered: fault === null, message, httpStatus, certificateFingerprint };
    } finally {
      this.runningTests -= 1;
    }
  }

  async resend(targetId: string, deliveryId: string): Promise<NotificationDelivery> {
    const [target, id] = [parseGuid(targetId, 'targetId'), parseGuid(deliveryId, 'deliveryId')];
    const findDelivery = async () => orNotFound(await this.store.byId(target, id), 'delivery', deliveryId);
    await findDelivery();
    if (!(await this.store.resend(target, id))) {
      throw (await findDelivery()).state === 'WAITING'
        ? new Conflict('is already waiting, so the gateway will send it without your help', 'deliveryId')
        : new Conflict('is a disabled channel. Enable the channel first', 'targetId');
    }
    this.notifier.wake();
    return toDelivery(await findDelivery());
  }
}

const isLater = (time: Date | null, now: string) => time !== null && time.getTime() > Date.parse(now);
