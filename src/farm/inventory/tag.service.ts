// Decides which spool a tag belongs to: links, moves, finds and unlinks tags by their UIDs.
import { BadInput, Conflict, NotFound, orNotFound } from '../../errors';
import { parseGuid } from '../../values/guid';
import { emptyAsNull, type Reader, readAll } from '../../values/members';
import { type RequestTime, refusePastDeadline } from '../../values/request-time';
import { normalizeTagUid } from '../../values/tag-uid';
import { parseText, textUpTo, tidied } from '../../values/text';
import type { Spool } from './inventory.types';
import type { NewTag, TagStore } from './tag.store';
import type { SpoolTag } from './tag.types';

export const MAX_TAGS_OF_SPOOL = 16;
export const MAX_FORMAT_LENGTH = 32;

export interface LinkTagRequest {
  spoolId: string;
  uid: string;
  format: string | null | undefined;
  /** Whether the tag may be taken from another spool. */
  move: boolean;
}

/** Another spool has the tag. */
export class TagTaken extends Conflict {
  constructor(
    uid: string,
    readonly owner: Spool,
  ) {
    super(
      `The tag ${uid} belongs to the spool #${owner.number} (${owner.spoolSerial}). Unlink it there first, or move it to this spool`,
      'uid',
    );
  }
}

class TooManyTags extends BadInput {
  constructor() {
    super(`A spool has at most ${MAX_TAGS_OF_SPOOL} tags: unlink one first`, 'uid');
  }
}

export const readTagUid: Reader<string> = (value, member) => {
  const uid = normalizeTagUid(parseText(value, member));
  if (uid === null)
    throw new BadInput('must be the UID of a tag: 1 to 64 hexadecimal digits such as 04:A2:2B:91', member);
  return uid;
};
const readFormat = tidied(emptyAsNull(textUpTo(MAX_FORMAT_LENGTH)));

export class TagService {
  constructor(
    private readonly store: TagStore,
    private readonly lookUps: { spool(id: string): Promise<Spool | null> },
  ) {}

  /** The tags of a spool, the oldest first. */
  async ofSpool(spoolId: string): Promise<SpoolTag[]> {
    return (await this.store.ofSpool.load(spoolId)) ?? [];
  }

  /** The spool that has the tag, archived or not. */
  async findSpool(uid: string): Promise<Spool | null> {
    const spoolId = await this.store.spoolIdOf.load(readTagUid(uid, 'uid'));
    return spoolId === null ? null : this.lookUps.spool(spoolId);
  }

  /** Links a tag and returns its spool. Linking it again changes at most its format. */
  async link(request: LinkTagRequest, time: RequestTime): Promise<Spool> {
    const [spoolId, uid, format] = await readAll(
      () => parseGuid(request.spoolId, 'spoolId'),
      () => readTagUid(request.uid, 'uid'),
      () => readFormat(request.format?.toLowerCase(), 'format') ?? null,
    );
    for (;;) {
      refusePastDeadline(time);
      const isLinked = await this.linkOnce({ uid, spoolId, format }, request.move);
      const spool = orNotFound(await this.lookUps.spool(spoolId), 'spool', request.spoolId);
      if (isLinked) return spool;
      const ownerId = await this.store.spoolIdOf.load(uid);
      if (ownerId === spoolId) return spool;
      const owner = ownerId === null ? null : await this.lookUps.spool(ownerId);
      if (owner !== null && !request.move) throw new TagTaken(uid, owner);
      // The tag was unlinked or moved in the meantime.
    }
  }

  /** Links the UIDs that no spool has, as many as the spool has room for. */
  async linkUnused(spoolId: string, uids: readonly string[]): Promise<void> {
    try {
      for (const uid of uids) await this.linkOnce({ uid, spoolId, format: null }, false);
    } catch (error) {
      if (!(error instanceof TooManyTags)) throw error;
    }
  }

  private linkOnce(tag: NewTag, move: boolean): Promise<boolean> {
    const refusals = new Map<string, () => Error>([
      ['spool_tags_spool_id_fkey', () => new NotFound('spool', [tag.spoolId])],
      ['spool_tags_at_most', () => new TooManyTags()],
    ]);
    return this.store.link(tag, move, refusals);
  }

  /** Unlinks a tag and returns the spool that had it. @param spoolId only from this spool; null for any spool */
  async unlink(uid: string, spoolId: string | null = null): Promise<Spool> {
    const tag = readTagUid(uid, 'uid');
    const owner = await this.store.unlink(tag, spoolId);
    if (owner === null) throw new NotFound('tag', [tag]);
    return orNotFound(await this.lookUps.spool(owner), 'spool', owner);
  }
}
