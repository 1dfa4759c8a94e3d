// Generates the serials of new spools, which count up from the first serial.

/** S-0412 is followed by S-0413, S-99 by S-100, and "Red" by "Red 2". */
const nextSerial = (serial: string): string =>
  /\d$/.test(serial)
    ? serial.replace(/\d+$/, (digits) => String(BigInt(digits) + 1n).padStart(digits.length, '0'))
    : `${serial} 2`;

/** The first serial stays as it is. The following serials skip those that a spool already has. */
export function generateSerials(first: string, count: number, takenSerials: ReadonlySet<string>): string[] {
  const serials = [first];
  let serial = first;
  while (serials.length < count) {
    serial = nextSerial(serial);
    if (!takenSerials.has(serial)) serials.push(serial);
  }
  return serials;
}
