// The arguments that every list of the graph takes.
import { ArgsType, Field, Int } from 'type-graphql';
import { MAX_PAGE_ROWS, type PageRequest } from '../values/page';

@ArgsType()
abstract class After implements PageRequest {
  @Field(() => String, {
    nullable: true,
    description:
      'A cursor of this list: the page begins after its row. Every page costs as much as the first, and rows that are ' +
      'inserted meanwhile cause no repeated or missing rows. BAD_USER_INPUT for a cursor of another list.',
  })
  after?: string | null;
}

@ArgsType()
abstract class Onward extends After {
  @Field(() => Int, {
    nullable: true,
    description:
      'The number of rows to skip, counted from `after` if given. Below 0 counts as 0. A large offset is slow, because the ' +
      'skipped rows are read.',
  })
  offset?: number | null;
}

@ArgsType()
export class AllArguments extends Onward {
  @Field(() => Int, {
    nullable: true,
    description: 'The maximum number of rows; below 1 counts as 1. All rows if left out.',
  })
  first?: number | null;
}

export const PAGE_OF_JOBS = 20;
export const PAGE_OF_INVENTORY = 50;
const size = `The maximum number of rows, clamped to 1..${MAX_PAGE_ROWS}.`;

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

export const PAGE_OF_PRINTS = 20;
export const PAGE_OF_SIGHTINGS = 100;
export const PAGE_OF_LOADS = 20;

@ArgsType()
export class PrintPageArguments extends After {
  @Field(() => Int, { nullable: true, defaultValue: PAGE_OF_PRINTS, description: size })
  first?: number | null;
}

@ArgsType()
export class SightingPageArguments extends After {
  @Field(() => Int, { nullable: true, defaultValue: PAGE_OF_SIGHTINGS, description: size })
  first?: number | null;
}

@ArgsType()
export class LoadPageArguments extends After {
  @Field(() => Int, { nullable: true, defaultValue: PAGE_OF_LOADS, description: size })
  first?: number | null;
}
