// Messages that were heard while the rows of their device are read.
import type { Instant } from '../../values/instant';
import { weightOf } from '../../wire/waiting-bytes';
import type { MachineMessage } from '../adapter';

const MAX_MESSAGES = 1000;
const MAX_BYTES = 2 << 20;

interface EarlyMessage {
  message: MachineMessage;
  at: Instant;
}

export class EarlyMessages {
  private messages: EarlyMessage[] = [];
  private weight = 0;

  get bytes(): number {
    return this.weight;
  }

  get isEmpty(): boolean {
    return this.messages.length === 0;
  }

  get isTooMuch(): boolean {
    return this.messages.length > MAX_MESSAGES || this.weight > MAX_BYTES;
  }

  add(message: MachineMessage, at: Instant): void {
    this.messages.push({ message, at });
    this.weight += weightOf(message.body, MAX_BYTES);
  }

  takeAll(): EarlyMessage[] {
    const { messages } = this;
    [this.messages, this.weight] = [[], 0];
    return messages;
  }
}
