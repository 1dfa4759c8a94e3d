// Asks the user before a spool gets more grams than a full spool has. Such a weight is often a slip, such as a digit too many.
import { useRef } from 'react';
import { useConfirm } from '../parts/confirm';
import { add, isAbove } from '../parts/exact-decimals';
import { formatGrams } from '../parts/numbers';

/** Returns a function that asks at most once for the same weight, and returns whether the weight may be saved. */
export function useFullSpoolQuestion() {
  const confirm = useConfirm();
  const accepted = useRef('');
  /** @param fullGrams the net weight of the spool */
  return async (remainingGrams: string, fullGrams: string): Promise<boolean> => {
    // The same text for the same weight, also for a weight that was typed as 5e3 or +5000.
    const weight = add(remainingGrams, '0');
    if (!isAbove(weight, fullGrams) || accepted.current === weight) return true;
    const question = {
      title: 'More than a full spool',
      text: `That is more than a full spool (${formatGrams(fullGrams)}). Save ${formatGrams(weight)} anyway?`,
      action: 'Save anyway',
      dismiss: 'Correct the weight',
    };
    if (!(await confirm(question))) return false;
    accepted.current = weight;
    return true;
  };
}
