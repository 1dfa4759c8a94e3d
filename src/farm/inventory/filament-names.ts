// Lists the names that a filament may get, because two filaments of a vendor have different names.
import { MAX_KEY_LENGTH } from '../../values/text';

/** The material of a filament of which another program does not know the material. */
export const UNKNOWN_MATERIAL = 'Unknown';

/**
 * The names that a filament may get, the best first.
 * @param additions texts that are added one after the other, while another filament has the name
 */
export function listFilamentNames(wanted: string, additions: readonly string[]): string[] {
  const names = [wanted];
  for (const more of additions) {
    const shortened = (names.at(-1) as string).slice(0, MAX_KEY_LENGTH - more.length - 1);
    names.push(`${shortened} ${more}`);
  }
  return names;
}
