// Relay-style connections: the graph types of a page of rows, defined once for all lists.
import {
  type ClassType,
  createParameterDecorator,
  Field,
  FieldResolver,
  Int,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql';
import type { Page, Selected } from '../values/page';
import { selectedFields } from './selection';

/** The selected parts of a connection; a field with @skip or @include counts as selected. */
export const SelectedOfPage = () =>
  createParameterDecorator(
    ({ info }): Selected => ({
      rows: selectedFields(info, ['nodes', 'edges', 'pageInfo']).length > 0,
      total: selectedFields(info, ['totalCount']).length > 0,
    }),
  );

@ObjectType({ description: 'The position of a page in its list.', simpleResolvers: true })
class PageInfo {
  @Field({ description: 'True when more rows follow this page.' })
  hasNextPage!: boolean;

  @Field({ description: 'True when the request has `after` or `offset`, so rows may precede this page.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first row; null when the page is empty.' })
  startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'For `after` of the next page: the cursor of the last row, or of the last change that was examined; null when there ' +
      'is none.',
  })
  endCursor!: string | null;
}

/**
 * Makes the connection and edge types of a row type, and the resolver of their fields.
 * @param plural the name of the rows in descriptions
 * @param counting the description of totalCount; without it the connection has no totalCount
 */
export function connectionOf<Row>(type: ClassType, name: string, plural: string, counting?: string) {
  @ObjectType(`${name}Edge`, { description: `One row in a page of ${plural}, with its cursor.`, simpleResolvers: true })
  class Edge {
    @Field({ description: 'The position of this row in its list, for `after`. Clients must not interpret it.' })
    cursor!: string;

    @Field(() => type, { description: 'The row itself.' })
    node!: unknown;
  }

  @ObjectType(`${name}Connection`, { description: `A page of ${plural}.`, simpleResolvers: true })
  class Connection {}

  @Resolver(() => Connection)
  class ConnectionResolver {
    @FieldResolver(() => [Edge], { description: 'The rows of the page with their cursors.' })
    edges(@Root() page: Page<Row>): Edge[] {
      return page.rows.map((node) => ({ cursor: page.cursorOf(node), node }));
    }

    @FieldResolver(() => [type], { description: 'The rows of the page, without cursors.' })
    nodes(@Root() page: Page<Row>): Row[] {
      return page.rows;
    }

    @FieldResolver(() => PageInfo, { description: 'The position of this page in the list.' })
    pageInfo(@Root() { rows, hasNextPage, hasPreviousPage, cursorOf, endCursor }: Page<Row>): PageInfo {
      const first = rows[0];
      const last = rows[rows.length - 1];
      return {
        hasNextPage,
        hasPreviousPage,
        startCursor: first === undefined ? null : cursorOf(first),
        endCursor: endCursor ?? (last === undefined ? null : cursorOf(last)),
      };
    }

    totalCount(@Root() page: Page<Row>): number | null {
      return page.totalCount;
    }
  }
  // A decorator in the class would be for all connections.
  if (counting !== undefined) {
    const counted = Object.getOwnPropertyDescriptor(ConnectionResolver.prototype, 'totalCount') as PropertyDescriptor;
    FieldResolver(() => Int, { description: counting })(ConnectionResolver.prototype, 'totalCount', counted);
  }

  return { Connection, ConnectionResolver };
}
