// A field for a decimal, in the reader's way of writing it. Its value is the text that the gateway reads.
import { Field, type FieldProps } from './form';
import { commaForPoint } from './numbers';

/** While it is typed, too: without digits after the point, or after the e. */
const READABLE = /^[+-]?\d*\.?\d*(e[+-]?\d*)?$/i;

interface DecimalFieldProps extends FieldProps {
  value: string;
  onChange: (event: { target: { value: string } }) => void;
}

export function DecimalField({ value, onChange, placeholder, hint, ...field }: DecimalFieldProps) {
  return (
    <Field
      {...field}
      inputMode="decimal"
      value={commaForPoint(value)}
      placeholder={placeholder && commaForPoint(placeholder)}
      onChange={({ target }) => onChange({ target: { value: commaForPoint(target.value) } })}
      hint={READABLE.test(value) ? hint : `Write it as ${commaForPoint('1234.5')}, without a sign between thousands.`}
    />
  );
}
