// The preview and the import of one list: what is asked of the gateway, and what it answered.
import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import {
  ImportStockDocument,
  type ImportStockMutation,
  type ImportStockMutationVariables,
} from '../../generated/web-operations';
import { type Problem, problemOf } from '../parts/problem';

export type Shown = ImportStockMutation['importStock'];
/** What decides what the rows of a list do. */
export type List = Pick<ImportStockMutationVariables, 'kind' | 'csv' | 'ignoreColumns' | 'addMaterials'>;

/** Rows of one answer. With all of them a gateway with little memory refuses a long list. */
const ROWS_OF_ANSWER = 500;

export function useImport() {
  const [answered, setAnswered] = useState<{ of: List; shown: Shown }>();
  const [refused, setRefused] = useState<{ of: List; problem: Problem }>();
  const [isBusy, setBusy] = useState(false);
  const apollo = useApolloClient();
  /** It sends no Idempotency-Key: a confirm is written once anyway, and the answer to a large file is too long to be stored with a key. */
  const ask = async (of: List, confirm: string | null, before: Shown['rows'] = []) => {
    setBusy(true);
    setRefused(undefined);
    try {
      const variables = { ...of, confirm, first: ROWS_OF_ANSWER, offset: before.length };
      const { data } = await apollo.mutate({ mutation: ImportStockDocument, variables, fetchPolicy: 'no-cache' });
      if (data) setAnswered({ of, shown: { ...data.importStock, rows: [...before, ...data.importStock.rows] } });
    } catch (error) {
      setRefused({ of, problem: problemOf(error) });
    } finally {
      setBusy(false);
    }
  };
  return {
    answered,
    refused,
    isBusy,
    preview: (of: List) => ask(of, null),
    more: () => answered && ask(answered.of, null, answered.shown.rows),
    write: () => answered && ask(answered.of, answered.shown.confirm),
  };
}

/** The columns of a list that the gateway does not know. */
export const unknownColumnsIn = ({ issues }: Problem): string[] =>
  issues.flatMap(({ path }) => (path[0] === 'csv' && path.length === 2 ? [String(path[1])] : []));
