// Defines the GraphQL types of Relay connections, once for all lists that have pages.
import { createParameterDecorator, Field, Int, ObjectType, Root } from 'type-graphql';
import type { Page, Selected } from '../../values/page';
import { selectedFields } from './selection';

/** Passes the selected parts of a connection to a resolver. A field with @skip or @include counts as selected. */
export const SelectedOfPage = () =>
  createParameterDecorator(
    ({ info }): Selected => ({
      rows: selectedFields(info, ['nodes', 'edges', 'pageInfo']).length > 0,
      total: selectedFields(info, ['totalCount']).length > 0,
    }),
  );

@ObjectType({ description: 'The position of a page in its list.', simpleResolvers: true })
class PageInfo {
  @Field({ description: 'true if more rows follow this page.' })
  hasNextPage!: boolean;

  @Field({ description: 'true if the request has `after` or `offset`, so rows may precede this page.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'The cursor of the first row; null if the page is empty.' })
  startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The cursor to pass as `after` for the next page: the cursor of the last row, or of the last examined change; null if there is neither.',
  })
  endCursor!: string | null;
}

/**
 * Defines the GraphQL types of a connection and its edges. The value of a connection is a Page.
 * @param plural the name of the rows, for descriptions
 * @param counting the description of totalCount. If it is left out, the connection has no totalCount.
 */
export function defineConnection(type: abstract new () => unknown, plural: string, counting?: string) {
  const { name } = type;

  @ObjectType(`${name}Edge`, { description: `One row in a page of ${plural}, with its cursor.`, simpleResolvers: true })
  class Edge {
    @Field({ description: 'The position of this row in its list, for `after`. Clients must not interpret it.' })
    cursor!: string;

    @Field(() => type, { description: 'The row itself.' })
    node!: unknown;
  }

  // Methods, because graphql-jit would read a getter up to six times. Without simpleResolvers, because with it graphql-jit reads nodes before
  // edges, and the first error of an answer could differ from that of graphql-js.
  @ObjectType(`${name}Connection`, { description: `A page of ${plural}.` })
  class Connection {
    @Field(() => [Edge], { description: 'The rows of the page with their cursors.' })
    edges(@Root() { nodes, cursorOf }: Page<unknown>): Edge[] {
      return nodes.map((node) => ({ cursor: cursorOf(node), node }));
    }

    @Field(() => [type], { description: 'The rows of the page, without cursors.' })
    nodes!: unknown[];

    @Field(() => PageInfo, { description: 'The position of this page in the list.' })
    pageInfo(@Root() { nodes, hasNextPage, hasPreviousPage, cursorOf, endCursor }: Page<unknown>): PageInfo {
      const first = nodes[0];
      const last = nodes[nodes.length - 1];
      return {
        hasNextPage,
        hasPreviousPage,
        startCursor: first === undefined ? null : cursorOf(first),
        endCursor: endCursor ?? (last === undefined ? null : cursorOf(last)),
      };
    }
  }
  // Not a decorator in the class, because that would add the field to all connections.
  if (counting !== undefined) Field(() => Int, { description: counting })(Connection.prototype, 'totalCount');

  return Connection;
}
