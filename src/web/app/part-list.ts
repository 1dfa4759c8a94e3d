// How the cache takes the parts of a job, of which lists select less than its own page.

interface Part {
  spool: { __ref: string } | null;
}

/** A part keeps the members that a list leaves out: its page reads them again. Of another spool they say nothing. */
export const mergedParts = (existing: readonly Part[] = [], parts: readonly Part[]): Part[] =>
  parts.map((part, at) => (existing[at]?.spool?.__ref === part.spool?.__ref ? { ...existing[at], ...part } : part));
