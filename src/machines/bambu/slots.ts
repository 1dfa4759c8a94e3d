// Decides the slots of a Bambu printer: ams:UNIT:SLOT, and ext:0 for the external spool. With two extruders there are two external
// spools: ext:0 on the left and ext:1 on the right.
import { memberAt, readWhole } from '../message-values';

const EXTERNAL = 'ext:0';
const EXTERNAL_RIGHT = 'ext:1';
const SLOTS_PER_UNIT = 4;
/** The first id of AMS HT units, which have one slot each. */
const FIRST_HT = 128;
/** 254 and 255 are the external spools: the left and the right spool with two extruders, and the same spool with one extruder. */
const FIRST_EXTERNAL = 254;
const NOT_USED = 65_535;
/** Another number that `mapping` uses for the first AMS HT. */
const HT_AS_UNIT_2 = 512;
const MAX_FILAMENTS = 64;

/** The slots that a print uses. */
export interface SlotUse {
  slots: string[];
  /** The slot of each filament in the slicer's order, if the printer reports it. */
  mapping?: (string | null)[];
}

/** Reads the slots that a slicer requested for its filaments: `ams_mapping2` and `ams_mapping` in its command project_file. */
export function readRequestedSlots(command: unknown, extruder?: unknown): SlotUse | null {
  const hasTwo = listExtruders(extruder).length > 1;
  const usesExternalSpool = memberAt(command, 'use_ams') === false;
  if (usesExternalSpool && !hasTwo) return externalSpoolOnly;
  const pairs = toList(memberAt(command, 'ams_mapping2'));
  return (
    toSlotUse(pairs.map((pair) => toSlot(memberAt(pair, 'ams_id'), memberAt(pair, 'slot_id'), hasTwo))) ??
    toSlotUse(toList(memberAt(command, 'ams_mapping')).map((value) => toSlotByNumber(value, hasTwo))) ??
    (usesExternalSpool ? externalSpoolOnly : null)
  );
}

/** Reads the member `mapping` of a whole state: unit · 256 + slot for each filament. */
export function readMappedSlots(mapping: unknown, ams: unknown, extruder?: unknown): SlotUse | null {
  const hasTwo = listExtruders(extruder).length > 1;
  const units = toList(memberAt(ams, 'ams')).map((unit) => readWhole(memberAt(unit, 'id'), FIRST_EXTERNAL));
  return toSlotUse(
    toList(mapping).map((value) => {
      const number = readWhole(value, NOT_USED);
      if (number === null || number === NOT_USED) return null;
      const ht = units.find((unit) => unit !== null && unit >= FIRST_HT);
      if (number === HT_AS_UNIT_2 && ht != null && !units.includes(2)) return `ams:${ht}:0`;
      return toSlot(number >> 8, number & 255, hasTwo);
    }),
  );
}

/** The value of `tray_now` while no slot is loaded. */
const NOTHING_LOADED = 255;

/**
 * Reads the slot that feeds now; `null` if nothing is loaded. On printers that report their extruders, `tray_now` counts only within one
 * unit, so `snow` of the printing extruder is used: unit · 256 + slot.
 */
export function readActiveSlot(ams: unknown, extruder: unknown): string | null {
  const extruders = listExtruders(extruder);
  if (extruders.length === 0)
    return readWhole(memberAt(ams, 'tray_now'), 255) === NOTHING_LOADED
      ? null
      : toSlotByNumber(memberAt(ams, 'tray_now'));
  const printing = ((readWhole(memberAt(extruder, 'state'), 0xffff_ffff) ?? 0) >> 4) & 15;
  const now = readWhole(
    memberAt(
      extruders.find((candidate) => readWhole(memberAt(candidate, 'id'), 15) === printing),
      'snow',
    ),
    NOT_USED,
  );
  return now === null ? null : toSlot(now >> 8, now & 255, extruders.length > 1);
}

const listExtruders = (extruder: unknown): unknown[] => toList(memberAt(extruder, 'info'));

/** Whether the printer reports that it has no AMS. */
export function hasNoAms(ams: unknown): boolean {
  const units = memberAt(ams, 'ams');
  return Array.isArray(units) && units.length === 0;
}

export const externalSpoolOnly: SlotUse = { slots: [EXTERNAL] };

/** Reads a slot number that counts over all units: unit · 4 + slot, or the id of an AMS HT. */
function toSlotByNumber(value: unknown, hasTwo = false): string | null {
  const number = readWhole(value, 255);
  if (number === null) return null;
  return number >= FIRST_HT
    ? toSlot(number, 0, hasTwo)
    : toSlot(Math.floor(number / SLOTS_PER_UNIT), number % SLOTS_PER_UNIT);
}

function toSlot(unitId: unknown, slotId: unknown, hasTwo = false): string | null {
  const unit = readWhole(unitId, 255);
  const slot = readWhole(slotId, 255);
  if (unit === null || slot === null) return null;
  // Unit 255 with slot 255 is a filament that the plate does not use.
  if (unit >= FIRST_EXTERNAL && slot === 255) return null;
  if (unit >= FIRST_EXTERNAL) return hasTwo && unit > FIRST_EXTERNAL ? EXTERNAL_RIGHT : EXTERNAL;
  return unit >= FIRST_HT || slot < SLOTS_PER_UNIT ? `ams:${unit}:${slot}` : null;
}

/** Names the slot of a tray in a unit of an AMS. */
export const toTraySlot = (unit: unknown, tray: unknown): string | null => {
  const slot = toSlot(unit, tray);
  return slot?.startsWith('ams:') ? slot : null;
};

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, MAX_FILAMENTS) : []);

/** Several filaments may use one slot. */
function toSlotUse(mapping: (string | null)[]): SlotUse | null {
  const slots = [...new Set(mapping.filter((slot) => slot !== null))];
  return slots.length === 0 ? null : { slots, mapping };
}
