// Counts the objects of a response while it is being made, and refuses the operation when the response becomes too large.
import { getHeapStatistics } from 'node:v8';
import { BadInput, type GatewayError, TooManyRequests } from '../../errors';
import { earlyRefusal } from './variable-issues';

/**
 * The memory that one object takes while its response is being made: its row, its promises and its text. Measured with graphql-js,
 * a part of a job takes 1.5 kB.
 */
const OBJECT_BYTES = 4096;
/** The share of the heap that the text of one response may take. While the text is written, it takes three times as much. */
const TEXT_SHARE_OF_HEAP = 1 / 16;
/** How many lists of one operation are read at a time: as many as one statement reads (sharing/batch.ts). Further lists wait. */
const MAX_READ_AT_A_TIME = 1000;
/** A response with at most so many objects has at most 30 MB of text, even if all members are as long as allowed. It is not measured. */
const SMALL_RESPONSE_OBJECTS = 2000;

/** Limits the size of each response, and of all responses that this process is making. */
export class AnswerSizes {
  private readonly maxObjects: number;
  private readonly maxCharacters: number;
  /** The number of objects in all responses that are being made. */
  private objects = 0;

  /** @param maxCost the highest cost of one operation */
  constructor(
    private readonly maxCost: number,
    heapBytes = getHeapStatistics().heap_size_limit,
  ) {
    this.maxObjects = Math.floor(heapBytes / OBJECT_BYTES);
    this.maxCharacters = Math.floor(heapBytes * TEXT_SHARE_OF_HEAP);
  }

  /**
   * Runs an operation whose resolvers get this context. Throws if the response becomes too large.
   * @param isStored whether the changes of the operation stay stored although its response is refused
   */
  async runWithinLimits<Result extends { data?: unknown }>(
    context: object,
    run: () => Result | Promise<Result>,
    isStored = false,
  ): Promise<Result> {
    const size = new AnswerSize((objects) => this.findFault(size, objects));
    sizes.set(context, size);
    try {
      const result = await run();
      if (size.objects > SMALL_RESPONSE_OBJECTS && countCharacters(result.data) > this.maxCharacters)
        size.fault ??= new BadInput(
          `The response would have more than ${this.maxCharacters} characters. Request fewer rows or fields at a time.`,
        );
      if (size.fault === undefined) return result;
      const { fault } = size;
      const refusal = isStored ? new BadInput(`${fault.message} The changes of this mutation are stored.`) : fault;
      throw earlyRefusal(refusal, fault instanceof TooManyRequests ? 429 : 400);
    } finally {
      this.objects -= size.objects;
    }
  }

  private findFault({ objects, cost }: AnswerSize, more: number): GatewayError | undefined {
    this.objects += more;
    if (cost > this.maxCost)
      return new BadInput(
        `The response has a higher cost than ${this.maxCost}, the limit of one operation. Request fewer objects at a time.`,
      );
    if (objects > this.maxObjects)
      return new BadInput(
        `The gateway has no memory for a response with more than ${this.maxObjects} objects. Request fewer objects at a time.`,
      );
    if (objects > SMALL_RESPONSE_OBJECTS && this.objects > this.maxObjects)
      return new TooManyRequests('The gateway is busy with other large responses. Try again in a few seconds.');
    return undefined;
  }
}

/** The sizes by the context that the resolvers of an operation get. */
const sizes = new WeakMap<object, AnswerSize>();
export const findAnswerSize = (context: object): AnswerSize | undefined => sizes.get(context);

/** Counts the objects and the cost of one response. */
class AnswerSize {
  objects = 0;
  /** The number of objects, plus the price of rows that are read but not returned. */
  cost = 0;
  /** Why the response is refused; undefined while the response is small enough. */
  fault: GatewayError | undefined;
  private listsInReading = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly faultAfter: (objects: number) => GatewayError | undefined) {}

  /** Counts a price, and throws if the response is too large. */
  addPrice(price: number): void {
    this.cost += price;
    this.add(0);
    this.refuseIfLarge();
  }

  /**
   * Reads a list, and counts its objects. The list itself counts as an object, because it is a promise until it is read.
   * @param countObjectsOfItem how many objects an item has, including the item itself
   */
  readList(countObjectsOfItem: () => number, readCounted: () => unknown): unknown {
    this.add(1);
    this.refuseIfLarge();
    if (this.listsInReading < MAX_READ_AT_A_TIME) return this.read(countObjectsOfItem, readCounted);
    return new Promise<void>((resolve) => this.waiting.push(resolve)).then(() => {
      this.refuseIfLarge();
      return this.read(countObjectsOfItem, readCounted);
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
    this.listsInReading += 1;
    const ended = () => {
      this.listsInReading -= 1;
      // If the response is refused, all waiting lists continue, so that each of them is refused too.
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

/** Counts the characters of all texts in a response. */
function countCharacters(data: unknown): number {
  let characters = 0;
  const pending = [data];
  for (let next = pending.pop(); pending.length > 0 || next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') characters += next.length;
    else if (typeof next === 'object' && next !== null) for (const value of Object.values(next)) pending.push(value);
  }
  return characters;
}
