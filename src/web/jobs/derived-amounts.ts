// Grams and cost of the values in a form, by the gateway's rules.
import { skipToken, useApolloClient, useQuery } from '@apollo/client/react';
import { DerivedFilamentDocument, type DerivedFilamentQueryVariables } from '../../generated/web-operations';
import { useDebounced } from '../parts/debounced';
import { problemOf } from '../parts/problem';

/** @param given null: there is nothing to derive from yet */
export function useDerived(given: DerivedFilamentQueryVariables | null) {
  const apollo = useApolloClient();
  const settled = useDebounced(given);
  const { data, previousData, error } = useQuery(DerivedFilamentDocument, settled ? { variables: settled } : skipToken);
  return {
    derivation: settled && !error ? (data ?? previousData)?.deriveFilament : undefined,
    problem: error && problemOf(error).message,
    /** The cost of the values in the form; undefined where the spool has no price. */
    costNow: async () => {
      if (given === null) return undefined;
      const query = {
        query: DerivedFilamentDocument,
        variables: given,
        fetchPolicy: 'network-only',
        // An answer on its way to the page may be older than the price.
        context: { queryDeduplication: false },
      } as const;
      try {
        return (await apollo.query(query)).data?.deriveFilament.cost ?? undefined;
      } catch (error) {
        // The gateway refuses a job of these values too, and says so at its fields.
        if (problemOf(error).codes.includes('BAD_USER_INPUT')) return undefined;
        throw error;
      }
    },
  };
}
