// A field for a decimal, in the reader's way of writing it. Its value is the text that the gateway reads.
import { Field, type FieldProps } from './form';
import { withCommaExchanged } from './words';

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
      value={withCommaExchanged(value)}
      placeholder={placeholder && withCommaExchanged(placeholder)}
      onChange={({ target }) => onChange({ target: { value: withCommaExchanged(target.value) } })}
      hint={
        READABLE.test(value) ? hint : `Write it as ${withCommaExchanged('1234.5')}, without a sign between thousands.`
      }
    />
  );
}
