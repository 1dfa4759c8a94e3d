// Counts the objects of a response while it is being made, and refuses the operation when the response becomes too large.
import { getHeapStatistics } from 'node:v8';
import { BadInput, type GatewayError, TooManyRequests } from '../../errors';
import { earlyRefusal } from './variable-issues';

/**
 * The memory of an object of an answer while it is made, with its row, its promises and its text: 1.5 kB were measured, of parts
 * of jobs by graphql-js.
 */
const BYTES_OF_OBJECT = 4096;
/** The part of the heap that a text may be; it takes three times as much while it is made. */
const SHARE_OF_TEXT = 1 / 16;
/** Lists of one operation that are read at a time: as many as one statement reads (sharing/batch.ts). The others wait. */
const MAX_READ_AT_A_TIME = 1000;
/** An answer with fewer objects has no more text than their longest members, some 30 MB, and is not looked through. */
const SMALL = 2000;

/** The bounds of all answers of a process. */
export class AnswerSizes {
  private readonly maxObjects: number;
  private readonly maxCharacters: number;
  /** The objects in the answers that are being made. */
  private objects = 0;

  /** @param maxCost of one operation */
  constructor(
    private readonly maxCost: number,
    heapBytes = getHeapStatistics().heap_size_limit,
  ) {
    this.maxObjects = Math.floor(heapBytes / BYTES_OF_OBJECT);
    this.maxCharacters = Math.floor(heapBytes * SHARE_OF_TEXT);
  }

  /**
   * Runs an operation whose resolvers get this context, and refuses what is too large.
   * @param stored whether what it changes stays when its answer is refused
   */
  async bounded<Result extends { data?: unknown }>(
    context: object,
    run: () => Result | Promise<Result>,
    stored = false,
  ): Promise<Result> {
    const size = new AnswerSize((objects) => this.faultOf(size, objects));
    sizes.set(context, size);
    try {
      const result = await run();
      if (size.objects > SMALL && charactersIn(result.data) > this.maxCharacters)
        size.fault ??= new BadInput(
          `The answer has more than ${this.maxCharacters} characters: ask for less at a time`,
        );
      if (size.fault === undefined) return result;
      const { fault } = size;
      const refusal = stored ? new BadInput(`${fault.message}. What it changed is stored`) : fault;
      throw earlyRefusal(refusal, fault instanceof TooManyRequests ? 429 : 400);
    } finally {
      this.objects -= size.objects;
    }
  }

  private faultOf({ objects, cost }: AnswerSize, more: number): GatewayError | undefined {
    this.objects += more;
    if (cost > this.maxCost)
      return new BadInput(`The answer has a cost above ${this.maxCost}: ask for fewer objects at a time`);
    if (objects > this.maxObjects)
      return new BadInput(
        `The answer has more than ${this.maxObjects} objects, which this process has memory for: ask for fewer at a time`,
      );
    if (objects > SMALL && this.objects > this.maxObjects)
      return new TooManyRequests('Other large answers are being made: try again soon');
    return undefined;
  }
}

/** By the context that the resolvers of an operation get. */
const sizes = new WeakMap<object, AnswerSize>();
export const sizeOfAnswer = (context: object): AnswerSize | undefined => sizes.get(context);

/** The size of one answer. */
class AnswerSize {
  objects = 0;
  /** The objects, and the price of rows that are read and not answered. */
  cost = 0;
  /** Why it is refused. */
  fault: GatewayError | undefined;
  private reading = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly faultAfter: (objects: number) => GatewayError | undefined) {}

  /** Counts a price, and throws when the answer is too large. */
  addPrice(price: number): void {
    this.cost += price;
    this.add(0);
    this.refuseIfLarge();
  }

  /**
   * Reads a list, and counts it. A list itself counts as an object: before it is read, it is a promise.
   * @param objectsInItem how many objects an item has, itself included
   */
  list(objectsInItem: () => number, read: () => unknown): unknown {
    this.add(1);
    this.refuseIfLarge();
    if (this.reading < MAX_READ_AT_A_TIME) return this.read(objectsInItem, read);
    return new Promise<void>((resolve) => this.waiting.push(resolve)).then(() => {
      this.refuseIfLarge();
      return this.read(objectsInItem, read);
    });
  }

  private read(objectsInItem: () => number, read: () => unknown): unknown {
    const count = (list: unknown) => {
      if (Array.isArray(list)) this.add(list.length * objectsInItem());
      return list;
    };
    const counted = (list: unknown) => {
      this.refuseIfLarge();
      return list;
    };
    const found = read();
    if (!(found instanceof Promise)) return counted(count(found));
    this.reading += 1;
    const ended = () => {
      this.reading -= 1;
      // When the response is refused, all waiting lists continue, so that each of them is refused too.
      for (const go of this.waiting.splice(0, this.fault ? this.waiting.length : 1)) go();
    };
    found.then(ended, ended);
    // All lists that one statement has read are counted before the first of them is completed.
    return found.then(count).then(counted);
  }

  private add(objects: number): void {
    this.objects += objects;
    this.cost += objects;
    this.fault ??= this.faultAfter(objects);
  }

  private refuseIfLarge(): void {
    if (this.fault !== undefined) throw this.fault;
  }
}

/** The characters of all texts in an answer. */
function charactersIn(data: unknown): number {
  let characters = 0;
  const pending = [data];
  for (let next = pending.pop(); pending.length > 0 || next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') characters += next.length;
    else if (typeof next === 'object' && next !== null) for (const value of Object.values(next)) pending.push(value);
  }
  return characters;
}
