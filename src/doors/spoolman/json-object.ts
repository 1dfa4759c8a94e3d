// Writes the JSON of the API: compact, without a member that has no value, and with every digit of a decimal.

/** The JSON of each member, by name; `null` for a member without a value. */
type Members = Record<string, string | null>;

export function writeObject(members: Members): string {
  let text = '';
  for (const name in members) {
    const json = members[name];
    if (json !== null) text += `${text === '' ? '' : ','}"${name}":${json}`;
  }
  return `{${text}}`;
}

export const writeList = (items: readonly string[]): string => `[${items.join(',')}]`;

export const writeText = (text: string | null): string | null => (text === null ? null : JSON.stringify(text));

/** A decimal is stored in plain digits, which are a JSON number. */
export const writeNumber = (digits: string | number | null): string | null => (digits === null ? null : String(digits));

/** A time in UTC to the second. */
export const writeTime = (instant: string | null): string | null =>
  instant === null ? null : `"${instant.slice(0, '2026-11-26T08:30:00'.length)}Z"`;
