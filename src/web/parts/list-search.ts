// The search of lists that are here already, as the gateway searches: in any case and any form of Unicode.
import { findSearchedNumber } from '../../farm/inventory/inventory.texts';

export const containsText = (text: string, part: string): boolean => plain(text).includes(plain(part));

/** A spool or filament: #12 finds the number alone, digits find it too, and all else is a part of one of the texts. */
export function findsNumbered(number: number, texts: readonly (string | null | undefined)[], search: string): boolean {
  const text = search.trim();
  const alone = findSearchedNumber(text);
  if (alone !== undefined) return number === Number(alone);
  return text === String(number) || containsText(texts.filter(Boolean).join('\n'), text);
}

const plain = (text: string) => text.normalize().toLowerCase();
