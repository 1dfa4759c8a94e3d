// Defines fields that lead from a row to the object whose id is in the row.
import { type ClassType, FieldResolver, Resolver, Root } from 'type-graphql';
import type { NodeLookUps, NodeType } from './node';

/**
 * Defines a field whose value is the object with this id, as it is now; null if the object no longer exists.
 * @param idOf returns `null` if the row has no such id
 * @param options `null` for a field that the type declares itself
 */
export function link<Row, Target extends object>(
  type: ClassType,
  field: string,
  object: ClassType<Target>,
  idOf: (row: Row) => string | null,
  options: { description: string; nullable?: boolean } | null,
) {
  const objectType = object.name as NodeType;

  @Resolver(() => type)
  class LinkResolver {
    constructor(private readonly lookUps: NodeLookUps) {}

    // type-graphql finds the method by the name of the field.
    @FieldResolver(() => object, { ...options })
    [field](@Root() row: Row): Promise<Target | null> | null {
      return this.find(row);
    }

    find(row: Row): Promise<Target | null> | null {
      const id = idOf(row);
      return id === null ? null : (this.lookUps[objectType](id) as Promise<Target | null>);
    }
  }
  return LinkResolver;
}
