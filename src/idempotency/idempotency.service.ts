// Writes that are done once, however often their client sends them.
import type { Database, Queryable } from '../database/database';
import { BadInput, KeyReused } from '../errors';
import { IdempotencyStore, type KeyedWrite } from './idempotency.store';

const KEY = /^[!-~]{1,255}$/;

export class IdempotencyService {
  constructor(private readonly database: Database) {}

  /**
   * The answer of `work`, which is done in the transaction that keeps the answer under the key: a crash leaves both or
   * neither. The same key again is answered with what was kept, for 24 hours. What `work` throws undoes everything, the
   * key included; refusals are answers like others.
   */
  async once<Answer>(
    write: KeyedWrite,
    now: string,
    work: (transaction: Queryable) => Promise<Answer>,
  ): Promise<Answer> {
    if (!KEY.test(write.key)) {
      throw new BadInput('The header Idempotency-Key must have 1 to 255 visible ASCII characters');
    }
    return this.database.transaction(async (transaction) => {
      const keys = new IdempotencyStore(transaction);
      if (await keys.take(write, now)) {
        const answer = await work(transaction);
        await keys.keep(write, answer);
        return answer;
      }
      const { fingerprint, answer } = await keys.find(write);
      if (fingerprint !== write.fingerprint) {
        throw new KeyReused('The idempotency key was used for another request; a new request needs a new key');
      }
      return answer as Answer;
    });
  }
}
