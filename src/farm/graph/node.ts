// Declares the interface Node of all objects with a global id, encodes and decodes these ids, and offers the query that finds an object by its id.

import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, FieldResolver, ID, Info, InterfaceType, Query, Resolver, Root } from 'type-graphql';
import { BadInput } from '../../errors';
import { parseGuid } from '../../values/guid';
import { parseInstant } from '../../values/instant';
import { parseText } from '../../values/text';
import type { Context } from './context';

@InterfaceType({
  description:
    'An object with a global id. `id` is unique within its type, `nodeId` among all objects. Relay and other normalised caches need nodeId.',
})
export abstract class Node {
  @Field(() => ID, {
    description: 'Unique among all objects, and never changes. Clients must not interpret it.',
  })
  nodeId!: string;
}

/** The members that form the key of an object, with their readers. The key of a status record has all columns of its primary key. */
const KEYS = {
  Camera: { id: readCameraId },
  CameraStatus: { cameraId: readCameraId, recordedAt: parseInstant, id: readRecordId },
  Device: { id: parseGuid },
  PrintJob: { id: parseGuid },
  ObservedPrint: { id: parseGuid },
  Printer: { id: parseGuid },
  Spool: { id: parseGuid },
  Filament: { id: parseGuid },
  Material: { id: parseGuid },
  NotificationTarget: { id: parseGuid },
} satisfies Record<string, KeyReaders>;

type KeyReaders = Record<string, (value: unknown, member: string) => string>;

/** The types whose objects have a global id. */
export type NodeType = keyof typeof KEYS;

/** A type, and the key of an object in it. */
export type NodeKey = [type: NodeType, ...key: string[]];

/** The types that only callers with the right to configure devices see. */
const TYPES_FOR_CONFIGURATION: readonly NodeType[] = ['NotificationTarget'];

/** Finds an object of each type by its key. */
export type NodeLookUps = Record<NodeType, (...key: string[]) => Promise<object | null>>;

/** The object with a key, with the name of its type; `null` if there is none or the caller may not see it. */
export async function findNode(
  lookUps: NodeLookUps,
  [type, ...key]: NodeKey,
  caller: Context['caller'],
): Promise<object | null> {
  if (TYPES_FOR_CONFIGURATION.includes(type) && !caller.canConfigureDevices) return null;
  const row = await lookUps[type](...key);
  return row && { ...row, __typename: type };
}

@Resolver(() => Node)
export class NodeResolver {
  constructor(private readonly lookUps: NodeLookUps) {}

  @Query(() => Node, {
    nullable: true,
    description: 'The object with this nodeId; null if there is none, or if the text is not a nodeId.',
  })
  async node(
    @Arg('nodeId', () => ID, { description: 'The nodeId of an object.' }) nodeId: string,
    @Ctx() { caller }: Context,
  ): Promise<object | null> {
    const key = decodeNodeId(nodeId);
    return key && findNode(this.lookUps, key, caller);
  }

  @FieldResolver()
  nodeId(@Root() row: Record<string, string>, @Info() { parentType }: GraphQLResolveInfo): string {
    return encodeNodeId(
      parentType.name,
      Object.keys(KEYS[parentType.name as NodeType]).map((member) => row[member] as string),
    );
  }
}

const isNodeType = (type: unknown): type is NodeType => typeof type === 'string' && Object.hasOwn(KEYS, type);

export const encodeNodeId = (type: string, key: readonly string[]) =>
  Buffer.from(JSON.stringify([type, ...key])).toString('base64url');

/** The key of the object with this id, for a type whose key is its id. */
export const keyById = (type: NodeType, id: string): NodeKey => [type, KEYS[type].id(id, 'id')];

/** `null` for a text that is not a nodeId of this gateway. */
export function decodeNodeId(nodeId: string): NodeKey | null {
  try {
    const [type, ...parts] = JSON.parse(Buffer.from(nodeId, 'base64url').toString());
    if (!isNodeType(type)) return null;
    const key = Object.entries<KeyReaders[string]>(KEYS[type]).map(([member, read], index) =>
      read(parts[index], member),
    );
    return encodeNodeId(type, key) === nodeId ? [type, ...key] : null;
  } catch {
    return null;
  }
}

function readCameraId(value: unknown, member: string): string {
  const id = parseText(value, member);
  if (id !== '') return id;
  throw new BadInput('must not be empty', member);
}

function readRecordId(value: unknown): string {
  if (typeof value === 'string' && /^\d{1,18}$/.test(value)) return value;
  throw new Error('The id of a status record must be a whole number');
}
