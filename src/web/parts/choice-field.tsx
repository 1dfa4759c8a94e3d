// A field with a list of choices, and a field for longer texts.
import type { ChangeEventHandler } from 'react';
import { Field } from './form';

interface BoundFieldProps {
  name: string;
  label: string;
  hint?: string;
  isOptional?: boolean;
  value: string;
  onChange: ChangeEventHandler<HTMLSelectElement & HTMLTextAreaElement>;
}

/**
 * @param choices the values with their names, in the order of the list
 * @param required the choice with the value '' is not accepted
 */
export function ChoiceField({
  choices,
  required = false,
  value,
  onChange,
  ...field
}: BoundFieldProps & { choices: readonly (readonly [value: string, name: string])[]; required?: boolean }) {
  const options = choices.map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));
  return (
    <Field
      {...field}
      value={value}
      validate={() => (required && value === '' ? CHOOSE_MESSAGE : null)}
      control={
        <select value={value} onChange={onChange} aria-required={required || undefined}>
          {options}
        </select>
      }
    />
  );
}

export const CHOOSE_MESSAGE = 'Choose an option.';

export function TextField({ value, onChange, ...field }: BoundFieldProps) {
  return <Field {...field} control={<textarea rows={3} value={value} onChange={onChange} />} />;
}
