// Whether a list is one of spools or of filaments: each has its name in another column.

/** @param headings of the first line. Undefined where they do not say */
export function stockKindOf(headings: readonly string[]): 'SPOOLS' | 'FILAMENTS' | undefined {
  const names = headings.map((heading) => heading.trim().toLowerCase());
  if (names.includes('spoolserial')) return 'SPOOLS';
  return names.includes('name') ? 'FILAMENTS' : undefined;
}
