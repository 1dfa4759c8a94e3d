// A choice out of many, found by typing a part of its name.
import { Combobox } from '@base-ui/react/combobox';
import { useMemo } from 'react';
import { FieldFrame, type Labelled } from './form';
import form from './form.module.css';
import styles from './search-choice.module.css';

/** The id and the name of each, in their order. */
export type Choices = readonly (readonly [id: string, name: string])[];

/** Typing finds the others. */
const MAX_SHOWN = 100;

interface SearchChoiceProps extends Labelled {
  choices: Choices;
  /** '' is no choice. */
  value: string;
  onChange: (event: { target: { value: string } }) => void;
  /** The text of the field without a choice. */
  placeholder: string;
  required?: boolean;
}

export function SearchChoice({ choices, value, onChange, placeholder, required = false, ...field }: SearchChoiceProps) {
  const items = useMemo(() => choices.map(([value, label]) => ({ value, label })), [choices]);
  const chosen = items.find((item) => item.value === value);
  // The choices have not arrived, or the id is of none of them.
  const isUnknown = chosen === undefined && value !== '';
  return (
    <FieldFrame {...field}>
      <Combobox.Root
        key={String(isUnknown)}
        items={items}
        value={isUnknown ? { value, label: '…' } : (chosen ?? null)}
        onValueChange={(item) => onChange({ target: { value: item?.value ?? '' } })}
        isItemEqualToValue={(one, other) => one.value === other.value}
        limit={MAX_SHOWN}
        autoHighlight
        required={required}
      >
        <Combobox.InputGroup className={styles['group']}>
          <Combobox.Input className={form['control']} placeholder={placeholder} />
          <span className={styles['tools']}>
            <Combobox.Clear className={styles['tool']} aria-label={`Choose no ${field.label}`}>
              ×
            </Combobox.Clear>
            <Combobox.Trigger className={styles['tool']} aria-label={`Show each ${field.label}`}>
              ▾
            </Combobox.Trigger>
          </span>
        </Combobox.InputGroup>
        <Combobox.Portal>
          <Combobox.Positioner className={styles['place']} sideOffset={4}>
            <Combobox.Popup className={styles['popup']}>
              <Combobox.Empty className={styles['empty']}>None has this in its name.</Combobox.Empty>
              <Combobox.List className={styles['list']}>
                {(item: { value: string; label: string }) => (
                  <Combobox.Item key={item.value} value={item} className={styles['item']}>
                    {item.label}
                  </Combobox.Item>
                )}
              </Combobox.List>
              {items.length > MAX_SHOWN && (
                <p className={styles['more']}>{`${items.length.toLocaleString()} in all. Type a part of a name.`}</p>
              )}
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
    </FieldFrame>
  );
}
