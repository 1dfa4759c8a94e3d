// The SQL of the preview pictures of prints. A picture is stored once, and deleted with its print.
import type { Queryable } from '../../database/queryable';
import { matchesOneOf } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { batchedRead } from '../../sharing/batch';
import { readPicture } from '../../values/thumbnail';
import { selectNewestPicture } from '../print-plans/print-plan.store';
import type { PlanKey } from '../print-rules/sliced-plan';
import type { PrintThumbnail } from './thumbnail.types';

/** A batch has 10,000 rows of the usual size (sharing/batch.ts), and a picture is as large as 100 rows. */
const ROWS_OF_PICTURE = 100;

export class ThumbnailStore {
  constructor(private readonly database: Queryable) {}

  /** Reads the pictures of prints by the ids of the prints. */
  readonly byPrint = batchedRead<string, PrintThumbnail>(
    async (ids) => {
      const pictures = await this.database.json<[string, string][]>(
        'thumbnails.byPrint',
        // encode() breaks lines after 76 characters.
        Prisma.sql`
        select coalesce(json_agg(json_build_array(t.print_id, translate(encode(t.picture, 'base64'), e'\n', ''))), '[]') as value
        from print_thumbnails t where ${matchesOneOf('t.print_id', ids, 'uuid')}`,
      );
      return new Map(pictures.map(([id, base64]) => [id, toThumbnail(base64)]));
    },
    String,
    () => ROWS_OF_PICTURE,
  );

  /**
   * Stores the picture of a print that has none yet.
   * @param picture from the machine; `null` if the machine offers none, so that the picture of the slicer's plan counts
   * @param keys the names under which the plan may be
   */
  async add(printId: string, picture: Buffer | null, keys: readonly PlanKey[]): Promise<void> {
    const given = picture?.toString('base64') ?? null;
    await this.database.attempt('thumbnails.add', (database, statement) =>
      database.json(
        statement,
        Prisma.sql`
        with found as (select coalesce(decode(${given}::text, 'base64'), ${selectNewestPicture(keys)}) as picture), added as (
          insert into print_thumbnails (print_id, picture)
          select o.id, found.picture from observed_prints o, found
          where o.id = ${printId}::uuid and found.picture is not null
          on conflict do nothing returning 1
        )
        select to_json(count(*)) as value from added`,
      ),
    );
  }
}

function toThumbnail(base64: string): PrintThumbnail | null {
  const picture = readPicture(Buffer.from(base64, 'base64'));
  if (picture === null) return null;
  const { type, width, height } = picture;
  return { width, height, dataUrl: `data:${type};base64,${base64}` };
}
