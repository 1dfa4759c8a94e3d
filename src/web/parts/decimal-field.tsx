// A field for an amount, in the reader's way of writing it. Its value is the text that the gateway reads.
import { useState } from 'react';
import { Field, type FieldProps } from './form';
import { commaForPoint, decimalIn } from './numbers';

/** While it is typed, too: without digits after the point, or after the e. */
const READABLE = /^[+-]?\d*\.?\d*(e[+-]?\d*)?$/i;
const IS_DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

interface DecimalFieldProps extends Omit<FieldProps, 'faultOf'> {
  value: string;
  onChange: (event: { target: { value: string } }) => void;
  /** 0 will not do either. */
  isAboveZero?: boolean;
}

export function DecimalField({ value, onChange, placeholder, hint, isAboveZero = false, ...field }: DecimalFieldProps) {
  // The text as it is typed, also where the gateway reads another one: 1,5 on the way to 1,500 must not become 1.500.
  const [typed, setTyped] = useState('');
  return (
    <Field
      {...field}
      inputMode="decimal"
      value={decimalIn(typed) === value ? typed : commaForPoint(value)}
      placeholder={placeholder && commaForPoint(placeholder)}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange({ target: { value: decimalIn(target.value) } });
      }}
      onBlur={() => setTyped('')}
      hint={READABLE.test(value) ? hint : LIKE}
      faultOf={() => faultOf(value, isAboveZero)}
    />
  );
}

const LIKE = `Enter a number such as ${commaForPoint('1234.5')}, without separators between thousands.`;

function faultOf(value: string, isAboveZero: boolean): string | null {
  if (value === '') return null;
  if (!IS_DECIMAL.test(value)) return 'Enter a number.';
  if (isAboveZero && Number(value) <= 0) return 'Enter a number above 0.';
  return Number(value) < 0 ? 'Enter 0 or more.' : null;
}
