// Names a slot of a printer in the same manner on every page: `ams:0:2` is "AMS 1, slot 3".

/**
 * Most printers have one extruder, `tool:0`, which needs no number.
 * @param shownSlots the slots that are shown together
 */
export function slotName(slot: string, shownSlots: readonly string[] = []): string {
  const [kind, ...numbers] = slot.split(':');
  if (kind === 'tool') {
    const hasSeveral = shownSlots.some((one) => one.startsWith('tool:') && one !== 'tool:0');
    return slot === 'tool:0' && !hasSeveral ? 'Extruder' : `Extruder ${Number(numbers[0]) + 1}`;
  }
  if (kind === 'ams') return `AMS ${Number(numbers[0]) + 1}, slot ${Number(numbers[1]) + 1}`;
  if (kind === 'mmu') return `Gate ${numbers[0]}`;
  // Bambu Lab printers with two extruders have an external spool for each.
  if (kind === 'ext') return numbers[0] === '0' ? 'External spool' : `External spool ${Number(numbers[0]) + 1}`;
  return slot;
}
