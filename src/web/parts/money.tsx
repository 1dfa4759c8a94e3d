// Formats prices and costs with the currency of the farm, if one is set.
import { exactMoney, money } from './numbers';
import { useCurrency } from './use-viewer';

/** Returns a function that formats an amount, for texts that contain more than the amount. */
export function useMoney(): (text: string) => string {
  const currency = useCurrency();
  return (text) => money(text, currency);
}

/** Returns a function that formats an amount with all stored digits, for pages that show how it was calculated. */
export function useExactMoney(): (text: string) => string {
  const currency = useCurrency();
  return (text) => exactMoney(text, currency);
}

export const Money = ({ amount }: { amount: string }) => <span>{useMoney()(amount)}</span>;

/** The label of a field for an amount: "Cost in EUR". */
export function useAmountLabel(label: string): string {
  const currency = useCurrency();
  return currency === null ? label : `${label} in ${currency}`;
}
