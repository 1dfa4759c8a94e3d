// Reads the tags of a Spoolman's spool, and decides which spool gets a UID that several spools have.
import { normalizeTagUid } from '../../values/tag-uid';
import { MAX_FORMAT_LENGTH, MAX_TAGS_OF_SPOOL } from '../inventory/tag.service';
import { findUidsInExtra } from '../inventory/tags-in-extra';
import { parsePlainTime } from './spoolman-numbers';

export interface ReadTag {
  uid: string;
  format: string | null;
  addedAt: string | null;
}

/**
 * @param extra the values of the own fields
 * @param note is called with a sentence about UIDs that are left out
 */
export function readTags(value: unknown, extra: Record<string, string>, note: (sentence: string) => void): ReadTag[] {
  const found = new Map<string, ReadTag>();
  let leftOut = 0;
  for (const tag of listTags(value)) {
    const uid = normalizeTagUid(tag.uid);
    if (uid === null) leftOut++;
    else if (!found.has(uid)) found.set(uid, { ...tag, uid });
  }
  for (const uid of findUidsInExtra(extra)) if (!found.has(uid)) found.set(uid, { uid, format: null, addedAt: null });
  if (leftOut > 0) note('A tag is left out, because it has no hexadecimal UID.');
  if (found.size > MAX_TAGS_OF_SPOOL) note(`A spool has at most ${MAX_TAGS_OF_SPOOL} tags. The others are left out.`);
  return [...found.values()].slice(0, MAX_TAGS_OF_SPOOL);
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
    const isFormat = typeof format === 'string' && format.length <= MAX_FORMAT_LENGTH && /^[\x21-\x7e]+$/.test(format);
    return {
      uid: typeof uid === 'string' ? uid : '',
      format: isFormat ? format.toLowerCase() : null,
      addedAt: parsePlainTime(added),
    };
  });
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
