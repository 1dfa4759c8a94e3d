// Lets a GraphQL field declare the rights that it needs. They are checked before the operation runs (doors/graphql/demands.ts).
import type { GraphQLField, OperationTypeNode } from 'graphql';
import { Extensions } from 'type-graphql';
import type { Caller } from './caller';

const CHECKS = {
  read: (caller) => caller.requireRead(),
  write: (caller) => caller.requireWrite(),
  devices: (caller) => caller.requireDevices(),
  /** The resolver then passes its cameras to the caller (requireWriteForCameras, requireCameraRegistration, requireCameraUpdate). */
  camera: (caller) => caller.requireScope('write'),
} satisfies Record<string, (caller: Caller) => void>;

export type Right = keyof typeof CHECKS;

/**
 * Declares the rights that a field needs instead of the usual ones: `read` for a query or a subscription, `write` for a mutation, and none for
 * other fields.
 */
export const Requires = (...rights: Right[]) => Extensions({ requires: rights });

/**
 * The rights that a field needs.
 * @param root the type of the operation if the field is a root field; `null` for other fields
 */
export function findRights(
  { extensions }: GraphQLField<unknown, unknown>,
  root: OperationTypeNode | null,
): readonly Right[] {
  const declared = extensions['requires'] as readonly Right[] | undefined;
  if (declared !== undefined || root === null) return declared ?? [];
  return root === 'mutation' ? ['write'] : ['read'];
}

/** Throws Forbidden if one of the rights is missing. */
export function checkRights(caller: Caller, rights: Iterable<Right>): void {
  for (const right of rights) CHECKS[right](caller);
}
