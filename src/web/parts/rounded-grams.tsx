// Grams in a list: rounded, with the exact grams as the tooltip.
import { formatGrams, roundedGrams } from './numbers';

export function RoundedGrams({ amount }: { amount: string }) {
  const [rounded, exact] = [roundedGrams(amount), formatGrams(amount)];
  return <span {...(rounded !== exact && { title: exact })}>{rounded}</span>;
}
