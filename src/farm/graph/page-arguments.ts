// Declares the arguments that lists in GraphQL have in common.
import { ArgsType, Field, Int } from 'type-graphql';
import { MAX_PAGE_ROWS, type PageRequest } from '../../values/page';

@ArgsType()
abstract class After implements PageRequest {
  @Field(() => String, {
    nullable: true,
    description:
      'A cursor of this list: the page starts after its row. Every page costs as much as the first page, and rows that are inserted meanwhile ' +
      'cause no repeated or missing rows. BAD_USER_INPUT for a cursor of another list.',
  })
  after?: string | null;
}

@ArgsType()
export abstract class OffsetArguments extends After {
  @Field(() => Int, {
    nullable: true,
    description:
      'The number of rows to skip, counted from `after` if it is given. A negative number counts as 0. A large offset is slow, because the skipped ' +
      'rows are read.',
  })
  offset?: number | null;
}

@ArgsType()
export class AllArguments extends OffsetArguments {
  @Field(() => Int, {
    nullable: true,
    description: 'The maximum number of rows; below 1 counts as 1. All rows if left out.',
  })
  first?: number | null;
}

/**
 * Defines the arguments of a page.
 * @param usualRows the default number of rows
 * @param Base the class with the other arguments
 */
export function pageArguments(usualRows: number, Base: abstract new () => PageRequest = After) {
  @ArgsType()
  abstract class PageArguments extends Base {
    @Field(() => Int, {
      nullable: true,
      defaultValue: usualRows,
      description: `The maximum number of rows, clamped to 1..${MAX_PAGE_ROWS}.`,
    })
    override first?: number | null;
  }
  return PageArguments;
}
