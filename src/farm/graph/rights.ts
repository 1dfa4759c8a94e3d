// The rights that a field of the graph needs: declared beside it, and checked before the execution (graphql/demands.ts).
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
 * Declares the rights that a field needs in place of the usual: a query and a subscription need `read`, a mutation `write`, another
 * field none.
 */
export const Requires = (...rights: Right[]) => Extensions({ requires: rights });

/** What a field at the root of an operation, or a field below, needs. */
export function rightsOf(
  { extensions }: GraphQLField<unknown, unknown>,
  root: OperationTypeNode | null,
): readonly Right[] {
  const declared = extensions['requires'] as readonly Right[] | undefined;
  if (declared !== undefined || root === null) return declared ?? [];
  return root === 'mutation' ? ['write'] : ['read'];
}

/** Throws Forbidden without one of them. */
export function checkRights(caller: Caller, rights: Iterable<Right>): void {
  for (const right of rights) CHECKS[right](caller);
}
