// A choice out of many, found by typing a part of its name.
import { Combobox } from '@base-ui/react/combobox';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { CHOOSE } from './choice-field';
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
  const { input, shown, isNone, ...typing } = useTyping(choices, isUnknown ? '…' : (chosen?.label ?? ''), value, (id) =>
    onChange({ target: { value: id } }),
  );
  return (
    <FieldFrame {...field} faultOf={() => (isNone ? NONE : required && value === '' ? CHOOSE : null)}>
      <Combobox.Root
        items={items}
        value={isUnknown ? { value, label: '…' } : (chosen ?? null)}
        onValueChange={(item) => typing.choose(item?.value ?? '')}
        inputValue={shown}
        onInputValueChange={(text, { reason }) => reason === 'input-change' && typing.type(text)}
        isItemEqualToValue={(one, other) => one.value === other.value}
        limit={MAX_SHOWN}
        autoHighlight
      >
        <Combobox.InputGroup className={styles['group']}>
          <Combobox.Input
            ref={input}
            className={form['control']}
            placeholder={placeholder}
            aria-required={required || undefined}
            onFocus={typing.mark}
            onClick={typing.mark}
            onKeyDown={typing.press}
          />
          <span className={styles['tools']}>
            <Combobox.Clear className={styles['tool']} aria-label={`Clear ${field.label}`}>
              ×
            </Combobox.Clear>
            <Combobox.Trigger className={styles['tool']} aria-label={`Show all choices for ${field.label}`}>
              ▾
            </Combobox.Trigger>
          </span>
        </Combobox.InputGroup>
        <Combobox.Portal>
          <Combobox.Positioner className={styles['place']} sideOffset={4}>
            <Combobox.Popup className={styles['popup']}>
              <Combobox.Empty className={styles['empty']}>No matches.</Combobox.Empty>
              <Combobox.List className={styles['list']}>
                {(item: { value: string; label: string }) => (
                  <Combobox.Item key={item.value} value={item} className={styles['item']}>
                    {item.label}
                  </Combobox.Item>
                )}
              </Combobox.List>
              {items.length > MAX_SHOWN && (
                <p
                  className={styles['more']}
                >{`${items.length.toLocaleString()} in total. Type part of the name to search.`}</p>
              )}
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
    </FieldFrame>
  );
}

const NONE = 'No match. Choose one from the list.';

/**
 * What is typed into the field. It is the choice as soon as it is the whole name of one, and no choice until then: a form never keeps
 * one that is no longer shown.
 */
function useTyping(choices: Choices, label: string, value: string, onChange: (id: string) => void) {
  const input = useRef<HTMLInputElement>(null);
  /** The typed text, and the choice before it. Undefined: the field shows its choice. */
  const [typed, setTyped] = useState<{ text: string; before: string }>();
  const mark = () => {
    if (typed === undefined) input.current?.select();
  };
  // It is typed over at once when it was chosen from the list, too.
  useEffect(() => {
    if (label !== '' && typed === undefined && input.current === document.activeElement) input.current?.select();
  }, [label, typed]);
  return {
    input,
    mark,
    shown: typed?.text ?? label,
    isNone: typed !== undefined && typed.text.trim() !== '' && value === '',
    type: (text: string) => {
      setTyped({ text, before: typed?.before ?? value });
      onChange(idOf(choices, text));
    },
    choose: (id: string) => {
      setTyped(undefined);
      onChange(id);
    },
    press: (event: KeyboardEvent & { preventBaseUIHandler: () => void }) => {
      const isOpen = event.currentTarget.getAttribute('aria-expanded') === 'true';
      // It belongs to the list: with nothing in it, the form would be sent.
      if (event.key === 'Enter' && isOpen) event.preventDefault();
      if (event.key !== 'Escape') return;
      if (typed !== undefined) {
        setTyped(undefined);
        onChange(typed.before);
        if (!isOpen) event.stopPropagation();
      }
      // It would clear the choice.
      if (!isOpen) event.preventBaseUIHandler();
    },
  };
}

/** '' where none has the name, or several. */
function idOf(choices: Choices, text: string): string {
  const name = text.trim().toLowerCase();
  const [found, ...others] = choices.filter(([, one]) => one.toLowerCase() === name);
  return found !== undefined && others.length === 0 ? found[0] : '';
}
