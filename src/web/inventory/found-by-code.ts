// Asks the gateway which rows a label of Spoolman or the UID of a tag finds, because the rows of the lists hold neither.
import { useQuery } from '@apollo/client/react';
import { readSpoolmanLabel } from '../../farm/inventory/spoolman-label';
import { FoundByCodeDocument } from '../../generated/web-operations';
import { normalizeTagUid } from '../../values/tag-uid';
import { useFilters } from '../parts/filters';
import { useDebounced } from '../parts/use-debounced';

/** The UIDs of tags have at least 8 digits. A shorter text is the start of a name or of a number. */
const MIN_UID_LENGTH = 8;

const isCode = (text: string) =>
  readSpoolmanLabel(text) !== null || (normalizeTagUid(text)?.length ?? 0) >= MIN_UID_LENGTH;

/** @returns the ids of the spools and products that the searched text finds; empty if the text is no label and no UID */
export function useFoundByCode(): ReadonlySet<string> {
  const [getFilter] = useFilters();
  const text = useDebounced(getFilter('search').trim());
  const skip = !isCode(text);
  const { data } = useQuery(FoundByCodeDocument, { variables: { text }, skip, fetchPolicy: 'no-cache' });
  const found = skip ? [] : [...(data?.spools.nodes ?? []), ...(data?.filaments.nodes ?? [])];
  return new Set(found.map(({ id }) => id));
}
