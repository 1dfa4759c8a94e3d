// A field with many choices, which a user finds by typing a part of the name.
import { Combobox } from '@base-ui/react/combobox';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { CHOOSE_MESSAGE } from './choice-field';
import { FieldFrame, type LabelledProps } from './form';
import form from './form.module.css';
import styles from './search-choice.module.css';

/** The id and the name of each choice, in the order of the list. */
export type Choices = readonly (readonly [id: string, name: string])[];

/** The list shows only the first choices. The user finds the others by typing. */
const MAX_SHOWN = 100;

interface SearchChoiceProps extends LabelledProps {
  choices: Choices;
  /** The id of the choice, or '' if none is chosen. */
  value: string;
  onChange: (event: { target: { value: string } }) => void;
  /** The text that is shown while nothing is chosen. */
  placeholder: string;
  required?: boolean;
  /** Opens the list together with the form, for a form that asks for little else. */
  isOpenAtFirst?: boolean;
}

export function SearchChoice(props: SearchChoiceProps) {
  const { choices, value, onChange, placeholder, required = false, isOpenAtFirst = false, ...field } = props;
  const items = useMemo(() => choices.map(([value, label]) => ({ value, label })), [choices]);
  const chosen = items.find((item) => item.value === value);
  // The choices are not loaded yet, or the id is not among them.
  const isUnknown = chosen === undefined && value !== '';
  const { input, shown, isNone, ...typing } = useTypedText(
    choices,
    isUnknown ? '…' : (chosen?.label ?? ''),
    value,
    (id) => onChange({ target: { value: id } }),
  );
  useEffect(() => {
    // A form that is loaded after its dialog gets no focus from it. On a touch screen, the focus would open a keyboard over the list.
    if (isOpenAtFirst && matchMedia('(pointer: fine)').matches) input.current?.focus();
  }, [isOpenAtFirst, input]);
  return (
    <FieldFrame {...field} validate={() => (isNone ? NO_MATCH : required && value === '' ? CHOOSE_MESSAGE : null)}>
      <Combobox.Root
        items={items}
        value={isUnknown ? { value, label: '…' } : (chosen ?? null)}
        onValueChange={(item) => typing.choose(item?.value ?? '')}
        inputValue={shown}
        onInputValueChange={(text, { reason }) => reason === 'input-change' && typing.type(text)}
        isItemEqualToValue={(a, b) => a.value === b.value}
        limit={MAX_SHOWN}
        autoHighlight
        defaultOpen={isOpenAtFirst}
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
              <Combobox.Empty className={styles['empty']}>
                {items.length === 0 && shown === '' ? 'Nothing to choose from yet.' : 'No matches.'}
              </Combobox.Empty>
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

const NO_MATCH = 'No match. Choose one from the list.';

/**
 * The text that the user types into the field. As soon as it is the full name of a choice, this choice is selected. Until then
 * nothing is selected, so that a form never sends a choice that the field does not show.
 */
function useTypedText(choices: Choices, label: string, value: string, onChange: (id: string) => void) {
  const input = useRef<HTMLInputElement>(null);
  /** The typed text and the choice before typing; `undefined` while the field shows its choice. */
  const [typed, setTyped] = useState<{ text: string; before: string }>();
  const mark = () => {
    if (typed === undefined) input.current?.select();
  };
  // After a choice from the list, the text is selected again so that the user can type over it.
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
      onChange(findId(choices, text));
    },
    choose: (id: string) => {
      setTyped(undefined);
      onChange(id);
    },
    press: (event: KeyboardEvent & { preventBaseUIHandler: () => void }) => {
      const isOpen = event.currentTarget.getAttribute('aria-expanded') === 'true';
      // While the list is open, Enter belongs to the list. Without this, an empty list would let Enter submit the form.
      if (event.key === 'Enter' && isOpen) event.preventDefault();
      if (event.key !== 'Escape') return;
      if (typed !== undefined) {
        setTyped(undefined);
        onChange(typed.before);
        if (!isOpen) event.stopPropagation();
      }
      // Base UI would clear the choice.
      if (!isOpen) event.preventBaseUIHandler();
    },
  };
}

/** The id of the choice with this name; '' if no choice or several choices have it. */
function findId(choices: Choices, text: string): string {
  const name = text.trim().toLowerCase();
  const [found, ...others] = choices.filter(([, label]) => label.toLowerCase() === name);
  return found !== undefined && others.length === 0 ? found[0] : '';
}
