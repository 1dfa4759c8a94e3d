// Filters in the address of the page: one for several values out of a few, and one for a single value out of many.
import { Select } from '@base-ui/react/select';
import { useFilters } from './filters';
import styles from './filters-of-many.module.css';
import { FieldFrame } from './form';
import form from './form.module.css';
import { type Choices, SearchChoice } from './search-choice';
import list from './search-choice.module.css';

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
  const text = chosen.map((value) => choices[value] ?? value).join(', ') || 'All';
  return (
    <FieldFrame name={name} label={label}>
      <Select.Root multiple value={chosen} onValueChange={(values) => setFilter(name, values.join(','))}>
        <Select.Trigger className={`${form['control']} ${styles['trigger']}`} title={text}>
          <span className={styles['value']}>{text}</span>
          <Select.Icon aria-hidden="true">▾</Select.Icon>
        </Select.Trigger>
        <Select.Portal>
          <Select.Positioner className={list['place']} sideOffset={4} alignItemWithTrigger={false}>
            <Select.Popup className={list['popup']}>
              <Select.List className={list['list']}>
                {Object.entries(choices).map(([value, text]) => (
                  <Select.Item key={value} value={value} className={`${list['item']} ${styles['item']}`}>
                    <Select.ItemIndicator className={styles['mark']} keepMounted>
                      {chosen.includes(value) ? '✓' : ''}
                    </Select.ItemIndicator>
                    <Select.ItemText>{text}</Select.ItemText>
                  </Select.Item>
                ))}
              </Select.List>
            </Select.Popup>
          </Select.Positioner>
        </Select.Portal>
      </Select.Root>
    </FieldFrame>
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
