// Reads the objects of a Spoolman into the members that an import compares and writes. An object with a fault keeps its id and the fault.
import { isJsonObject } from '../../values/json';
import { describeUnstorable, MAX_KEY_LENGTH, tidyText } from '../../values/text';
import { MAX_COMMENT_LENGTH, MAX_LOT_LENGTH, MAX_PLACE_LENGTH } from '../inventory/inventory.members';
import { type ReadTag, readTags } from './spoolman-tags';
import {
  Fault,
  isMissing,
  type ReadColors,
  readAmount,
  readBoolean,
  readColors,
  readExtra,
  readId,
  readPositive,
  readRegistered,
  readTemperature,
  readText,
  readTidy,
  readTime,
} from './spoolman-values';

export type SpoolmanKind = 'VENDOR' | 'FILAMENT' | 'SPOOL';
export type Raw = Record<string, unknown>;

interface ReadObject {
  /** null if it is no id of Spoolman. */
  id: number | null;
  /** Why the object is refused, as a sentence; null if it can be imported. The further members are then not to be used. */
  fault: string | null;
  /** What the user reads to recognise the object. */
  label: string;
  registered: string;
  comment: string | null;
  externalId: string | null;
  extra: Record<string, string>;
  /** What was left out or assumed, as sentences. */
  notes: string[];
  /** Whether no list has it yet: it was inside another object. */
  isInside?: boolean;
}

export interface ReadVendor extends ReadObject {
  kind: 'VENDOR';
  name: string;
  emptySpoolWeight: string | null;
}

export interface ReadFilament extends ReadObject, ReadColors {
  kind: 'FILAMENT';
  name: string | null;
  vendorId: number | null;
  material: string | null;
  density: string;
  diameter: string;
  weight: string | null;
  spoolWeight: string | null;
  price: string | null;
  minimumGrams: string | null;
  articleNumber: string | null;
  extruderTempC: number | null;
  bedTempC: number | null;
}

export interface ReadSpool extends Omit<ReadObject, 'externalId'> {
  kind: 'SPOOL';
  filamentId: number | null;
  initialWeight: string | null;
  usedWeight: string | null;
  remainingWeight: string | null;
  spoolWeight: string | null;
  price: string | null;
  place: string | null;
  lotNumber: string | null;
  isArchived: boolean;
  firstUsedAt: string | null;
  lastUsedAt: string | null;
  tags: ReadTag[];
}

export type SpoolmanObject = ReadVendor | ReadFilament | ReadSpool;

export const isRaw: (value: unknown) => value is Raw = isJsonObject;

export const readVendor = (raw: Raw): ReadVendor =>
  read('VENDOR', raw, (common) => {
    const name = readTidy(raw['name'], 'name', MAX_KEY_LENGTH);
    if (name === null) throw new Fault('The vendor has no name.');
    return {
      ...common,
      kind: 'VENDOR',
      name,
      emptySpoolWeight: readAmount(raw['empty_spool_weight'], 'empty_spool_weight'),
      externalId: readText(raw['external_id'], 'external_id', MAX_KEY_LENGTH),
    };
  });

export const readFilament = (raw: Raw): ReadFilament =>
  read('FILAMENT', raw, (common) => {
    const vendorId = isMissing(raw['vendor_id']) ? idInside(raw['vendor']) : readId(raw['vendor_id']);
    const hasVendor = isRaw(raw['vendor']) || !isMissing(raw['vendor_id']);
    if (hasVendor && vendorId === null) throw new Fault('The vendor of the filament has no id.');
    return {
      ...common,
      kind: 'FILAMENT',
      name: readTidy(raw['name'], 'name', MAX_KEY_LENGTH),
      vendorId,
      material: readTidy(raw['material'], 'material', MAX_KEY_LENGTH - 20),
      density: readPositive(raw['density'], 'density'),
      diameter: readPositive(raw['diameter'], 'diameter'),
      weight: readAmount(raw['weight'], 'weight'),
      spoolWeight: readAmount(raw['spool_weight'], 'spool_weight'),
      price: readAmount(raw['price'], 'price'),
      minimumGrams: readAmount(raw['low_stock_threshold'], 'low_stock_threshold'),
      articleNumber: readTidy(raw['article_number'], 'article_number', MAX_KEY_LENGTH),
      extruderTempC: readTemperature(raw['settings_extruder_temp'], 'settings_extruder_temp'),
      bedTempC: readTemperature(raw['settings_bed_temp'], 'settings_bed_temp'),
      externalId: readText(raw['external_id'], 'external_id', MAX_KEY_LENGTH),
      ...readColors(raw, (sentence) => common.notes.push(sentence)),
    };
  });

export const readSpool = (raw: Raw): ReadSpool =>
  read('SPOOL', raw, (common) => {
    const filamentId = isMissing(raw['filament_id']) ? idInside(raw['filament']) : readId(raw['filament_id']);
    if (filamentId === null) throw new Fault('The spool has no filament.');
    return {
      ...common,
      kind: 'SPOOL',
      filamentId,
      initialWeight: readAmount(raw['initial_weight'], 'initial_weight'),
      usedWeight: readAmount(raw['used_weight'], 'used_weight'),
      remainingWeight: isMissing(raw['used_weight']) ? readAmount(raw['remaining_weight'], 'remaining_weight') : null,
      spoolWeight: readAmount(raw['spool_weight'], 'spool_weight'),
      price: readAmount(raw['price'], 'price'),
      place: readTidy(raw['location'], 'location', MAX_PLACE_LENGTH),
      lotNumber: readTidy(raw['lot_nr'], 'lot_nr', MAX_LOT_LENGTH),
      isArchived: readBoolean(raw['archived']),
      firstUsedAt: readTime(raw['first_used'], 'first_used'),
      lastUsedAt: readTime(raw['last_used'], 'last_used'),
      tags: readTags(raw['tags'], common.extra, (sentence) => common.notes.push(sentence)),
    };
  });

const idInside = (value: unknown) => (isRaw(value) ? readId(value['id']) : null);

type Common = Pick<ReadObject, 'id' | 'fault' | 'label' | 'registered' | 'comment' | 'extra' | 'notes'>;

/** Reads an object. If a member has a fault, the object has only its id, its label and the fault. */
function read<Read extends SpoolmanObject>(kind: Read['kind'], raw: Raw, members: (common: Common) => Read): Read {
  const id = readId(raw['id']);
  const label = labelOf(kind, raw, id);
  try {
    if (id === null) throw new Fault('The id is not an integer from 1 to 2147483647.');
    return members({
      id,
      fault: null,
      label,
      registered: readRegistered(raw['registered']),
      comment: readText(raw['comment'], 'comment', MAX_COMMENT_LENGTH),
      extra: readExtra(raw['extra']),
      notes: [],
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { kind, id, label, fault: error.message, registered: '', extra: {}, notes: [], tags: [] } as unknown as Read;
  }
}

const MAX_LABEL = 100;

function labelOf(kind: SpoolmanKind, raw: Raw, id: number | null): string {
  const filament = kind === 'SPOOL' && isRaw(raw['filament']) ? raw['filament'] : raw;
  const vendor = kind === 'VENDOR' ? undefined : filament['vendor'];
  const texts = [
    isRaw(vendor) ? vendor['name'] : undefined,
    filament['name'],
    ...(kind === 'SPOOL' ? [`#${id ?? '?'}`] : []),
  ];
  const words = texts.filter((text) => typeof text === 'string' && describeUnstorable(text) === undefined) as string[];
  return tidyText(words.join(' ')).slice(0, MAX_LABEL).toWellFormed() || `#${id ?? '?'}`;
}
