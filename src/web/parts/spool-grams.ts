// Calculates the free grams of a spool, and formats the grams of spools.
import { formatGrams } from './numbers';

/** What remains after all queued and printing jobs. If it is negative, the spool is too short for them. */
export const freeGrams = ({ remainingGrams, plannedGrams }: { remainingGrams: string; plannedGrams: string }): number =>
  Number(remainingGrams) - Number(plannedGrams);

/** Always with two decimals, so that amounts are easy to compare. */
export const formatSpoolGrams = (value: string | number): string => formatGrams(Number(value).toFixed(2));
