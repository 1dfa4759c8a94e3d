// The arguments that every list of the graph takes.
import { ArgsType, Field, Int } from 'type-graphql';
import { MOST_ROWS, type PageRequest } from '../database/paging';

@ArgsType()
abstract class Onward implements PageRequest {
  @Field(() => String, {
    nullable: true,
    description:
      'A cursor of this list: the page begins behind it, at the cost of a first page however deep it lies, and rows ' +
      'inserted meanwhile neither repeat nor vanish. A cursor of another list is refused with BAD_USER_INPUT.',
  })
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'How many rows to skip (behind `after`, when both are given). Below 0 counts as 0; a deep offset reads all that it skips.',
  })
  offset?: number | null;
}

@ArgsType()
export class AllArguments extends Onward {
  @Field(() => Int, { nullable: true, description: 'At most this many rows, at least 1. Without it: all.' })
  first?: number | null;
}

export const PAGE_OF_JOBS = 20;
export const PAGE_OF_INVENTORY = 50;
const size = `At most this many rows, clamped to 1..${MOST_ROWS}.`;

@ArgsType()
export class JobPageArguments extends Onward {
  @Field(() => Int, { nullable: true, defaultValue: PAGE_OF_JOBS, description: size })
  first?: number | null;
}

@ArgsType()
export class InventoryPageArguments extends Onward {
  @Field(() => Int, { nullable: true, defaultValue: PAGE_OF_INVENTORY, description: size })
  first?: number | null;
}
