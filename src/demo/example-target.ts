// The receiver of the example farm: a target that is there while the command runs, and gets what happens.
import {
  AddNotificationTargetDocument,
  NotificationTargetsDocument,
  RemoveNotificationTargetDocument,
  TestNotificationTargetDocument,
} from '../generated/operations';
import { isLoopback } from '../values/loopback';
import type { Gateway } from './fill';
import { sayRefusal } from './live-farm';
import { Receiver } from './webhook-receiver';

const NAME = 'Receiver of the example';

/**
 * Adds the receiver and sends it a test. Without the right to configure devices there is none.
 * @returns ends it: a target whose receiver is gone would fail, so it is removed
 */
export async function startReceiver({ url, client, say }: Gateway): Promise<() => Promise<void>> {
  // The gateway must reach it on the loopback of this computer.
  if (!isLoopback(new URL(url).hostname)) return async () => {};
  const receiver = new Receiver((text) => say(`Received, with the right signature: ${text}`));
  const remove = async (id: string) => void (await client.request(RemoveNotificationTargetDocument, { id }));
  let id: string | undefined;
  const end = async () => {
    receiver.close();
    // The gateway may be away, or a person has removed it.
    if (id !== undefined) await remove(id).catch(() => {});
  };
  try {
    // A run that was killed has left one.
    for (const left of (await client.request(NotificationTargetsDocument)).notificationTargets) {
      if (left.name === NAME && left.url.startsWith('http://127.0.0.1:')) await remove(left.id);
    }
    const { addNotificationTarget: added } = await client.request(AddNotificationTargetDocument, {
      input: {
        name: NAME,
        kind: 'WEBHOOK',
        url: await receiver.listen(),
        events: ['PRINT_BEGAN', 'PRINT_ENDED', 'PRINT_WAITS', 'ALERT_RAISED', 'ALERT_CLEARED'],
      },
    });
    id = added.target.id;
    receiver.secret = added.secret;
    const { testNotificationTarget: tested } = await client.request(TestNotificationTargetDocument, { id });
    if (!tested.delivered) say(`A receiver on this computer gets no notifications. ${tested.message}`);
    say(`To get notifications of your own farm: ${url}/notifications`);
  } catch (error) {
    await end();
    sayRefusal('The receiver of notifications is', error);
  }
  return end;
}
