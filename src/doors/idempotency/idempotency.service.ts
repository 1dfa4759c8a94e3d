// Makes retries safe: a write with an idempotency key is done once.
import type { Database } from '../../database/database';
import type { Queryable } from '../../database/queryable';
import { BadInput, DatabaseUnavailable, DeadlineExceeded, Forbidden, KeyReused } from '../../errors';
import type { Resolvers } from '../../farm/graph/context';
import { GroupUndone, groupCommit } from '../../sharing/group-commit';
import type { Deadline } from '../../values/request-time';
import { MAX_KEY_LENGTH } from '../../values/text';
import { IdempotencyStore, idOf, type KeyedWrite, type StoredAnswer } from './idempotency.store';

/** A key is a text of visible ASCII characters. */
export const KEY_FORM = new RegExp(`^[!-~]{1,${MAX_KEY_LENGTH}}$`);
/** Characters of an answer as JSON. 1,000 status records with every member have 300,000. */
const MAX_STORED_ANSWER = 1_000_000;

interface KeyedRequest extends Deadline {
  /** The length of its body. */
  bytes: number;
}

/**
 * A group of writes has at most 1,000 times this number of bytes, which is up to 20,000 status records, or 2 s. Without a
 * bound, a hundred calls of a thousand records each would share one transaction, exceed its deadline, and fail together.
 */
const WEIGHT_BYTES = 600;

/** A write with its key, and the work that does it with the resolvers of a transaction. */
interface Item extends Omit<KeyedRequest, 'deadline'> {
  write: KeyedWrite;
  work(resolvers: Resolvers): Promise<unknown>;
  storedOf(answer: unknown): unknown;
}

/** The one refusal that is not stored: the same caller may have the rights the next time. */
export const isLackOfRights = (error: unknown): boolean => error instanceof Forbidden;

/** The answer of a write, or the error that undid it. */
type Outcome = { answer: unknown } | { failure: unknown };

export class IdempotencyService {
  constructor(
    private readonly database: Database,
    /** The resolvers over a transaction, so that the key and the write commit together (src/resolvers.ts). */
    private readonly resolversOn: (transaction: Queryable) => Resolvers,
  ) {}

  /**
   * Runs `work` in the transaction that stores its answer under the key, so a crash leaves both or none. The same key
   * gets the stored answer for 24 hours. An error of `work` undoes everything, the key included; a refusal is stored
   * unless isLackOfRights says otherwise.
   * 1. Writes that wait are done in one transaction. A copy of a write waits too, or comes in the same transaction.
   * 2. The transaction takes the free keys. Another transaction that holds one of them is waited for.
   * 3. The works of the taken keys run side by side.
   * 4. Their answers are stored under the keys.
   * 5. The answers of the keys that were not free are read.
   * @param storedOf what of the answer is stored, and returned for the same key
   */
  async once<Answer>(
    write: KeyedWrite,
    { deadline, ...request }: KeyedRequest,
    work: (resolvers: Resolvers) => Promise<Answer>,
    storedOf = (answer: Answer): Answer => answer,
  ): Promise<Answer> {
    if (!KEY_FORM.test(write.key)) {
      throw new BadInput(`The header Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} visible ASCII characters`);
    }
    const storable = async (resolvers: Resolvers) => {
      const answer = await work(resolvers);
      if (JSON.stringify(answer).length <= MAX_STORED_ANSWER) return answer;
      throw new BadInput(
        `The answer to a write with an idempotency key may have ${MAX_STORED_ANSWER} characters: select fewer fields`,
      );
    };
    const outcome = await this.writeInGroup(
      { ...request, write, work: storable, storedOf: storedOf as Item['storedOf'] },
      deadline,
    );
    if ('failure' in outcome) throw outcome.failure;
    return outcome.answer as Answer;
  }

  /** Deletes the keys whose time is over. */
  forgetExpired(): Promise<void> {
    return new IdempotencyStore(this.database).forgetExpired();
  }

  /**
   * Keyed writes that wait while others are done are done together: in one transaction on one connection, so that a storm
   * of them leaves the other connections to reads. Keyed writes must run at 0.4 of the speed of plain ones at least; at 16
   * connections they run at 0.47.
   */
  private readonly writeInGroup = groupCommit<Item, Outcome>(
    (items, lockMs) => this.writeGroup(items, lockMs),
    ({ bytes }) => 1 + bytes / WEIGHT_BYTES,
  );

  private writeGroup(items: readonly Item[], lockMs: number): Promise<Outcome[]> {
    return this.database.transaction(async (transaction) => {
      const keys = new IdempotencyStore(transaction);
      // Two items may have one key: the first is done, and the second gets its answer. Reversed, so that the first of two
      // copies stays in the Map.
      const firsts = [...new Map(items.toReversed().map((item) => [idOf(item.write), item])).values()];
      const writes = firsts.map(({ write }) => write);
      const taken = await keys.take(writes, lockMs);
      const mine = firsts.filter(({ write }) => taken.has(idOf(write)));
      const done = await this.runAll(mine, this.resolversOn(transaction), items.length === 1);
      const kept = mine.map(({ write, storedOf }, at) => ({ ...write, answer: storedOf(done[at]) }));
      await keys.store(kept);
      const found = await keys.find(writes.filter((write) => !taken.has(idOf(write))));
      const answers = new Map([...found, ...kept].map((one) => [idOf(one), one]));
      return items.map((item) => {
        const own = mine.indexOf(item);
        return own < 0 ? answerTo(item.write, answers.get(idOf(item.write)) as StoredAnswer) : { answer: done[own] };
      });
    });
  }

  /** Runs the works side by side, so that their reads and writes share statements, and waits for all of them. */
  private async runAll(items: Item[], resolvers: Resolvers, isAlone: boolean): Promise<unknown[]> {
    const settled = await Promise.allSettled(items.map(({ work }) => work(resolvers)));
    // While the database is away, no work could succeed alone.
    for (const one of settled) {
      if (
        one.status === 'rejected' &&
        one.reason instanceof DatabaseUnavailable &&
        !(one.reason instanceof DeadlineExceeded)
      )
        throw one.reason;
    }
    const failed = items.filter((_, index) => settled[index]?.status === 'rejected');
    if (failed.length > 0 && !isAlone) throw new GroupUndone(new Set(failed));
    return settled.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
  }
}

function answerTo({ fingerprint }: KeyedWrite, stored: StoredAnswer): Outcome {
  if (fingerprint === stored.fingerprint) return { answer: stored.answer };
  return { failure: new KeyReused('The idempotency key was used for another request; a new request needs a new key') };
}
