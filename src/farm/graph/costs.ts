// Lets a field declare what it costs. doors/graphql/operation-limits.ts sums the costs of an operation.
import type { GraphQLField, GraphQLInputField } from 'graphql';
import { Extensions } from 'type-graphql';

/** The arguments of a field on which its cost depends. An argument that is left out or null is undefined. */
export interface GivenArguments {
  /** A page size or an offset. */
  number(argument: string): number | undefined;
  /** An instant, in milliseconds since 1970. */
  instant(argument: string): number | undefined;
  /** The length of a list. */
  length(argument: string): number | undefined;
  /** Whether the argument is one of these values of an enum. */
  isOneOf(argument: string, values: ReadonlySet<string>): boolean;
  /** The sum of the prices of the given members of a filter; 0 for an empty filter. */
  price(argument: string): number | undefined;
}

interface Cost {
  /**
   * The maximum length of a list that is neither a page (MAX_PAGE_ROWS) nor as long as an input list. A list without a maximum declares none: it
   * is counted while it is answered (doors/graphql/answer-size.ts).
   */
  size?: number | ((given: GivenArguments) => number);
  /** The maximum number of objects of this field in one operation, however often the operation selects it. */
  maxInOperation?: number;
  /** The price of rows that are read but not returned, for each parent of the field. */
  priceOfEach?: (given: GivenArguments) => number;
  /** The price of such rows for all parents together, if one statement reads the lists of all parents. */
  price?: (given: GivenArguments) => number;
}

/** Declares the cost of a field. */
export const Costs = (cost: Cost) => Extensions({ cost });

/** Declares the price of a member of a filter. */
export const FieldPrice = (price: number) => Extensions({ price });

export const readFieldCost = ({ extensions }: GraphQLField<unknown, unknown>) =>
  (extensions['cost'] as Cost | undefined) ?? {};

export const readInputPrice = ({ extensions }: GraphQLInputField) => (extensions['price'] as number | undefined) ?? 0;
