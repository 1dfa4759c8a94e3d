// Decides what the search asks the gateway for, and ranks the results: the best match is first.
import { findSearchedNumber } from '../../farm/inventory/inventory.texts';
import { readSpoolmanLabel } from '../../farm/inventory/spoolman-label';
import type { SearchQueryVariables } from '../../generated/web-operations';
import { compareNaturally } from '../parts/formats';
import { normalize } from '../parts/list-search';

export interface Result {
  address: string;
  name: string;
  /** The facts that distinguish results with similar names. */
  details: readonly (string | null)[];
  colorHex?: string | null;
  isArchived?: boolean;
  /** Whether the result is a link to a page with a list, and no match itself. */
  isList?: boolean;
}

export interface ResultGroup {
  /** The heading of the group. */
  value: string;
  items: Result[];
}

/** The matches of one kind, as the gateway answers them. */
export interface Matches {
  kind: string;
  /** The address of the page that lists all objects of this kind. */
  list: string;
  results: readonly Result[];
  /** Whether the order of the gateway decides between results that match equally well, and not the name. */
  isOrdered?: boolean;
}

/** A group shows so many results, and then a link to the page with all of them. */
const MAX_SHOWN = 5;
/** The greatest value of the GraphQL type Int. */
const MAX_NUMBER = 2 ** 31 - 1;

/** @param text the searched text, not blank */
export function toVariables(text: string): SearchQueryVariables {
  // The gateway knows which object has the id of the label.
  if (readSpoolmanLabel(text) !== null)
    return { text, searchesTexts: false, searchesStock: true, number: 0, hasNumber: false };
  const onlyNumber = findSearchedNumber(text);
  const searchesTexts = onlyNumber === undefined;
  const number = Number(onlyNumber ?? (/^\d+$/.test(text) ? text : Number.NaN));
  const hasNumber = number <= MAX_NUMBER;
  return { text, searchesTexts, searchesStock: searchesTexts, number: hasNumber ? number : 0, hasNumber };
}

/** @returns the groups with a result; the group with the best match is first */
export function groupResults(matches: readonly Matches[], text: string): ResultGroup[] {
  return matches
    .map((group) => ({ ...group, ranked: rank(group, text) }))
    .filter(({ ranked }) => ranked.length > 0)
    .sort((a, b) => (a.ranked[0]?.rank ?? 0) - (b.ranked[0]?.rank ?? 0))
    .map(({ kind, list, ranked }) => {
      const items = ranked.slice(0, MAX_SHOWN).map(({ result }) => result);
      return { value: kind, items: ranked.length > MAX_SHOWN ? [...items, linkToList(kind, list, text)] : items };
    });
}

const linkToList = (kind: string, list: string, text: string): Result => ({
  address: `${list}?${new URLSearchParams({ search: text })}`,
  name: `Show all ${kind.toLowerCase()} that match`,
  details: [],
  isList: true,
});

const rank = ({ results, isOrdered = false }: Matches, text: string) =>
  results
    .map((result) => ({ result, rank: rateMatch(result, text) }))
    .sort((a, b) => a.rank - b.rank || (isOrdered ? 0 : compareNaturally(a.result.name, b.result.name)));

/** 0 is the best match. Archived objects come after all others. */
function rateMatch({ name, details, isArchived = false }: Result, text: string): number {
  const [searched, found] = [normalize(text), normalize(name)];
  const archived = isArchived ? 10 : 0;
  if (found === searched || details.includes(`#${findSearchedNumber(text) ?? text}`)) return archived;
  if (found.startsWith(searched)) return archived + 1;
  if (found.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(searched))) return archived + 2;
  return archived + (found.includes(searched) ? 3 : 4);
}
