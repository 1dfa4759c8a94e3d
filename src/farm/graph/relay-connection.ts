// Relay-style connections: the graph types of a page of rows, defined once for all lists.
import { createParameterDecorator, Field, Int, ObjectType, Root } from 'type-graphql';
import type { Page, Selected } from '../../values/page';
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
 * Makes the graph types of a connection and its edges. The value of a connection is a Page.
 * @param plural the name of the rows in descriptions
 * @param counting the description of totalCount; without it the connection has no totalCount
 */
export function connectionOf(type: abstract new () => unknown, plural: string, counting?: string) {
  const { name } = type;

  @ObjectType(`${name}Edge`, { description: `One row in a page of ${plural}, with its cursor.`, simpleResolvers: true })
  class Edge {
    @Field({ description: 'The position of this row in its list, for `after`. Clients must not interpret it.' })
    cursor!: string;

    @Field(() => type, { description: 'The row itself.' })
    node!: unknown;
  }

  // These are methods: graphql-jit would read a getter up to six times. simpleResolvers is off: with it graphql-jit reads
  // nodes before edges, and an answer could have another first error than that of graphql-js.
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
  // A decorator in the class would be for all connections.
  if (counting !== undefined) Field(() => Int, { description: counting })(Connection.prototype, 'totalCount');

  return Connection;
}
