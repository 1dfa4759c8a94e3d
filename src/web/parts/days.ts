// Converts between instants and days such as 2026-11-23, in the user's time zone or in UTC.

/** The day of an instant. A year that is still being typed is padded to four digits. */
export const toDay = (date: Date, isUtc = false): string =>
  date.toLocaleDateString('sv', isUtc ? { timeZone: 'UTC' } : {}).padStart(10, '0');

/** The day that is the given number of days later. */
export function addDays(day: string, days = 1): string {
  const date = new Date(`${day}T12:00`);
  date.setDate(date.getDate() + days);
  return toDay(date);
}

/** The start of a day as an instant, or undefined if the text is not a day. */
export function startOfDay(day: string, isUtc = false): string | undefined {
  const date = new Date(`${day}T00:00${isUtc ? 'Z' : ''}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** A local time as an instant. An invalid text is sent unchanged, so that the gateway reports the fault at its field. */
export function toInstant(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : date.toISOString();
}

export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
