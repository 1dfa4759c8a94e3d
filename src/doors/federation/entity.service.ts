// Decides how many objects a router may read with `_entities`, and what the router gets for each representation.
import { BadInput } from '../../errors';
import type { Context } from '../../farm/graph/context';
import { findNode, type NodeKey, type NodeLookUps } from '../../farm/graph/node';
import { readKey } from './entities';

/** The maximum number in one operation. A router reads all objects of a response in one request: 1,500 for 750 orders with two lines. */
export const MAX_REPRESENTATIONS = 10_000;

/**
 * Reads the objects in the order of their representations. Representations with the same key share one object. A refused
 * representation gets an error in its place; the remaining objects are still returned.
 */
export async function readEntities(
  lookUps: NodeLookUps,
  representations: readonly unknown[],
  caller: Context['caller'],
) {
  const objects = new Map<string, Promise<object | null>>();
  const objectOf = (key: NodeKey) => {
    const text = JSON.stringify(key);
    const object = objects.get(text) ?? findNode(lookUps, key, caller);
    objects.set(text, object);
    return object;
  };
  // All look-ups start together, so that they share statements (sharing/batch.ts).
  return Promise.all(
    representations.map(async (representation, index) => {
      try {
        const key = readKey(representation);
        return key && (await objectOf(key));
      } catch (error) {
        if (!(error instanceof BadInput)) throw error;
        return new BadInput(
          error.issues.map(({ path, message }) => ({ path: ['representations', index, ...path], message })),
        );
      }
    }),
  );
}
