// Makes one attempt to send one message: decrypts the secrets of the channel and sends the message as the kind of the channel demands.
import { type ReceiverAnswer, reportFailed } from '../wire/faults';
import type { Reach } from '../wire/networks';
import type { Secrets } from '../wire/secrets';
import type { NotificationMessage, ReadableTarget } from './channel-message';
import type { BrokerRegistry } from './mqtt/broker-registry';
import { sendMqtt } from './mqtt/send-mqtt';
import { sendNtfy } from './ntfy';
import { hasAddress } from './target.address';
import type { SealedTarget } from './target.rows';
import type { NotificationKind } from './target.types';
import { sendWebhook } from './webhook';

interface SenderParts {
  reach: Reach;
  brokers: Pick<BrokerRegistry, 'send'>;
  secrets: Pick<Secrets, 'decrypt'>;
  log: { error(line: object, text: string): void };
}

export class Sender {
  constructor(private readonly parts: SenderParts) {}

  /**
   * Never throws, because the answer contains the failure.
   * @param signal ends the attempt
   */
  async send(message: NotificationMessage, sealed: SealedTarget, signal: AbortSignal): Promise<ReceiverAnswer> {
    const { id, kind, url } = sealed;
    const target = decryptSecrets(sealed, this.parts.secrets);
    if (target === 'SECRET_NOT_READABLE') return reportFailed(target);
    if (!hasAddress(kind, url)) return reportFailed('NOT_THIS_KIND');
    try {
      return await this.sendByKind(target, message, signal);
    } catch (error) {
      this.parts.log.error(
        { err: withoutMessage(error), target: id },
        'A notification was not sent because of an error in the gateway. The gateway tries again. Please report this error.',
      );
      return reportFailed('NOT_THIS_KIND');
    }
  }

  private sendByKind(
    target: ReadableTarget,
    message: NotificationMessage,
    signal: AbortSignal,
  ): Promise<ReceiverAnswer> {
    const { reach, brokers } = this.parts;
    switch (target.kind) {
      case 'WEBHOOK':
        return sendWebhook(message, target, reach, signal);
      case 'NTFY':
        return sendNtfy(message, target, reach, signal);
      case 'MQTT':
        return sendMqtt(message, target, reach, brokers, signal);
    }
  }
}

function decryptSecrets(
  { secret, formerSecret, kind, ...target }: SealedTarget,
  secrets: Pick<Secrets, 'decrypt'>,
): ReadableTarget | 'SECRET_NOT_READABLE' {
  const decrypt = (sealed: string | null) => secrets.decrypt({ ...target, kind, address: target.url, secret: sealed });
  const [current, former] = [decrypt(secret), decrypt(formerSecret)];
  if (current === 'SECRET_NOT_READABLE') return current;
  return {
    ...target,
    kind: kind as NotificationKind,
    secret: current,
    formerSecret: former === 'SECRET_NOT_READABLE' ? null : former,
  };
}

/** Keeps only the type and the stack of an error. Its message and members may contain a secret, such as a part of the URL. */
function withoutMessage(error: unknown) {
  const { name, stack = '' } = error as Partial<Error>;
  return { type: name, stack: stack.match(/^ {4}at .*$/gm)?.join('\n') };
}
