// Names of time zones.
import { BadInput, type Issue } from '../errors';

/** PostgreSQL reads these names as offsets without summer time; the database of zones links them to these cities. */
const CITIES: Record<string, string> = {
  WET: 'Europe/Lisbon',
  CET: 'Europe/Brussels',
  MET: 'Europe/Brussels',
  EET: 'Europe/Athens',
};

/** Three letters, such as IST, mean one zone to Node and another to PostgreSQL, unless they are names of the IANA list. */
const LETTERS = /^(?!(UTC|GMT|UCT|WET|CET|MET|EET|EST|MST|HST|PRC|ROC|ROK)$)[a-z]{3}$/i;

/**
 * Reads the name of a zone; upper and lower case are the same. Offsets such as `+01:00` are refused: as a rule, a farm's
 * clock changes.
 */
export function parseTimeZone(value: unknown, ...path: Issue['path']): string {
  if (typeof value === 'string' && /^[a-z]/i.test(value) && !LETTERS.test(value)) {
    try {
      new Intl.DateTimeFormat('en', { timeZone: value });
      return CITIES[value.toUpperCase()] ?? value;
    } catch {}
  }
  throw new BadInput('must be the IANA name of a time zone, such as Europe/Berlin or UTC', ...path);
}
