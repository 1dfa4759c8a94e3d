// Chooses the spools and products that get labels: a field adds a label, and each chosen label has a button that removes it.
import { Button } from '../parts/button';
import { useFilters } from '../parts/filters';
import { type Choices, SearchChoice } from '../parts/search-choice';
import { splitList } from './label-texts';
import styles from './labels.module.css';

type ListName = 'spools' | 'filaments';

export function AddLabel({ name, label, choices }: { name: ListName; label: string; choices: Choices }) {
  const [getFilter, setFilter] = useFilters();
  const chosen = splitList(getFilter(name));
  return (
    <SearchChoice
      // A new key empties the field after each choice.
      key={chosen.length}
      name={name}
      label={label}
      choices={choices}
      value=""
      onChange={({ target }) => target.value !== '' && setFilter(name, [...chosen, target.value].join())}
      placeholder="Choose …"
    />
  );
}

/** The names in the address, each with the spool or product that it names. */
type LabelChoices = readonly {
  name: string;
  row: { number: number; spoolSerial?: string; name?: string } | undefined;
}[];

export function ChosenLabels(props: Record<ListName, LabelChoices>) {
  const [, setFilter] = useFilters();
  const lists: ListName[] = ['spools', 'filaments'];
  if (lists.every((name) => props[name].length === 0)) return null;
  return (
    <ul className={styles['chosen']} aria-label="Labels to print">
      {lists.flatMap((list) =>
        props[list].map(({ name, row }, index) => {
          const text = row === undefined ? name : `#${row.number} ${row.spoolSerial ?? row.name}`;
          const remaining = props[list].filter((_, otherIndex) => otherIndex !== index).map((choice) => choice.name);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a spool may be listed twice
            <li key={`${list} ${index}`}>
              <span>{text}</span>
              <Button kind="quiet" aria-label={`Remove ${text}`} onClick={() => setFilter(list, remaining.join())}>
                ×
              </Button>
            </li>
          );
        }),
      )}
    </ul>
  );
}
