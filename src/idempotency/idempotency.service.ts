// Makes retries safe: a write with an idempotency key is done once.
import type { Database } from '../database/database';
import type { Queryable } from '../database/queryable';
import { AttemptRefused, type Attempts } from '../database/transactions';
import { BadInput, KeyReused, Outage, Overtime } from '../errors';
import type { Resolvers } from '../graph/context';
import { GroupUndone, openGroupCommit } from '../sharing/group-commit';
import { MAX_KEY_LENGTH } from '../values/text';
import { KEY, MAX_ANSWER } from './idempotency.limits';
import { IdempotencyStore, idOf, type KeptWrite, type KeyedWrite } from './idempotency.store';

interface KeyedRequest {
  /** When its time is over (Moment). */
  end: number;
  /** The length of its body. */
  bytes: number;
}

/**
 * A group has 1,000 times as much at most. Its 600 kB are up to 20,000 status records, which take 2 s. Without a bound, a
 * hundred calls of a thousand records would share one transaction, fail together when its time is over, and so again.
 */
const WEIGHT_BYTES = 600;

/** A write with its key, and the work that does it with the resolvers of a transaction. */
interface Item extends Omit<KeyedRequest, 'end'> {
  write: KeyedWrite;
  work(resolvers: Resolvers): Promise<unknown>;
}

/** The answer of a write, or the error that undid it. */
type Outcome = { answer: unknown } | { failure: unknown };

export class IdempotencyService {
  constructor(
    private readonly database: Database,
    private readonly resolversOn: (transaction: Queryable) => Resolvers,
  ) {}

  /**
   * Runs `work` in the transaction that stores its answer under the key, so a crash leaves both or none. The same key
   * gets the stored answer for 24 hours. An error of `work` undoes everything, the key included; a refusal is stored.
   * 1. A copy of a write that is running here waits for its end.
   * 2. The write joins the open group, which begins one transaction.
   * 3. The transaction takes the free keys. Another transaction that holds one of them is waited for.
   * 4. The works of the taken keys run side by side.
   * 5. Their answers are stored under the keys.
   * 6. The answers of the keys that were not free are read.
   */
  async once<Answer>(
    write: KeyedWrite,
    { end, ...request }: KeyedRequest,
    work: (resolvers: Resolvers) => Promise<Answer>,
  ): Promise<Answer> {
    if (!KEY.test(write.key)) {
      throw new BadInput(`The header Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} visible ASCII characters`);
    }
    const keepable = async (resolvers: Resolvers) => {
      const answer = await work(resolvers);
      if (JSON.stringify(answer).length <= MAX_ANSWER) return answer;
      throw new BadInput(
        `The answer to a write with an idempotency key may have ${MAX_ANSWER} characters: select fewer fields`,
      );
    };
    const outcome = await this.afterEarlierCopy(idOf(write), () =>
      this.writeInGroup({ ...request, write, work: keepable }, end),
    );
    if ('failure' in outcome) throw outcome.failure;
    return outcome.answer as Answer;
  }

  /** Deletes the keys that are older than 24 hours. */
  forgetExpired(): Promise<void> {
    return new IdempotencyStore(this.database).forgetExpired();
  }

  /**
   * Keyed writes that wait while others are done are done together: in one transaction on one connection, so that a storm
   * of them leaves the other connections to reads. A group is open until its transaction has begun: it has the
   * writes that arrive in this time. Keyed writes must run at half the speed of plain ones at least. At 16 connections the
   * ratio is 0.60, and 0.47 where a group takes its items before its transaction begins.
   */
  private readonly writeInGroup = openGroupCommit<Item, Outcome>(
    async (takeItems, lockMs) => {
      try {
        return await this.writeGroup(takeItems, lockMs, 'without savepoints');
      } catch (error) {
        if (!(error instanceof AttemptRefused)) throw error;
        return this.writeGroup(takeItems, lockMs, 'with savepoints');
      }
    },
    ({ bytes }) => 1 + bytes / WEIGHT_BYTES,
  );

  /** The first writes of keys that are on their way. */
  private readonly first = new Map<string, Promise<unknown>>();

  /** Copies of one write wait here for the first one, not in the database for its lock. */
  private async afterEarlierCopy(id: string, work: () => Promise<Outcome>): Promise<Outcome> {
    const first = this.first.get(id);
    if (first) {
      await first.catch(() => {});
      return work();
    }
    const done = work();
    this.first.set(id, done);
    return done.finally(() => this.first.delete(id));
  }

  private writeGroup(takeItems: () => readonly Item[], lockMs: number, attempts: Attempts): Promise<Outcome[]> {
    return this.database.transaction(async (transaction) => {
      const items = takeItems();
      if (items.length === 0) return [];
      const keys = new IdempotencyStore(transaction);
      // Two items may have one key: the first is done, and the second gets its answer.
      const firsts = [...new Map(items.toReversed().map((item) => [idOf(item.write), item])).values()];
      const writes = firsts.map(({ write }) => write);
      const taken = await keys.take(writes, lockMs);
      const mine = firsts.filter(({ write }) => taken.has(idOf(write)));
      const done = await this.runAll(mine, this.resolversOn(transaction), items.length === 1);
      await keys.keep(done);
      const known = await keys.find(writes.filter((write) => !taken.has(idOf(write))));
      const answers = new Map([...known, ...done].map((one) => [idOf(one), one]));
      return items.map(({ write }) => answerTo(write, answers.get(idOf(write)) as KeptWrite));
    }, attempts);
  }

  /** Runs the works side by side, so that their reads and writes share statements, and waits for all of them. */
  private async runAll(items: Item[], resolvers: Resolvers, isAlone: boolean): Promise<KeptWrite[]> {
    const settled = await Promise.allSettled(items.map(({ work }) => work(resolvers)));
    // While the database is away, no work could succeed alone.
    for (const one of settled) {
      if (one.status === 'rejected' && one.reason instanceof Outage && !(one.reason instanceof Overtime))
        throw one.reason;
    }
    const failed = items.filter((_, at) => settled[at]?.status === 'rejected');
    if (failed.length > 0 && !isAlone) throw new GroupUndone(new Set(failed));
    return settled.map((one, at) => {
      if (one.status === 'rejected') throw one.reason;
      return { ...(items[at] as Item).write, answer: one.value };
    });
  }
}

function answerTo({ fingerprint }: KeyedWrite, kept: KeptWrite): Outcome {
  if (fingerprint === kept.fingerprint) return { answer: kept.answer };
  return { failure: new KeyReused('The idempotency key was used for another request; a new request needs a new key') };
}
