// Reads and writes the tags of spools. The primary key of a UID decides which of two writers links it.
import { translateViolations } from '../../database/failures';
import type { Queryable } from '../../database/queryable';
import { rowShape } from '../../database/rows';
import { arrayParameter, matchesOneOf } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { batchedRead } from '../../sharing/batch';
import type { SpoolTag } from './tag.types';

/** A tag to link. */
export interface NewTag {
  uid: string;
  spoolId: string;
  format: string | null;
}

const TAG_ROW = rowShape<SpoolTag & { spoolId: string }>('t', {
  uid: 'text',
  format: 'text',
  addedAt: 'timestamptz',
  spoolId: 'uuid',
});

export class TagStore {
  constructor(private readonly database: Queryable) {}

  /** The tags of a spool, the oldest first. */
  readonly ofSpool = batchedRead<string, SpoolTag[]>(async (ids) => {
    const rows = await this.database.rows(
      'tags.ofSpool',
      TAG_ROW,
      Prisma.sql`
      select ${TAG_ROW.json} as row from spool_tags t where ${matchesOneOf('t.spool_id', ids, 'uuid')}
      order by t.spool_id, t.added_at, t.uid`,
    );
    const tags = new Map<string, SpoolTag[]>();
    for (const { spoolId, ...tag } of rows) tags.set(spoolId, [...(tags.get(spoolId) ?? []), tag]);
    return tags;
  });

  /** The id of the spool that has the tag. */
  readonly spoolIdOf = batchedRead<string, string>(
    async (uids) =>
      new Map(
        Object.entries(
          await this.database.json<Record<string, string>>(
            'tags.spoolIdOf',
            Prisma.sql`
          select coalesce(json_object_agg(t.uid, t.spool_id), '{}') as value
          from spool_tags t where t.uid = any(${arrayParameter(uids, 'text')}::text[])`,
          ),
        ),
      ),
  );

  /**
   * Links a tag. A missing format keeps the stored one. A tag that moves counts as added now.
   * @param move whether the tag may be taken from another spool
   * @param refusals the errors for violated constraints
   * @returns false if nothing changed: another spool has the tag, this spool has it already, or there is no such spool
   */
  link({ uid, spoolId, format }: NewTag, move: boolean, refusals: ReadonlyMap<string, () => Error>): Promise<boolean> {
    return translateViolations(refusals, () =>
      this.database.attempt('tags.link', ({ json }, name) =>
        json(
          name,
          Prisma.sql`
          with linked as (
            insert into spool_tags as t (uid, spool_id, format)
            select ${uid}::text, s.id, ${format}::text from spools s where s.id = ${spoolId}::uuid
            on conflict (uid) do update set spool_id = excluded.spool_id, format = coalesce(excluded.format, t.format),
              added_at = case when t.spool_id = excluded.spool_id then t.added_at else excluded.added_at end
            where case when t.spool_id = excluded.spool_id then coalesce(excluded.format <> coalesce(t.format, ''), false)
              else ${move}::boolean end
            returning 1
          )
          select to_json(count(*) > 0) as value from linked`,
        ),
      ),
    );
  }

  /**
   * Unlinks a tag.
   * @param spoolId only from this spool; null for any spool
   * @returns the id of the spool that had the tag; null if no such spool has it
   */
  async unlink(uid: string, spoolId: string | null): Promise<string | null> {
    const [unlinked = null] = await this.database.json<string[]>(
      'tags.unlink',
      Prisma.sql`
      with unlinked as (
        delete from spool_tags t
        where t.uid = ${uid}::text and (${spoolId}::uuid is null or t.spool_id = ${spoolId}::uuid) returning t.spool_id
      )
      select coalesce(json_agg(u.spool_id), '[]') as value from unlinked u`,
    );
    return unlinked;
  }
}
