// A field for a temperature in whole degrees Celsius.
import type { FieldProps } from '../parts/form';
import { Field } from '../parts/form';

const MAX_C = 1000;

/** @returns `null` for an empty field */
export const toTemperature = (text: string): number | null => (text.trim() === '' ? null : Number(text));

interface TemperatureFieldProps extends Pick<FieldProps, 'name' | 'label'> {
  value: string;
  onChange: (event: { target: { value: string } }) => void;
}

export function TemperatureField({ value, onChange, ...field }: TemperatureFieldProps) {
  return (
    <Field
      {...field}
      isOptional
      inputMode="numeric"
      value={value}
      onChange={onChange}
      validate={() =>
        /^\s*\d{0,4}\s*$/.test(value) && Number(value) <= MAX_C ? null : `Enter a whole number from 0 to ${MAX_C}.`
      }
    />
  );
}
