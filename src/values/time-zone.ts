// Reads the names of time zones, so that Node and PostgreSQL mean the same zone.
import { BadInput, type Issue } from '../errors';

/** PostgreSQL reads these names as offsets without daylight saving time. The IANA database links them to these cities. */
const CITIES: Record<string, string> = {
  WET: 'Europe/Lisbon',
  CET: 'Europe/Brussels',
  MET: 'Europe/Brussels',
  EET: 'Europe/Athens',
};

/** A name of three letters such as IST means different zones for Node and for PostgreSQL, unless it is in the IANA list. */
const LETTERS = /^(?!(UTC|GMT|UCT|WET|CET|MET|EET|EST|MST|HST|PRC|ROC|ROK)$)[a-z]{3}$/i;

/**
 * Reads the name of a zone in upper or lower case. Offsets such as `+01:00` are refused, because most farms change their clocks
 * twice a year.
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
