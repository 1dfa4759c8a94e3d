// The fields of a channel (a notification target, in the schema) with several values, which are joined by commas: its events, and its printers.
import { Field as BaseField } from '@base-ui/react/field';
import { Button } from '../parts/button';
import form from '../parts/form.module.css';
import { offered, printerChoices, usePrinters } from '../parts/object-choices';
import { SearchChoice } from '../parts/search-choice';
import { EVENT_NAMES } from './notification-texts';
import styles from './notifications.module.css';

interface Bound {
  name: string;
  label: string;
  value: string;
  onChange: (event: { target: { value: string } }) => void;
}

export function EventsField({ name, label, value, onChange }: Bound) {
  const chosen = value.split(',').filter(Boolean);
  /** In their own order, so that a choice that is taken back is no change. */
  const turn = (event: string) =>
    Object.keys(EVENT_NAMES).filter((one) => (one === event ? !chosen.includes(one) : chosen.includes(one)));
  return (
    <BaseField.Root name={name} render={<fieldset className={styles['several']} />}>
      <legend className={form['label']}>{label}</legend>
      {Object.entries(EVENT_NAMES).map(([event, text]) => (
        <label key={event} className={form['check']}>
          <input
            type="checkbox"
            checked={chosen.includes(event)}
            onChange={() => onChange({ target: { value: turn(event).join() } })}
          />
          <span>{text}</span>
        </label>
      ))}
      <BaseField.Error className={form['fault']} />
    </BaseField.Root>
  );
}

/** One is chosen after the other; each has a button that takes it away. */
export function PrintersField({ name, label, value, onChange }: Bound) {
  const { data } = usePrinters();
  const ids = value.split(',').filter(Boolean);
  const printers = data?.printers.nodes ?? [];
  const choices = printerChoices(offered(printers).filter(({ id }) => !ids.includes(id)));
  const choose = (chosen: string[]) => onChange({ target: { value: chosen.join() } });
  return (
    <div className={styles['several']}>
      <SearchChoice
        // The field is empty again after each choice.
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
                  onClick={() => choose(ids.filter((one) => one !== id))}
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
