// The types with keys, of which the SDL of the subgraph, the union _Entity and the query `_entities` are made; and how a
// representation names an object by them.
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

/** Each is a key by itself. */
export const KEYS = ['id', 'nodeId'] as const;

const NAMES: readonly unknown[] = ENTITIES.map(({ name }) => name);

export const isEntity = (name: unknown): name is NodeType => NAMES.includes(name);

/** The key of the object of a representation; null when its keys name none, or two. Other members mean nothing. */
export function keyIn(representation: unknown): NodeKey | null {
  if (!isJsonObject(representation)) throw new BadInput('must be an object with __typename and a key');
  const member = (name: string) => (Object.hasOwn(representation, name) ? representation[name] : undefined);
  const type = member('__typename');
  if (!isEntity(type)) throw new BadInput(`must be one of ${NAMES.join(', ')}`, '__typename');
  const [id, nodeId] = KEYS.map((name) => idOf(member(name)));
  const keys: (NodeKey | null)[] = [];
  if (id !== undefined) keys.push(keyById(type, id));
  if (nodeId !== undefined) keys.push(decodeNodeId(nodeId));
  const [key, other = key] = keys;
  if (key === undefined) throw new BadInput(`must have the key ${KEYS.join(' or ')}`);
  return key?.[0] === type && isDeepStrictEqual(key, other) ? key : null;
}

/** As an argument of the type ID is read; undefined where the value is no ID. */
function idOf(value: unknown): string | undefined {
  if (value == null) return undefined;
  try {
    return GraphQLID.parseValue(exactDigits(value) ?? value);
  } catch {
    return undefined;
  }
}
