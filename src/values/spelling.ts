// The spellings of a member's name: in the graph (`printerId`), and in columns (`printer_id`). rest/casing.ts has those of REST.

/** Spells a member of the graph for REST or for a column. */
export type Spelling = (member: string) => string;

export const snake: Spelling = (member) => member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
