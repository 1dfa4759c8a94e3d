// A field with choices, and one for longer texts.
import type { ChangeEventHandler } from 'react';
import { Field } from './form';

interface Bound {
  name: string;
  label: string;
  hint?: string;
  isOptional?: boolean;
  value: string;
  onChange: ChangeEventHandler<HTMLSelectElement & HTMLTextAreaElement>;
}

/**
 * @param choices the values with their names, in their order
 * @param required the choice with '' will not do
 */
export function ChoiceField({
  choices,
  required = false,
  value,
  onChange,
  ...field
}: Bound & { choices: readonly (readonly [value: string, name: string])[]; required?: boolean }) {
  const options = choices.map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));
  return (
    <Field
      {...field}
      value={value}
      faultOf={() => (required && value === '' ? CHOOSE : null)}
      control={
        <select value={value} onChange={onChange} aria-required={required || undefined}>
          {options}
        </select>
      }
    />
  );
}

export const CHOOSE = 'Choose an option.';

export function TextField({ value, onChange, ...field }: Bound) {
  return <Field {...field} control={<textarea rows={3} value={value} onChange={onChange} />} />;
}
