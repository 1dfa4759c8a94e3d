// Adds a notification target to the example farm while the command runs, and shows the messages that it receives.
import {
  AddNotificationTargetDocument,
  NotificationTargetsDocument,
  RemoveNotificationTargetDocument,
  TestNotificationTargetDocument,
} from '../generated/operations';
import { isLoopback } from '../values/loopback';
import type { Gateway } from './fill';
import { showRefusal } from './live-farm';
import { Receiver } from './webhook-receiver';

const NAME = 'Receiver of the example';

/**
 * Adds the target and sends it a test. If the key may not configure devices, no target is added.
 * @returns a function that removes the target, because a target without a receiver would fail
 */
export async function startReceiver({ url, client, say }: Gateway): Promise<() => Promise<void>> {
  // The gateway can reach the receiver only if both run on this computer.
  if (!isLoopback(new URL(url).hostname)) return async () => {};
  const receiver = new Receiver((text) => say(`Notification received, signature correct: ${text}`));
  const remove = async (id: string) => void (await client.request(RemoveNotificationTargetDocument, { id }));
  let id: string | undefined;
  const stop = async () => {
    receiver.close();
    // The gateway may not be running any more, or a user has removed the target.
    if (id !== undefined) await remove(id).catch(() => {});
  };
  try {
    // An earlier run that was killed did not remove its target.
    for (const target of (await client.request(NotificationTargetsDocument)).notificationTargets) {
      if (target.name === NAME && target.url.startsWith('http://127.0.0.1:')) await remove(target.id);
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
    if (!tested.delivered) say(`The example's receiver on this computer gets no notifications. ${tested.message}`);
    say(`To get notifications from your own farm, open ${url}/notifications`);
  } catch (error) {
    await stop();
    showRefusal('The example has no receiver of notifications', error);
  }
  return stop;
}
