// The rules of the feed of changes: its pages, and the changes of a subscription.
import { type Place, WatchedEvents } from '../sharing/feed';
import { type Moment, refuseLate } from '../values/moment';
import { clamp, type Page } from '../values/page';
import type { Keeps } from './change.filter';
import { CHANGES_PER_PAGE, MAX_CHANGES_EXAMINED, MAX_CHANGES_PER_PAGE } from './change.limits';
import { type ChangeStore, cursorOf, placeOf } from './change.store';
import type { ChangeRow } from './change.types';

/** A page of the feed. Its end can lie behind its last change, where changes that the filter leaves out were examined. */
export type ChangePage = Page<ChangeRow>;

const EXAMINED_AT_ONCE = 2000;

export class ChangeService {
  constructor(private readonly store: ChangeStore) {}

  async latestCursor(): Promise<string> {
    return cursorOf(await this.store.latest());
  }

  async page(
    after: string | null | undefined,
    first: number | null | undefined,
    keeps: Keeps,
    moment: Moment,
  ): Promise<ChangePage> {
    const wanted = clamp(first ?? CHANGES_PER_PAGE, 1, MAX_CHANGES_PER_PAGE);
    let place: Place | null = after == null ? null : placeOf(after);
    let hasNextPage = true;
    const rows: ChangeRow[] = [];
    let size = wanted + 1;
    for (let examined = 0; hasNextPage && rows.length <= wanted && examined < MAX_CHANGES_EXAMINED; examined += size) {
      refuseLate(moment);
      if (examined > 0) size = EXAMINED_AT_ONCE;
      const changes: ChangeRow[] = await this.store.after(place, size);
      rows.push(...changes.filter((change) => isShown(change) && keeps(change)));
      place = changes.at(-1)?.place ?? place;
      hasNextPage = changes.length === size;
    }
    const isFull = rows.length > wanted;
    const shown = rows.slice(0, wanted);
    const end = isFull || place === null ? shown.at(-1)?.cursor : cursorOf(place);
    return {
      nodes: shown,
      hasNextPage: hasNextPage || isFull,
      hasPreviousPage: after != null,
      cursorOf: (row) => row.cursor,
      endCursor: end ?? after ?? null,
      totalCount: null,
    };
  }
}

/** The changes of a subscription. */
export function eventsAfter(after: string | null | undefined, keeps: Keeps): WatchedEvents {
  return new WatchedEvents(
    after == null ? null : placeOf(after),
    (change: ChangeRow) => isShown(change) && keeps(change),
  );
}

/** A record that was removed again cannot be shown; its camera has a change that says so. */
const isShown = ({ type, status }: ChangeRow) => type !== 'CAMERA_STATUS' || status !== null;
