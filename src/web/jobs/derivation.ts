// Calculates weight and cost of the values in the job form. The gateway does the calculation.
import { skipToken, useApolloClient, useQuery } from '@apollo/client/react';
import { DerivedFilamentDocument, type DerivedFilamentQueryVariables } from '../../generated/web-operations';
import { toProblem } from '../parts/problem';
import { useDebounced } from '../parts/use-debounced';

/** @param input `null` while there is nothing to calculate from */
export function useDerivation(input: DerivedFilamentQueryVariables | null) {
  const apollo = useApolloClient();
  const settled = useDebounced(input);
  const { data, previousData, error } = useQuery(DerivedFilamentDocument, settled ? { variables: settled } : skipToken);
  return {
    derivation: settled && !error ? (data ?? previousData)?.deriveFilament : undefined,
    problem: error && toProblem(error).message,
    /** The cost of the current values in the form; undefined if the spool has no price. */
    fetchCost: async () => {
      if (input === null) return undefined;
      const query = {
        query: DerivedFilamentDocument,
        variables: input,
        fetchPolicy: 'network-only',
        // A pending answer may be older than the price.
        context: { queryDeduplication: false },
      } as const;
      try {
        return (await apollo.query(query)).data?.deriveFilament.cost ?? undefined;
      } catch (error) {
        // The gateway will reject a job with these values too, and report the faults at its fields.
        if (toProblem(error).codes.includes('BAD_USER_INPUT')) return undefined;
        throw error;
      }
    },
  };
}
