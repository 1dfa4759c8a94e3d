// The rules of deliveries: a test, the list of a target, and sending one again.

import { Conflict, orNotFound, TooManyRequests } from '../../errors';
import { parseGuid } from '../../values/guid';
import { clamp, type Page, type PageRange } from '../../values/page';
import type { RequestTime } from '../../values/request-time';
import { timeoutSignal } from '../../values/timers';
import { faultSentence } from '../delivery-faults';
import type { NotifierWaker } from '../notifier-waker';
import type { Sender } from '../sender';
import { type DeliveryRow, toDelivery } from '../target.rows';
import type { TargetStore } from '../target.store';
import type { NotificationDelivery, NotificationKind, NotificationTest } from '../target.types';
import type { DeliveryStore } from './delivery.store';
import { ATTEMPT_MS } from './retries';

/** Tests that one process does at a time. Each takes a socket for as long as its request may take. */
export const MAX_TARGET_TESTS = 10;
/** So much of the time of a request is kept for its answer. */
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

  async listOfTarget(
    targetId: string,
    range: PageRange,
    { deadline }: RequestTime,
  ): Promise<Page<NotificationDelivery>> {
    const { nodes, cursorOf, ...page } = await this.store.ofTarget(targetId, range, deadline);
    return {
      ...page,
      nodes: nodes.map(toDelivery),
      cursorOf: (row) => cursorOf(row as NotificationDelivery & DeliveryRow),
    };
  }

  /** One try, outside of the order. */
  async test(id: string, { now, deadline, newId }: RequestTime): Promise<NotificationTest> {
    const row = orNotFound(await this.targets.findRow(parseGuid(id, 'id')), 'notification target', id);
    if (this.runningTests >= MAX_TARGET_TESTS)
      throw new TooManyRequests('Other targets are tested now: try again in 5 seconds');
    const signal = timeoutSignal(clamp(deadline - performance.now() - ANSWER_MS, 1, ATTEMPT_MS));
    this.runningTests += 1;
    try {
      const formerSecret = isLater(row.formerSecretUntil, now) ? row.formerSecret : null;
      const answer = await this.sender.send({ ...TEST, id: newId(), at: now }, { ...row, formerSecret }, signal);
      const { fault, httpStatus, certificateFingerprint } = answer;
      const message = fault && faultSentence(fault, row.kind as NotificationKind);
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
        ? new Conflict('waits already, and is sent by itself', 'deliveryId')
        : new Conflict('is that of a target that is disabled: enable it first', 'targetId');
    }
    this.notifier.wake();
    return toDelivery(await findDelivery());
  }
}

const isLater = (time: Date | null, now: string) => time !== null && time.getTime() > Date.parse(now);
