// Spells the name of a member for columns: `printerId` becomes printer_id. doors/rest/casing.ts has the spellings of REST.

/** Spells the GraphQL name of a member for REST or for a column. */
export type Spelling = (member: string) => string;

export const snake: Spelling = (member) => member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
