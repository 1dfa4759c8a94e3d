// Makes retries safe: a write with an idempotency key is done once.
import pLimit from 'p-limit';
import type { Database } from '../../database/database';
import type { Queryable } from '../../database/queryable';
import { BadInput, Forbidden, KeyReused } from '../../errors';
import type { Resolvers } from '../../farm/graph/context';
import { type Deadline, refusePastDeadline } from '../../values/request-time';
import { MAX_KEY_LENGTH } from '../../values/text';
import { IdempotencyStore, type KeyedWrite } from './idempotency.store';

/** A key is a text of visible ASCII characters. */
export const KEY_FORM = new RegExp(`^[!-~]{1,${MAX_KEY_LENGTH}}$`);
/** Characters of an answer as JSON. 1,000 status records with every member have 300,000. */
const MAX_STORED_ANSWER = 1_000_000;
/** Transactions of keyed writes that are open at a time. Each holds a connection, and the others stay free for reads. */
const MAX_OPEN_WRITES = 3;

interface KeyedRequest extends Deadline {
  /** Whether the write locks rows in an order that its client chose. */
  hasSeveralMutations: boolean;
}

/** The resolvers over a transaction, so that the key and the write are committed together. */
export interface TransactionalResolvers {
  inTransaction(transaction: Queryable): Resolvers;
}

/** The one refusal that is not stored, because the same caller may have the rights the next time. */
export const isLackOfRights = (error: unknown): boolean => error instanceof Forbidden;

export class IdempotencyService {
  constructor(
    private readonly database: Database,
    private readonly resolvers: TransactionalResolvers,
  ) {}

  private readonly withConnection = pLimit(MAX_OPEN_WRITES);
  /** The last request with each key that has no answer yet. */
  private readonly lastRequests = new Map<string, Promise<unknown>>();

  /**
   * Runs `work` in the transaction that stores its answer under the key, so a crash leaves both or none. The same key
   * gets the stored answer for 24 hours. An error of `work` undoes everything, the key included. A refusal is stored
   * unless isLackOfRights says otherwise.
   * @param storedOf what of the answer is stored, and returned for the same key
   */
  async once<Answer>(
    write: KeyedWrite,
    request: KeyedRequest,
    work: (resolvers: Resolvers) => Promise<Answer>,
    storedOf = (answer: Answer): Answer => answer,
  ): Promise<Answer> {
    if (!KEY_FORM.test(write.key)) {
      throw new BadInput(`The header Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} visible ASCII characters`);
    }
    return this.afterCopies(write, () =>
      this.withConnection(() => {
        // The client has its answer already, and the writes that wait behind this one would be late too.
        refusePastDeadline(request);
        return this.database.transaction(async (transaction) => {
          const keys = new IdempotencyStore(transaction);
          if (request.hasSeveralMutations) await keys.waitForTurn();
          if (!(await keys.claim(write))) return answerAgain<Answer>(write, keys);
          const answer = await work(this.resolvers.inTransaction(transaction));
          refuseLongAnswer(answer);
          await keys.store(write, storedOf(answer));
          return answer;
        });
      }),
    );
  }

  /** Deletes the keys that have expired. */
  forgetExpired(): Promise<void> {
    return new IdempotencyStore(this.database).forgetExpired();
  }

  /**
   * Runs the requests of one key one after the other. A copy would wait for the first request in the database too, but
   * there it would hold a connection.
   */
  private afterCopies<Answer>({ caller, key }: KeyedWrite, run: () => Promise<Answer>): Promise<Answer> {
    const id = JSON.stringify([caller, key]);
    const previous = this.lastRequests.get(id);
    const current = previous === undefined ? run() : previous.then(run, run);
    this.lastRequests.set(id, current);
    const forget = () => {
      if (this.lastRequests.get(id) === current) this.lastRequests.delete(id);
    };
    current.then(forget, forget);
    return current;
  }
}

async function answerAgain<Answer>({ fingerprint, ...key }: KeyedWrite, keys: IdempotencyStore): Promise<Answer> {
  const stored = await keys.find<Answer>(key);
  if (fingerprint === stored.fingerprint) return stored.answer;
  throw new KeyReused('The idempotency key was used for another request; a new request needs a new key');
}

function refuseLongAnswer(answer: unknown): void {
  if (JSON.stringify(answer).length <= MAX_STORED_ANSWER) return;
  throw new BadInput(
    `The answer to a write with an idempotency key may have ${MAX_STORED_ANSWER} characters: select fewer fields`,
  );
}
