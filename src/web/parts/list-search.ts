// Searches loaded lists by the same rules as the gateway: upper and lower case and forms of Unicode do not matter.
import { findSearchedNumber } from '../../farm/inventory/inventory.texts';

export const containsText = (text: string, part: string): boolean => normalize(text).includes(normalize(part));

/**
 * Matches a spool or product: #12 finds only the number; digits find the number or a text with them; other searches find a part of
 * a text.
 */
export function matchesNumberOrText(
  number: number,
  texts: readonly (string | null | undefined)[],
  search: string,
): boolean {
  const text = search.trim();
  const onlyNumber = findSearchedNumber(text);
  if (onlyNumber !== undefined) return number === Number(onlyNumber);
  return text === String(number) || containsText(texts.filter(Boolean).join('\n'), text);
}

export const normalize = (text: string): string => text.normalize().toLowerCase();
