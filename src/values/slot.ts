// Reads and orders the names of slots, the places for filament in a printer, such as tool:0 or ams:0:2.
import { BadInput } from '../errors';
import type { Reader } from './members';
import { parseText } from './text';

/** Reads a name with the same pattern as the checks of the tables. tool:01 becomes tool:1. */
export const readSlot: Reader<string> = (value, member) => {
  const slot = parseText(value, member);
  if (/^[a-z]{1,20}(:\d{1,3}){1,2}$/.test(slot)) return slot.replace(/:0+(?=\d)/g, ':');
  throw new BadInput('must be a slot such as tool:0, ams:0:2 or ext:0', member);
};

/** Compares names so that ams:0:2 comes before ams:0:10. */
export const { compare: compareSlots } = new Intl.Collator('en', { numeric: true });
