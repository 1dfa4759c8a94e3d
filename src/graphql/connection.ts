// Relay-style connections: how a page of rows shows itself in the graph, once for every type that has a list.
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
import type { Page, Selected } from '../database/paging';
import { selectedFields } from './selection';

/** What of a connection its query selects; a field behind @skip or @include counts as selected. */
export const SelectedOfPage = () =>
  createParameterDecorator(
    ({ info }): Selected => ({
      rows: selectedFields(info, ['nodes', 'edges', 'pageInfo']).length > 0,
      total: selectedFields(info, ['totalCount']).length > 0,
    }),
  );

@ObjectType({ description: 'Where a page lies in its list.', simpleResolvers: true })
export class PageInfo {
  @Field({ description: 'True when more rows follow this page.' })
  hasNextPage!: boolean;

  @Field({ description: 'True when the page was asked for with `after` or `offset`: rows may precede it.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first row of this page; null when it is empty.' })
  startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the last row; pass it as `after` for the next page. Null when the page is empty.',
  })
  endCursor!: string | null;
}

/**
 * The connection and edge types of a row type, and the resolver of their fields. Cursors are made only when they are
 * selected.
 * @param plural what the rows are called in the descriptions
 * @param counting how totalCount comes about
 */
export function connectionOf<Row>(type: ClassType, name: string, plural: string, counting: string) {
  @ObjectType(`${name}Edge`, { description: `One of the ${plural} of a page, with its cursor.`, simpleResolvers: true })
  class Edge {
    @Field({ description: 'The place of this row in its list, opaque; pass it as `after`.' })
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

    @FieldResolver(() => PageInfo, { description: 'Where this page lies in the list.' })
    pageInfo(@Root() { rows, hasNextPage, hasPreviousPage, cursorOf }: Page<Row>): PageInfo {
      const first = rows[0];
      const last = rows[rows.length - 1];
      return {
        hasNextPage,
        hasPreviousPage,
        startCursor: first === undefined ? null : cursorOf(first),
        endCursor: last === undefined ? null : cursorOf(last),
      };
    }

    @FieldResolver(() => Int, { description: counting })
    totalCount(@Root() page: Page<Row>): number | null {
      return page.totalCount;
    }
  }

  return { Connection, ConnectionResolver };
}
