// Filters of many values, which live in the address: several choices of a few, and one choice of many.
import { Toggle } from '@base-ui/react/toggle';
import { ToggleGroup } from '@base-ui/react/toggle-group';
import { useFilters } from './filters';
import styles from './filters-of-many.module.css';
import form from './form.module.css';
import { type Choices, SearchChoice } from './search-choice';

/** None chosen means all. In the address they are joined by commas. */
export function SeveralFilter({
  label,
  name,
  choices,
}: {
  label: string;
  name: string;
  choices: Record<string, string>;
}) {
  const [of, set] = useFilters();
  const chosen = of(name).split(',').filter(Boolean);
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
        onValueChange={(values) => set(name, values.join(','))}
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
  const [of, set] = useFilters();
  return (
    <SearchChoice
      name={name}
      label={label}
      choices={choices}
      value={of(name)}
      onChange={({ target }) => set(name, target.value)}
      placeholder="All"
    />
  );
}
