// Shows the fields of a channel (a notification target, in the schema) with several values: its events and its printers. The form holds these values joined by commas.
import { Field as BaseField } from '@base-ui/react/field';
import { Button } from '../parts/button';
import form from '../parts/form.module.css';
import { printerChoices, selectableRows, usePrinters } from '../parts/object-choices';
import { SearchChoice } from '../parts/search-choice';
import { EVENT_CHOICES } from './notification-texts';
import styles from './notifications.module.css';

interface FieldProps {
  name: string;
  label: string;
  value: string;
  onChange: (event: { target: { value: string } }) => void;
}

export function EventsField({ name, label, value, onChange }: FieldProps) {
  const chosen = value.split(',').filter(Boolean);
  /** Keeps the order of EVENT_CHOICES: if the user undoes a choice, the text is the same as before and the form is unchanged. */
  const toggle = (event: string) =>
    Object.keys(EVENT_CHOICES).filter((name) => (name === event ? !chosen.includes(name) : chosen.includes(name)));
  return (
    <BaseField.Root name={name} render={<fieldset className={styles['several']} />}>
      <legend className={form['label']}>{label}</legend>
      {Object.entries(EVENT_CHOICES).map(([event, text]) => (
        <label key={event} className={form['check']}>
          <input
            type="checkbox"
            checked={chosen.includes(event)}
            onChange={() => onChange({ target: { value: toggle(event).join() } })}
          />
          <span>{text}</span>
        </label>
      ))}
      <BaseField.Error className={form['fault']} />
    </BaseField.Root>
  );
}

/** The field adds one printer at a time, and each chosen printer has a button that removes it. */
export function PrintersField({ name, label, value, onChange }: FieldProps) {
  const { data } = usePrinters();
  const ids = value.split(',').filter(Boolean);
  const printers = data?.printers.nodes ?? [];
  const choices = printerChoices(selectableRows(printers).filter(({ id }) => !ids.includes(id)));
  const choose = (chosen: string[]) => onChange({ target: { value: chosen.join() } });
  return (
    <div className={styles['several']}>
      <SearchChoice
        // A new key empties the field after each choice.
        key={ids.length}
        name={name}
        label={label}
        isOptional
        hint="Leave empty for all printers. Alerts that are not about a printer are always sent."
        choices={choices}
        value=""
        onChange={({ target }) => target.value !== '' && choose([...ids, target.value])}
        placeholder={ids.length === 0 ? 'All' : 'Add a printer …'}
      />
      {ids.length > 0 && (
        <ul className={styles['chosen']} aria-label="Selected printers">
          {printers
            .filter(({ id }) => ids.includes(id))
            .map(({ id, name }) => (
              <li key={id}>
                <span>{name}</span>
                <Button
                  kind="quiet"
                  aria-label={`Remove ${name}`}
                  onClick={() => choose(ids.filter((other) => other !== id))}
                >
                  ×
                </Button>
              </li>
            ))}
        </ul>
      )}
    </div>
  );
}
