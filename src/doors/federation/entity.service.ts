// The rules of `_entities`: how many objects a router may ask for, and what it gets for each key.
import { BadInput } from '../../errors';
import type { Context } from '../../farm/graph/context';
import { findNode, type NodeKey, type NodeLookUps } from '../../farm/graph/node';
import { keyIn } from './entities';

/** In one operation. Routers ask for all objects of an answer at once: 750 orders of two lines are 1,500. */
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
  // All at once: the look-ups read them in pieces (sharing/batch.ts).
  return Promise.all(
    representations.map(async (representation, index) => {
      try {
        const key = keyIn(representation);
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
