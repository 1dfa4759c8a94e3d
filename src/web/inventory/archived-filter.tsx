// Filters a list by active and archived objects. The gateway applies this filter.
import { ChoiceFilter, useFilters } from '../parts/filters';

const CHOICES = { '': 'Active', archived: 'Archived', all: 'All' };

export const ArchivedFilter = () => <ChoiceFilter label="Show" name="use" choices={CHOICES} />;

/** The argument `archived` of the lists; `null` selects all objects. */
export function useArchived(): boolean | null {
  const [getFilter] = useFilters();
  return getFilter('use') === 'all' ? null : getFilter('use') === 'archived';
}
