// What a field of the graph costs: declared beside the field, and added up by graphql/operation-limits.ts.
import type { GraphQLField, GraphQLInputField } from 'graphql';
import { Extensions } from 'type-graphql';

/** The arguments of a field, as far as its cost depends on them. An argument that is not given, or null, is undefined. */
export interface Given {
  /** A page size or an offset. */
  number(argument: string): number | undefined;
  /** An instant, in milliseconds since 1970. */
  instant(argument: string): number | undefined;
  /** The length of a list. */
  length(argument: string): number | undefined;
  /** The sum of the prices of the given members of a filter; 0 for an empty filter. */
  price(argument: string): number | undefined;
}

interface Cost {
  /**
   * The most objects of a list whose bound is not that of a page (MAX_PAGE_ROWS) nor the length of an input list. A list without a
   * bound has none: it is counted while it is answered (graphql/answer-size.ts).
   */
  size?: number | ((given: Given) => number);
  /** The most objects of this field in one operation, however often it is in it. */
  mostInAll?: number;
  /** The price of rows that are read and not answered, for each parent of the field. */
  priceOfEach?: (given: Given) => number;
  /** The price of such rows for all parents together, because one statement reads the lists of all. */
  price?: (given: Given) => number;
}

/** Declares the cost of a field. */
export const Costs = (cost: Cost) => Extensions({ cost });

/** Declares the price of a member of a filter. */
export const FieldPrice = (price: number) => Extensions({ price });

export const fieldCostOf = ({ extensions }: GraphQLField<unknown, unknown>) =>
  (extensions['cost'] as Cost | undefined) ?? {};

export const inputPriceOf = ({ extensions }: GraphQLInputField) => (extensions['price'] as number | undefined) ?? 0;
