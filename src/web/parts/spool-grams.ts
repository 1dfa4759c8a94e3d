// The grams of a spool that no job is planned to use, and how the grams of spools are written.
import { grams } from './numbers';

/** What remains when all planned jobs are printed. Below 0 the spool is too short for them. */
export const freeGrams = ({ remainingGrams, plannedGrams }: { remainingGrams: string; plannedGrams: string }): number =>
  Number(remainingGrams) - Number(plannedGrams);

/** Each has two decimals, so that they can be compared. */
export const toGrams = (value: string | number): string => grams(Number(value).toFixed(2));
