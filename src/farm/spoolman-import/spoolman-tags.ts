// Reads the tags of a Spoolman's spool, and decides which spool gets a UID that several spools have.
import { parsePlainTime } from './spoolman-numbers';

export interface ReadTag {
  uid: string;
  format: string | null;
  addedAt: string | null;
}

const MAX_TAGS = 16;
/** Older programs keep UIDs in these own fields. */
const FIELDS_WITH_UIDS = ['tag', 'nfc_id', 'card_uids'];

/** Hexadecimal digits in capitals, without separators; null if the text is no UID. */
function normalizeUid(text: string): string | null {
  const digits = text
    .replace(/[\s:_.-]/g, '')
    .toUpperCase()
    .replace(/^0X/, '');
  return /^[0-9A-F]{1,64}$/.test(digits) ? digits : null;
}

/**
 * @param extra the values of the own fields
 * @param note is called with a sentence about UIDs that are left out
 */
export function readTags(value: unknown, extra: Record<string, string>, note: (sentence: string) => void): ReadTag[] {
  const found = new Map<string, ReadTag>();
  let leftOut = 0;
  for (const tag of listTags(value)) {
    const uid = normalizeUid(tag.uid);
    if (uid === null) leftOut++;
    else if (!found.has(uid)) found.set(uid, { ...tag, uid });
  }
  for (const text of FIELDS_WITH_UIDS.flatMap((key) => uidsIn(extra[key]))) {
    const uid = normalizeUid(text);
    if (uid !== null && uid.length >= 8 && !/^0+$/.test(uid) && !found.has(uid))
      found.set(uid, { uid, format: null, addedAt: null });
  }
  if (leftOut > 0) note('A tag is left out, because it has no hexadecimal UID.');
  if (found.size > MAX_TAGS) note(`A spool has at most ${MAX_TAGS} tags. The others are left out.`);
  return [...found.values()].slice(0, MAX_TAGS);
}

function listTags(value: unknown): ReadTag[] {
  if (typeof value === 'string') {
    const uids = value.split(',').filter((uid) => uid.trim() !== '');
    return uids.map((uid) => ({ uid, format: null, addedAt: null }));
  }
  if (!Array.isArray(value)) return [];
  return value.map((tag: unknown) => {
    const { uid, format, added } = (typeof tag === 'object' && tag !== null ? tag : { uid: tag }) as Record<
      string,
      unknown
    >;
    const isFormat = typeof format === 'string' && /^[\x21-\x7e]{1,32}$/.test(format);
    return {
      uid: typeof uid === 'string' ? uid : '',
      format: isFormat ? format.toLowerCase() : null,
      addedAt: parsePlainTime(added),
    };
  });
}

function uidsIn(json: string | undefined): string[] {
  const value: unknown = json === undefined ? null : JSON.parse(json);
  if (typeof value !== 'string' && typeof value !== 'number') return [];
  return String(value).split(',');
}

/** A spool that wants tags. */
export interface TagWish {
  spool: number;
  isArchived: boolean;
  uids: readonly string[];
}

/** Which spool gets each UID that several spools have; null for none. */
export function settleSharedTags(wishes: readonly TagWish[]): Map<string, number | null> {
  const wishing = new Map<string, TagWish[]>();
  for (const wish of wishes) for (const uid of wish.uids) wishing.set(uid, [...(wishing.get(uid) ?? []), wish]);
  const settled = new Map<string, number | null>();
  for (const [uid, spools] of wishing) {
    if (spools.length === 1) continue;
    const inUse = spools.filter(({ isArchived }) => !isArchived);
    settled.set(uid, inUse.length === 1 ? (inUse[0] as TagWish).spool : null);
  }
  return settled;
}
