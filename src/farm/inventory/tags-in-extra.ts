// Finds the UIDs of tags that older programs keep in own fields of a spool.
import { normalizeTagUid } from '../../values/tag-uid';

/** A value can have several UIDs with commas. */
const FIELDS = ['tag', 'nfc_id', 'card_uids'];
/** Shorter ones are numbers of a program, not UIDs of a chip. */
const MIN_UID_LENGTH = 8;

/** @param extra the JSON of each value, by the key of its field; null for a value that is removed */
export function findUidsInExtra(extra: Readonly<Record<string, string | null>>): string[] {
  const texts = FIELDS.flatMap((key) => (extra[key] == null ? [] : String(JSON.parse(extra[key])).split(',')));
  const uids = texts.flatMap((text) => normalizeTagUid(text) ?? []);
  return [...new Set(uids.filter((uid) => uid.length >= MIN_UID_LENGTH && !/^0+$/.test(uid)))];
}
