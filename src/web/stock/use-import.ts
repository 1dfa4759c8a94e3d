// Previews and imports a list, and holds the answer of the gateway.
import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import {
  ImportStockDocument,
  type ImportStockMutation,
  type ImportStockMutationVariables,
} from '../../generated/web-operations';
import { type Problem, toProblem } from '../parts/problem';

export type ImportResult = ImportStockMutation['importStock'];
/** The input of a preview or import. */
export type ImportList = Pick<ImportStockMutationVariables, 'kind' | 'csv' | 'ignoreColumns' | 'addMaterials'>;

/** The rows of one answer. A gateway with little memory would refuse to return all rows of a long list at once. */
const PAGE_SIZE = 500;

export function useImport() {
  const [answer, setAnswer] = useState<{ list: ImportList; result: ImportResult }>();
  const [rejection, setRejection] = useState<{ list: ImportList; problem: Problem }>();
  const [isBusy, setBusy] = useState(false);
  const apollo = useApolloClient();
  /** Sends no Idempotency-Key: the gateway writes a confirmed list only once anyway, and the answer to a large file is too long to be stored with a key. */
  const request = async (list: ImportList, confirm: string | null, rowsBefore: ImportResult['rows'] = []) => {
    setBusy(true);
    setRejection(undefined);
    try {
      const variables = { ...list, confirm, first: PAGE_SIZE, offset: rowsBefore.length };
      const { data } = await apollo.mutate({ mutation: ImportStockDocument, variables, fetchPolicy: 'no-cache' });
      if (data) setAnswer({ list, result: { ...data.importStock, rows: [...rowsBefore, ...data.importStock.rows] } });
    } catch (error) {
      setRejection({ list, problem: toProblem(error) });
    } finally {
      setBusy(false);
    }
  };
  return {
    answer,
    rejection,
    isBusy,
    preview: (list: ImportList) => request(list, null),
    readMore: () => answer && request(answer.list, null, answer.result.rows),
    write: () => answer && request(answer.list, answer.result.confirm),
  };
}

/** The columns of a list that the gateway does not know. */
export const findUnknownColumns = ({ issues }: Problem): string[] =>
  issues.flatMap(({ path }) => (path[0] === 'csv' && path.length === 2 ? [String(path[1])] : []));
