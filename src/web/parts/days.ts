// Days of the reader's zone, or of UTC, as date fields write them: 2026-11-23.

/** The years before 1000, through which a typed year passes, have four digits too. */
export const dayOf = (date: Date, isUtc = false): string =>
  date.toLocaleDateString('sv', isUtc ? { timeZone: 'UTC' } : {}).padStart(10, '0');

/** The day so many days later. */
export function dayAfter(day: string, days = 1): string {
  const date = new Date(`${day}T12:00`);
  date.setDate(date.getDate() + days);
  return dayOf(date);
}

/** When a day begins; undefined for a text that is no day. */
export function beginOfDay(day: string, isUtc = false): string | undefined {
  const date = new Date(`${day}T00:00${isUtc ? 'Z' : ''}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** A local time as an instant. A text that is none goes to the gateway as it is, which says so at its field. */
export function instantOf(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : date.toISOString();
}

export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
