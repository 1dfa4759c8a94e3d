// Sends the mutation of a form and returns its faults to the fields. If the answer was lost and the user saves again, the gateway
// writes only once.
import type { TypedDocumentNode } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useEffect, useRef, useState } from 'react';
import { faultsByMember, toProblem } from './problem';

export function useSaving() {
  const apollo = useApolloClient();
  const [isBusy, setBusy] = useState(false);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  /** The last attempt, until its answer arrives. */
  const unanswered = useRef<{ text: string; key: string } | undefined>(undefined);
  /**
   * @param fieldNames the names of fields whose members have other names
   * @returns the answer; undefined if the gateway rejected the input, which fills `faults`, or if the form was closed meanwhile
   */
  const save = async <Data, Variables extends Record<string, unknown>>(
    mutation: TypedDocumentNode<Data, Variables>,
    input: Variables | Promise<Variables>,
    fieldNames: Record<string, string> = {},
  ): Promise<Data | undefined> => {
    setBusy(true);
    try {
      const variables = await input;
      const text = JSON.stringify([mutation.loc?.source.body, variables]);
      // The gateway may have written although its answer was lost. With the same key it does not write a second time.
      if (unanswered.current?.text !== text) unanswered.current = { text, key: randomKey() };
      const context = { headers: { 'idempotency-key': unanswered.current.key } };
      const { data } = await apollo
        .mutate<Data, Record<string, unknown>>({ mutation, variables, context })
        .catch((error) => {
          if (toProblem(error).codes.length > 0) unanswered.current = undefined;
          throw error;
        });
      unanswered.current = undefined;
      setFaults({});
      return isShown.current ? data : undefined;
    } catch (error) {
      // The form moves the focus to the first fault when it gets a new object. So the faults must not be cleared before the request.
      const entries = Object.entries(faultsByMember(toProblem(error)));
      setFaults(Object.fromEntries(entries.map(([member, fault]) => [fieldNames[member] ?? member, fault])));
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return { save, isBusy, faults };
}

/** crypto.randomUUID exists only on HTTPS pages and on localhost. */
const randomKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-');
