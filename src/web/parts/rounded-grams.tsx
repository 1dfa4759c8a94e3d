// Grams in a list: rounded, with the exact grams as the tooltip.
import { grams, roundedGrams } from './numbers';

export function RoundedGrams({ amount }: { amount: string }) {
  const [rounded, exact] = [roundedGrams(amount), grams(amount)];
  return <span {...(rounded !== exact && { title: exact })}>{rounded}</span>;
}
