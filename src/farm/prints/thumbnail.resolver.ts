// The GraphQL field `thumbnail` of observed prints.
import { FieldResolver, Resolver, Root } from 'type-graphql';
import { Costs } from '../graph/costs';
import type { ObservedPrintRow } from './observed-print.rows';
import { ObservedPrint } from './observed-print.types';
import type { ThumbnailStore } from './thumbnail.store';
import { PrintThumbnail } from './thumbnail.types';

/** With the usual limit of an operation (GRAPHQL_MAX_COST), one response has at most 2,000 pictures: 170 MB if all are as large as allowed. */
const PRICE_OF_PICTURE = 250;

@Resolver(() => ObservedPrint)
export class ThumbnailResolver {
  constructor(private readonly store: Pick<ThumbnailStore, 'byPrint'>) {}

  @Costs({ priceOfEach: () => PRICE_OF_PICTURE })
  @FieldResolver(() => PrintThumbnail, {
    nullable: true,
    description:
      'The slicer’s preview picture of the file. Null if neither the machine nor the slicer’s plan has a small PNG or JPEG, for prints that ' +
      'the gateway did not see running, and for prints that started while PRINT_THUMBNAILS was false. The gateway stores the picture some ' +
      'seconds after the start of the print.',
  })
  thumbnail(@Root() { id }: ObservedPrintRow): Promise<PrintThumbnail | null> {
    return this.store.byPrint.load(id);
  }
}
