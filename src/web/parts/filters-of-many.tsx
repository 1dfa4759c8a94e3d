// Filters in the address of the page: one for several values out of a few, and one for a single value out of many.
import { Toggle } from '@base-ui/react/toggle';
import { ToggleGroup } from '@base-ui/react/toggle-group';
import { useFilters } from './filters';
import styles from './filters-of-many.module.css';
import form from './form.module.css';
import { type Choices, SearchChoice } from './search-choice';

/** If no value is selected, the filter is off. In the address the values are joined by commas. */
export function SeveralFilter({
  label,
  name,
  choices,
}: {
  label: string;
  name: string;
  choices: Record<string, string>;
}) {
  const [getFilter, setFilter] = useFilters();
  const chosen = getFilter(name).split(',').filter(Boolean);
  return (
    <div className={styles['several']}>
      <span className={form['label']} aria-hidden="true">
        {label}
      </span>
      <ToggleGroup
        className={styles['choices']}
        aria-label={label}
        multiple
        value={chosen}
        onValueChange={(values) => setFilter(name, values.join(','))}
      >
        {Object.entries(choices).map(([value, text]) => (
          <Toggle key={value} value={value} className={styles['choice']}>
            {text}
          </Toggle>
        ))}
      </ToggleGroup>
    </div>
  );
}

export function OneOfManyFilter({ label, name, choices }: { label: string; name: string; choices: Choices }) {
  const [getFilter, setFilter] = useFilters();
  return (
    <SearchChoice
      name={name}
      label={label}
      choices={choices}
      value={getFilter(name)}
      onChange={({ target }) => setFilter(name, target.value)}
      placeholder="All"
    />
  );
}
