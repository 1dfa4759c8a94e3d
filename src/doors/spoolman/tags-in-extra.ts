// Finds the UIDs of tags that older clients keep in own fields of a spool, and links them.
import type { ApiStore } from './api.store';
import { normalizeTagUid } from './tag-uid';

/** `card_uids` is a list with commas. */
const FIELDS = ['tag', 'nfc_id', 'card_uids'];
/** Shorter ones are numbers of a program, not UIDs of a chip. */
const MIN_UID_LENGTH = 8;
/** More than a spool can have. */
const MAX_UIDS = 32;

/** Links each UID that no spool has. It refuses nothing and unlinks nothing. */
export async function linkTagsOfExtra(
  store: Pick<ApiStore, 'linkUnused'>,
  spoolId: string,
  extra: Readonly<Record<string, string | null>>,
): Promise<void> {
  for (const uid of findUids(extra)) await store.linkUnused(spoolId, uid);
}

function findUids(extra: Readonly<Record<string, string | null>>): string[] {
  const texts = FIELDS.flatMap((key) => (extra[key] == null ? [] : String(JSON.parse(extra[key])).split(',')));
  const uids = texts
    .map(normalizeTagUid)
    .filter((uid): uid is string => uid !== null && uid.length >= MIN_UID_LENGTH && !/^0+$/.test(uid));
  return [...new Set(uids)].slice(0, MAX_UIDS);
}
