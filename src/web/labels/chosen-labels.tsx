// The spools and products that get labels: one is added after the other, and each has a button that takes it away.
import { Button } from '../parts/button';
import { useFilters } from '../parts/filters';
import { type Choices, SearchChoice } from '../parts/search-choice';
import { listIn } from './label-texts';
import styles from './labels.module.css';

type Name = 'spools' | 'filaments';

export function OneMore({ name, label, choices }: { name: Name; label: string; choices: Choices }) {
  const [of, set] = useFilters();
  const named = listIn(of(name));
  return (
    <SearchChoice
      // The field is empty again after each choice.
      key={named.length}
      name={name}
      label={label}
      choices={choices}
      value=""
      onChange={({ target }) => target.value !== '' && set(name, [...named, target.value].join())}
      placeholder="Choose …"
    />
  );
}

/** What was named in the address, and what it is. */
type Named = readonly { name: string; row: { number: number; spoolSerial?: string; name?: string } | undefined }[];

export function ChosenOnes(props: Record<Name, Named>) {
  const [, set] = useFilters();
  const names: Name[] = ['spools', 'filaments'];
  if (names.every((name) => props[name].length === 0)) return null;
  return (
    <ul className={styles['chosen']} aria-label="Labels to print">
      {names.flatMap((of) =>
        props[of].map(({ name, row }, at) => {
          const text = row === undefined ? name : `#${row.number} ${row.spoolSerial ?? row.name}`;
          const others = props[of].filter((_, other) => other !== at).map((one) => one.name);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: one may be named twice
            <li key={`${of} ${at}`}>
              <span>{text}</span>
              <Button kind="quiet" aria-label={`Remove ${text}`} onClick={() => set(of, others.join())}>
                ×
              </Button>
            </li>
          );
        }),
      )}
    </ul>
  );
}
