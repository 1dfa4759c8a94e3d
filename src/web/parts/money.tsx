// A price or a cost, with the currency of the farm where it names one.

import { exactMoney, money } from './numbers';
import { useCurrency } from './use-viewer';

/** Writes an amount; for texts with more than an amount. */
export function useMoney(): (text: string) => string {
  const currency = useCurrency();
  return (text) => money(text, currency);
}

/** Writes an amount with all digits: where the figure itself is looked at. */
export function useExactMoney(): (text: string) => string {
  const currency = useCurrency();
  return (text) => exactMoney(text, currency);
}

export const Money = ({ of }: { of: string }) => <span>{useMoney()(of)}</span>;

/** The label of a field for an amount: "Cost in EUR". */
export function useAmountLabel(label: string): string {
  const currency = useCurrency();
  return currency === null ? label : `${label} in ${currency}`;
}
