// A field for a decimal number in the user's notation. Its value is the text that the gateway reads, with a decimal point.
import { useState } from 'react';
import {
  hasThousandsMarks,
  isCurrency,
  mayHaveThousandsMark,
  removeThousandsMarks,
  splitUnit,
  writePrice,
} from '../../farm/stock/number-remedies';
import { Field, type FieldProps } from './form';
import { parseDecimal, swapSeparators, usesDecimalComma } from './numbers';

/** A number that may still be incomplete while it is typed, such as `1.` or `1e`. */
const IS_UNFINISHED_DECIMAL = /^[+-]?\d*\.?\d*(e[+-]?\d*)?$/i;
const IS_DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

interface DecimalFieldProps extends Omit<FieldProps, 'faultOf'> {
  value: string;
  onChange: (event: { target: { value: string } }) => void;
  /** Also rejects 0. */
  mustBePositive?: boolean;
}

export function DecimalField({
  value,
  onChange,
  placeholder,
  hint,
  mustBePositive = false,
  ...field
}: DecimalFieldProps) {
  // The text exactly as typed. Without it, 1,5 on the way to 1,500 would be rewritten while the user is typing.
  const [typed, setTyped] = useState('');
  return (
    <Field
      {...field}
      inputMode="decimal"
      value={parseDecimal(typed) === value ? typed : swapSeparators(value)}
      placeholder={placeholder && swapSeparators(placeholder)}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange({ target: { value: parseDecimal(target.value) } });
      }}
      onBlur={() => setTyped('')}
      hint={IS_UNFINISHED_DECIMAL.test(value) ? hint : EXAMPLE_HINT}
      validate={() => validate(value, mustBePositive)}
    />
  );
}

const EXAMPLE_HINT = `Enter a number such as ${swapSeparators('1234.5')}, without separators between thousands.`;

function validate(value: string, mustBePositive: boolean): string | null {
  if (value === '') return null;
  if (!IS_DECIMAL.test(value)) return explainNotNumber(swapSeparators(value));
  if (mustBePositive && Number(value) <= 0) return 'Enter a number above 0.';
  return Number(value) < 0 ? 'Enter 0 or more.' : null;
}

/** @param typed the text as the user typed it */
function explainNotNumber(typed: string): string {
  const mark = usesDecimalComma ? ',' : '.';
  const { number, unit } = splitUnit(typed) ?? {};
  if (number !== undefined && unit !== undefined)
    return `"${typed}" is not a number. Write ${isCurrency(unit) ? writePrice(number, mark) : number}.`;
  if (mayHaveThousandsMark(typed)) {
    const [whole, decimals] = typed.split(/[.,]/);
    return `"${typed}" can be ${whole}${decimals} or ${whole}${mark}${decimals}. Write ${whole}${decimals} or ${whole}${mark}${decimals}0.`;
  }
  return hasThousandsMarks(typed)
    ? `"${typed}" has a separator between thousands. Write ${removeThousandsMarks(typed)}.`
    : `"${typed}" is not a number. Write one such as ${swapSeparators('12.5')}.`;
}
