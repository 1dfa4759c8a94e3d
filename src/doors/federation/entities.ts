// Lists the types whose objects other subgraphs can reference, and decides which object a representation names.
import { isDeepStrictEqual } from 'node:util';
import { GraphQLID } from 'graphql';
import { BadInput } from '../../errors';
import { Camera } from '../../farm/cameras/camera.types';
import { Device } from '../../farm/devices/device.types';
import { decodeNodeId, keyById, type NodeKey, type NodeType } from '../../farm/graph/node';
import { Filament } from '../../farm/inventory/filament.types';
import { Material, Printer, Spool } from '../../farm/inventory/inventory.types';
import { PrintJob } from '../../farm/print-jobs/print-job.types';
import { ObservedPrint } from '../../farm/prints/observed-print.types';
import { NotificationTarget } from '../../notifications/target.types';
import { exactDigits } from '../../values/decimal';
import { isJsonObject } from '../../values/json';

export const ENTITIES = [
  Camera,
  Device,
  Filament,
  Material,
  NotificationTarget,
  ObservedPrint,
  Printer,
  PrintJob,
  Spool,
];

/** The members that identify an object. One of them is enough. */
export const KEYS = ['id', 'nodeId'] as const;

const NAMES: readonly unknown[] = ENTITIES.map(({ name }) => name);

export const isEntity = (name: unknown): name is NodeType => NAMES.includes(name);

/** Reads the key of a representation; null if its keys name no object or two objects. Other members are ignored. */
export function readKey(representation: unknown): NodeKey | null {
  if (!isJsonObject(representation)) throw new BadInput('must be an object with __typename and a key');
  const member = (name: string) => (Object.hasOwn(representation, name) ? representation[name] : undefined);
  const type = member('__typename');
  if (!isEntity(type)) throw new BadInput(`must be one of ${NAMES.join(', ')}`, '__typename');
  const [id, nodeId] = KEYS.map((name) => readId(member(name)));
  const keys: (NodeKey | null)[] = [];
  if (id !== undefined) keys.push(keyById(type, id));
  if (nodeId !== undefined) keys.push(decodeNodeId(nodeId));
  const [key, other = key] = keys;
  if (key === undefined) throw new BadInput(`must have the key ${KEYS.join(' or ')}`);
  return key?.[0] === type && isDeepStrictEqual(key, other) ? key : null;
}

/** Reads a value like an argument of the type ID; undefined if the value is not an ID. */
function readId(value: unknown): string | undefined {
  if (value == null) return undefined;
  try {
    return GraphQLID.parseValue(exactDigits(value) ?? value);
  } catch {
    return undefined;
  }
}
