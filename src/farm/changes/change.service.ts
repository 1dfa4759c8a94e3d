// Decides how many changes a page of the feed examines and shows, and which changes a subscription gets.
import { type FeedPosition, WatchedEvents } from '../../sharing/feed';
import { clamp, type Page } from '../../values/page';
import { type RequestTime, refusePastDeadline } from '../../values/request-time';
import type { ChangePredicate } from './change.filter';
import { CHANGES_PER_PAGE, MAX_CHANGES_PER_PAGE } from './change.inputs';
import { type ChangeStore, cursorOf, positionOf } from './change.store';
import type { ChangeRow } from './change.types';

/** The most changes that are examined for one page. If few of them match the filter, the page may be empty while `hasNextPage` is true. */
export const MAX_CHANGES_EXAMINED = 20_000;

/** A page of the feed. Its end cursor may lie after its last change, because later changes were examined and did not match. */
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
    matches: ChangePredicate,
    time: RequestTime,
  ): Promise<ChangePage> {
    const wanted = clamp(first ?? CHANGES_PER_PAGE, 1, MAX_CHANGES_PER_PAGE);
    let position: FeedPosition | null = after == null ? null : positionOf(after);
    let hasNextPage = true;
    const rows: ChangeRow[] = [];
    let size = wanted + 1;
    for (let examined = 0; hasNextPage && rows.length <= wanted && examined < MAX_CHANGES_EXAMINED; examined += size) {
      refusePastDeadline(time);
      if (examined > 0) size = EXAMINED_AT_ONCE;
      const changes: ChangeRow[] = await this.store.after(position, size);
      rows.push(...changes.filter((change) => isShown(change) && matches(change)));
      position = changes.at(-1)?.position ?? position;
      hasNextPage = changes.length === size;
    }
    const isFull = rows.length > wanted;
    const changes = rows.slice(0, wanted);
    const end = isFull || position === null ? changes.at(-1)?.cursor : cursorOf(position);
    return {
      nodes: changes,
      hasNextPage: hasNextPage || isFull,
      hasPreviousPage: after != null,
      cursorOf: (row) => row.cursor,
      endCursor: end ?? after ?? null,
      totalCount: null,
    };
  }
}

/** The changes that a subscription gets. */
export function watchChanges(after: string | null | undefined, matches: ChangePredicate): WatchedEvents {
  return new WatchedEvents(
    after == null ? null : positionOf(after),
    (change: ChangeRow) => isShown(change) && matches(change),
  );
}

/** A status record that was deleted again cannot be shown. The change of its camera reports the deletion. */
const isShown = ({ type, status }: ChangeRow) => type !== 'CAMERA_STATUS' || status !== null;
