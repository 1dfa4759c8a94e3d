// Reads the tags of the spools in the trays of an AMS, and keeps them complete from the deltas of the printer.
import type { SpoolReport } from '../../farm/followed-spools/followed-spools.model';
import type { Instant } from '../../values/instant';
import { copyText, memberAt } from '../message-values';
import { toTraySlot } from './slots';

interface TrayTag {
  /** The UID that both chips of a Bambu spool have; `null` if there is none. */
  trayUuid: string | null;
  /** The UID of the chip that the AMS has read. */
  tagUid: string | null;
}

export interface TagMemory {
  trays: Readonly<Record<string, TrayTag>>;
  /** What was reported last, without its time. */
  reported: string | null;
}

export const NO_TAGS: TagMemory = { trays: {}, reported: null };

const MAX_UNITS = 16;
const MAX_TRAYS = 4;
/** An empty tray has only these members. */
const MEMBERS_OF_EMPTY = new Set(['id', 'state']);

export function mergeTags(tags: TagMemory, push: unknown): TagMemory {
  const ams = memberAt(push, 'ams');
  const reading = readBits(memberAt(ams, 'tray_reading_bits'));
  const changed = listMembers(ams, 'ams', MAX_UNITS).flatMap((unit) =>
    listMembers(unit, 'tray', MAX_TRAYS).flatMap((tray) => {
      const slot = toTraySlot(memberAt(unit, 'id'), memberAt(tray, 'id'));
      if (slot === null) return [];
      const known = tags.trays[slot];
      const tag = readTag(tray, known);
      // While the AMS reads a tag, the tray shows none.
      const isBeingRead = tag.trayUuid === null && tag.tagUid === null && isReading(reading, slot);
      return isBeingRead || JSON.stringify(tag) === JSON.stringify(known) ? [] : [[slot, tag] as const];
    }),
  );
  return changed.length === 0 ? tags : { ...tags, trays: { ...tags.trays, ...Object.fromEntries(changed) } };
}

function listMembers(owner: unknown, member: string, max: number): unknown[] {
  const list = memberAt(owner, member);
  return Array.isArray(list) ? list.slice(0, max) : [];
}

/** A delta leaves out members that stay as they are. */
function readTag(tray: unknown, known: TrayTag | undefined): TrayTag {
  if (Object.keys(tray as object).every((member) => MEMBERS_OF_EMPTY.has(member)))
    return { trayUuid: null, tagUid: null };
  const [trayUuid, tagUid] = [memberAt(tray, 'tray_uuid'), memberAt(tray, 'tag_uid')];
  return {
    trayUuid: trayUuid === undefined ? (known?.trayUuid ?? null) : readUid(trayUuid),
    tagUid: tagUid === undefined ? (known?.tagUid ?? null) : readUid(tagUid),
  };
}

/** Only zeros mean that there is no tag. */
function readUid(value: unknown): string | null {
  if (typeof value !== 'string' || !/^[\dA-Fa-f]{1,64}$/.test(value) || /^0+$/.test(value)) return null;
  return copyText(value.toUpperCase());
}

const readBits = (value: unknown): number =>
  typeof value === 'string' && /^[\dA-Fa-f]{1,8}$/.test(value) ? Number.parseInt(value, 16) : 0;

function isReading(bits: number, slot: string): boolean {
  const [, unit, tray] = slot.split(':').map(Number);
  const bit = (unit ?? 0) * MAX_TRAYS + (tray ?? 0);
  return bit < 32 && ((bits >>> bit) & 1) === 1;
}

/** Returns a report if a tag has changed since the last report, and at the start of a connection to a printer with an AMS. */
export function reportTags(tags: TagMemory, now: Instant): { tags: TagMemory; report?: SpoolReport } {
  const slots = Object.entries(tags.trays).map(([slot, { trayUuid, tagUid }]) => {
    const uids = [trayUuid, tagUid].filter((uid) => uid !== null);
    return { slot, spool: uids.length === 0 ? null : { uids }, chosenAt: null };
  });
  const reported = JSON.stringify(slots);
  if (slots.length === 0 || reported === tags.reported) return { tags };
  return { tags: { ...tags, reported }, report: { at: now, slots, isPrinting: false, spoolman: null } };
}
