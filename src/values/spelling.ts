// The spellings of a member's name: in the graph (`printerId`), in the documents and in columns.

/** Spells a member of the graph for REST or for a column. */
export type Spelling = (member: string) => string;

export const camel: Spelling = (member) => member;
export const pascal: Spelling = (member) => member.charAt(0).toUpperCase() + member.slice(1);
export const snake: Spelling = (member) => member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The spellings that REST_PRINT_JOB_CASING names. */
export const JOB_SPELLINGS = { pascal, camel };

/** One spelling for comparisons: `friendly_name`, `FriendlyName` and `friendlyName` become the same. */
export const folded: Spelling = (name) => name.toLowerCase().replaceAll('_', '');
