// Sends the requests of an adapter to the machine: one at a time, and each only once.

import { setTimeout } from '../values/timers';
import type { ConnectionLifetime } from '../wire/connection-lifetime';
import { Failure } from '../wire/faults';
import type { Ask, MachineMessage } from './machine-adapter';

export type AskAnswer = Pick<MachineMessage, 'body' | 'failed'>;

/** An adapter never waits for more than three answers. Only a hostile machine could make it ask so often. */
const MAX_WAITING = 32;

/** @param answer sends one request to the machine and returns its answer. A failure ends the connection. */
export function createAskQueue(lifetime: ConnectionLifetime, answer: (ask: Ask) => Promise<AskAnswer>) {
  const waiting = new Map<string, Ask>();
  let isAsking = false;

  async function askNext(): Promise<void> {
    for (const [key, ask] of waiting) {
      waiting.delete(key);
      const answered = await answer(ask).catch(replaceUnreadableAnswer);
      lifetime.reportMessage({ source: ask.source, parameters: ask.parameters, ...answered });
      if (lifetime.signal.aborted) return;
    }
    isAsking = false;
  }

  return (ask: Ask): void => {
    waiting.set(JSON.stringify([ask.source, ask.parameters]), ask);
    if (waiting.size > MAX_WAITING) lifetime.end('TOO_MUCH_DATA');
    if (isAsking || lifetime.signal.aborted) return;
    isAsking = true;
    lifetime.run(askNext);
  };
}

/** Treats an unreadable answer as a refusal. The answer about a file whose name is not UTF-8 is unreadable. */
function replaceUnreadableAnswer(error: unknown): AskAnswer {
  if (error instanceof Failure && error.fault === 'PROTOCOL_ERROR') return { body: null, failed: true };
  throw error;
}

/** Waits for an answer, and fails with TIMED_OUT if the answer is late. */
export async function awaitWithin<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Failure('TIMED_OUT')), ms).unref();
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
