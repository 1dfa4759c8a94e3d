// The filter of objects that are in use or not, for lists that the gateway filters.
import { ChoiceFilter, useFilters } from '../parts/filters';

const CHOICES = { '': 'Active', archived: 'Archived', all: 'All' };

export const ArchivedFilter = () => <ChoiceFilter label="Show" name="use" choices={CHOICES} />;

/** The argument of the lists: null for all. */
export function useArchived(): boolean | null {
  const [of] = useFilters();
  return of('use') === 'all' ? null : of('use') === 'archived';
}
