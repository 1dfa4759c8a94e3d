// Room for so much of something at a time: those who find none wait, and the clients among them come in turns.
import { TooManyRequests } from '../errors';
import { setTimeout } from '../values/timers';

/** Gives the room back; further calls do nothing. */
export type Leave = () => void;

/** The refusal of a large body that waited too long for a room. */
export const noRoomForBody = () => new TooManyRequests('The gateway has no room for another large body at the moment');

interface Waiting {
  amount: number;
  enter(leave: Leave): void;
}

export class Room {
  private taken = 0;
  /** What each client has in the room. */
  private readonly inside = new Map<string, number>();
  /** Who waits, by client, in the order of their turns. */
  private readonly queues = new Map<string, Set<Waiting>>();

  constructor(private readonly size: number) {}

  /**
   * Resolves when there is room. A larger amount than the whole room waits until it is empty.
   * @param ms the longest wait
   * @param late makes the error of a wait that took longer
   */
  enter(client: string, amount: number, ms: number, late: () => Error): Promise<Leave> {
    if (this.queues.size === 0 && this.hasRoomFor(amount)) return Promise.resolve(this.admit(client, amount));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.leaveQueue(client, waiting);
        reject(late());
        this.admitNext();
      }, ms);
      const waiting = {
        amount,
        enter: (leave: Leave) => {
          clearTimeout(timer);
          resolve(leave);
        },
      };
      this.queues.set(client, (this.queues.get(client) ?? new Set()).add(waiting));
    });
  }

  /** Whether others wait, and the client has at least half of what each could have. */
  crowds(client: string): boolean {
    const clients = new Set([...this.inside.keys(), ...this.queues.keys()]).size;
    return this.queues.size > 0 && (this.inside.get(client) ?? 0) * clients * 2 >= this.size;
  }

  private hasRoomFor(amount: number): boolean {
    return this.taken === 0 || this.taken + amount <= this.size;
  }

  private admit(client: string, amount: number): Leave {
    this.change(client, amount);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.change(client, -amount);
      this.admitNext();
    };
  }

  private change(client: string, amount: number): void {
    this.taken += amount;
    const own = (this.inside.get(client) ?? 0) + amount;
    if (own === 0) this.inside.delete(client);
    else this.inside.set(client, own);
  }

  private admitNext(): void {
    for (const [client, queue] of this.queues) {
      const [first] = queue as Set<Waiting> & Iterable<Waiting>;
      if (first === undefined || !this.hasRoomFor(first.amount)) return;
      this.leaveQueue(client, first);
      first.enter(this.admit(client, first.amount));
    }
  }

  /** The client's next one comes behind those of all others. */
  private leaveQueue(client: string, waiting: Waiting): void {
    const queue = this.queues.get(client);
    if (!queue?.delete(waiting)) return;
    this.queues.delete(client);
    if (queue.size > 0) this.queues.set(client, queue);
  }
}
