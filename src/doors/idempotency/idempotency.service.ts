// Makes retries safe: a write with an idempotency key is executed only once.
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
/** The maximum number of characters of a stored response as JSON. 1,000 status records with every member have 300,000. */
const MAX_STORED_ANSWER = 1_000_000;
/** How many keyed writes may have an open transaction at a time. Each needs a connection; the remaining connections serve reads. */
const MAX_OPEN_WRITES = 3;

interface KeyedRequest extends Deadline {
  /** Whether the client sent several mutations, so that the client chose the order in which the write locks rows. */
  hasSeveralMutations: boolean;
}

/** Makes resolvers that use a transaction, so that the key and the write are committed together. */
export interface TransactionalResolvers {
  inTransaction(transaction: Queryable): Resolvers;
}

/** Whether the caller had too few rights. Only this refusal is not stored, because the caller may have the rights at the next try. */
export const lacksRights = (error: unknown): boolean => error instanceof Forbidden;

export class IdempotencyService {
  constructor(
    private readonly database: Database,
    private readonly resolvers: TransactionalResolvers,
  ) {}

  private readonly withConnection = pLimit(MAX_OPEN_WRITES);
  /** The last request with each key that has no answer yet. */
  private readonly lastRequests = new Map<string, Promise<unknown>>();

  /**
   * Runs `work` in the transaction that stores its response under the key, so that a crash leaves both or neither. For KEY_HOURS, a
   * request with the same key gets the stored response. An error of `work` rolls back everything, including the key. A refusal of the
   * service is a response, too, and is stored, except for a lack of rights.
   * @param storedOf selects what is stored of a response, and returned for the same key
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
    return this.runAfterCopies(write, () =>
      this.withConnection(() => {
        // After the deadline the client already has an error, and the writes that wait behind this one would be late, too.
        refusePastDeadline(request);
        return this.database.transaction(async (transaction) => {
          const keys = new IdempotencyStore(transaction);
          if (request.hasSeveralMutations) await keys.waitForTurn();
          if (!(await keys.claim(write))) return readStoredAnswer<Answer>(write, keys);
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
   * Runs the requests with the same key one after the other. In the database, a repeated request would wait for the first one, too,
   * but it would occupy a connection.
   */
  private runAfterCopies<Answer>({ caller, key }: KeyedWrite, run: () => Promise<Answer>): Promise<Answer> {
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

async function readStoredAnswer<Answer>({ fingerprint, ...key }: KeyedWrite, keys: IdempotencyStore): Promise<Answer> {
  const stored = await keys.find<Answer>(key);
  if (fingerprint === stored.fingerprint) return stored.answer;
  throw new KeyReused(
    'This idempotency key was already used for a different request. Use a new key for a new request.',
  );
}

function refuseLongAnswer(answer: unknown): void {
  if (JSON.stringify(answer).length <= MAX_STORED_ANSWER) return;
  throw new BadInput(
    `The response to a write with an idempotency key may have at most ${MAX_STORED_ANSWER} characters. Select fewer fields.`,
  );
}
