// The serials of new spools, which follow each other.

/** S-0413 behind S-0412, S-100 behind S-99, "Red 2" behind "Red". */
const next = (serial: string): string =>
  /\d$/.test(serial)
    ? serial.replace(/\d+$/, (digits) => String(BigInt(digits) + 1n).padStart(digits.length, '0'))
    : `${serial} 2`;

/** The first as it is, and each of the others the next that no spool has. */
export function serialsFrom(first: string, count: number, taken: ReadonlySet<string>): string[] {
  const serials = [first];
  let serial = first;
  while (serials.length < count) {
    serial = next(serial);
    if (!taken.has(serial)) serials.push(serial);
  }
  return serials;
}
