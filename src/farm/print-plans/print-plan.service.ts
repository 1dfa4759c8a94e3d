// Checks the plans that slicers send, and decides under which name a plan is recorded.

import { BadInput, type Issue } from '../../errors';
import { type LayerPoint, MAX_LAYER, MAX_PLATES, MAX_POINTS, MAX_SLOT, type Slot } from '../../slicers/plan';
import { isBelow, readAmount, readPositiveAmount } from '../../values/decimal';
import { checkEach, nullable, type Reader, readAll, readMembers } from '../../values/members';
import { type RequestTime, refusePastDeadline } from '../../values/request-time';
import { nonEmptyText } from '../../values/text';
import { MAX_THUMBNAIL_BYTES, MAX_THUMBNAIL_PIXELS, readPicture } from '../../values/thumbnail';
import { planName } from '../print-rules/sliced-plan';
import type { PrintPlanStore, RecordedPlate } from './print-plan.store';
import {
  MAX_FILE_NAME,
  MAX_FILE_PATH,
  MAX_GRAMS,
  MAX_MM,
  MAX_PLAN_SLOTS,
  MAX_PLATE,
  MAX_SECONDS,
  type PlatePlanInput,
  type RecordedPlan,
  type RecordPlanInput,
} from './print-plan.types';

type Path = Issue['path'];

export class PrintPlanService {
  /** @param keepsPictures whether the pictures of plans are stored */
  constructor(
    private readonly store: PrintPlanStore,
    private readonly keepsPictures: boolean,
  ) {}

  /**
   * Records all plates or none, and replaces stored plates with the same name and number. Checking a plan of a megabyte takes 0.04 s, in which
   * no other request runs.
   */
  async record({ fileName, plates }: RecordPlanInput, time: RequestTime): Promise<RecordedPlan> {
    refusePastDeadline(time);
    const [{ fileName: name }, read] = await readAll(
      () => readName({ fileName }, 'input'),
      () => readPlates(plates, ['input', 'plates']),
    );
    refusePastDeadline(time);
    const stored = this.keepsPictures ? read : read.map((plate) => ({ ...plate, picture: null }));
    await this.store.record(name, stored, time.now);
    return { name, plates: read.map(({ plate }) => plate), recordedAt: time.now };
  }
}

const readPath = nonEmptyText(MAX_FILE_PATH);

const readName = readMembers({
  fileName: (value, member) => {
    const name = planName(readPath(value, member));
    if (/^[\s.]*$/.test(name)) throw new BadInput('must end with the name of a file', member);
    if (name.length > MAX_FILE_NAME)
      throw new BadInput(`must end with a name of at most ${MAX_FILE_NAME} characters`, member);
    return name;
  },
});

const parseWholeUpTo =
  (most: number): Reader<number> =>
  (value, member) => {
    if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > most)
      throw new BadInput(`must be a whole number from 1 to ${most}`, member);
    return Number(value);
  };

const limitTo = (read: Reader<string>, most: number): Reader<string> => {
  const bound = String(most);
  return (value, member) => {
    const decimal = read(value, member);
    if (isBelow(bound, decimal)) throw new BadInput(`must be at most ${most}`, member);
    return decimal;
  };
};

/** A value that the slicer does not give is null, never 0. */
const nullWhenUnknown = <Value>(reader: Reader<Value>): Reader<Value | null> => {
  const read = nullable(reader);
  return (value, member) => read(value, member) ?? null;
};

const readNumbers = readMembers({
  plate: parseWholeUpTo(MAX_PLATE),
  seconds: nullWhenUnknown(parseWholeUpTo(MAX_SECONDS)),
});
const readSlot = readMembers({
  slot: parseWholeUpTo(MAX_SLOT),
  mm: nullWhenUnknown(limitTo(readPositiveAmount, MAX_MM)),
  grams: nullWhenUnknown(limitTo(readPositiveAmount, MAX_GRAMS)),
});
const readLayer = readMembers({ layer: parseWholeUpTo(MAX_LAYER) });
const parseLength = limitTo(readAmount, MAX_MM);
const readLengths = readMembers({
  mm: (value, member) => (value as string[]).map((length) => parseLength(length, member)),
});

/** Base64 with its padding, which `Buffer.from` would not require. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const MAX_BASE64 = 4 * Math.ceil(MAX_THUMBNAIL_BYTES / 3);

const readThumbnail = readMembers({
  thumbnail: nullWhenUnknown((value, member) => {
    const text = String(value);
    const picture = text.length <= MAX_BASE64 && BASE64.test(text) ? Buffer.from(text, 'base64') : null;
    if (picture === null || readPicture(picture) === null)
      throw new BadInput(
        `must be a PNG or JPEG in base64 with at most ${MAX_THUMBNAIL_BYTES >> 10} KB and ${MAX_THUMBNAIL_PIXELS} x ${MAX_THUMBNAIL_PIXELS} pixels`,
        member,
      );
    return picture;
  }),
});

function readPlates(plates: readonly PlatePlanInput[], path: Path) {
  if (plates.length < 1 || plates.length > MAX_PLATES)
    throw new BadInput(`must have 1 to ${MAX_PLATES} plates`, ...path);
  const read: RecordedPlate[] = [];
  checkEach(plates, path, (plate, at) => {
    const numbers = readNumbers(plate, at);
    refuseDuplicate(plates, at, 'plate');
    const slots = readSlots(plate.slots, [at, 'slots']);
    const layers = readLayers(plate.layers ?? null, slots.length, [at, 'layers']);
    const { thumbnail: picture } = readThumbnail(plate, at);
    read.push({ ...numbers, slots, layers, picture });
  });
  return read;
}

function readSlots(slots: readonly Slot[], path: Path): Slot[] {
  if (slots.length > MAX_PLAN_SLOTS) throw new BadInput(`must have at most ${MAX_PLAN_SLOTS} slots`, ...path);
  const read: Slot[] = [];
  checkEach(slots, path, (slot, at) => {
    read.push(readSlot(slot, at));
    refuseDuplicate(slots, at, 'slot');
  });
  return read;
}

function readLayers(layers: readonly LayerPoint[] | null, slots: number, path: Path): LayerPoint[] | null {
  if (layers === null) return null;
  if (layers.length < 1 || layers.length > MAX_POINTS)
    throw new BadInput(`must be null or have 1 to ${MAX_POINTS} layers`, ...path);
  const read: LayerPoint[] = [];
  checkEach(layers, path, (point, at) => {
    const { layer } = readLayer(point, at);
    const before = layers[at - 1];
    if (before !== undefined && layer <= before.layer)
      throw new BadInput('must be above the previous layer', at, 'layer');
    if (point.mm.length !== slots)
      throw new BadInput(`must have as many lengths as the plate has slots: ${slots}`, at, 'mm');
    const { mm } = readLengths({ mm: point.mm }, at);
    const previousLengths = read.at(-1)?.mm ?? [];
    const below = previousLengths.findIndex((length, slot) => isBelow(mm[slot] as string, length));
    if (below >= 0) throw new BadInput('must not be below the length of the previous layer', at, 'mm', below);
    read.push({ layer, mm });
  });
  return read;
}

function refuseDuplicate<Member extends string>(
  items: readonly Record<Member, number>[],
  at: number,
  member: Member,
): void {
  const number = items[at]?.[member];
  if (items.findIndex((item) => item[member] === number) !== at)
    throw new BadInput(`must be unique: ${number} is already in the list`, at, member);
}
