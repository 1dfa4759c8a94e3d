// Saving what a form holds: a mutation whose faults return to the fields. Pressed again after a lost answer, it writes once.
import type { TypedDocumentNode } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useEffect, useRef, useState } from 'react';
import { faultsByMember, problemOf } from './problem';

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
  /** The last attempt, while its answer is missing. */
  const unanswered = useRef<{ text: string; key: string } | undefined>(undefined);
  /** @returns undefined when the gateway refused it: then the faults say why. Also when the form was left meanwhile. */
  const save = async <Data, Variables extends Record<string, unknown>>(
    mutation: TypedDocumentNode<Data, Variables>,
    given: Variables | Promise<Variables>,
  ): Promise<Data | undefined> => {
    setBusy(true);
    try {
      const variables = await given;
      const text = JSON.stringify([mutation.loc?.source.body, variables]);
      // The gateway may have done a write whose answer was lost. The same key keeps it from doing the write twice.
      if (unanswered.current?.text !== text) unanswered.current = { text, key: randomKey() };
      const context = { headers: { 'idempotency-key': unanswered.current.key } };
      const { data } = await apollo
        .mutate<Data, Record<string, unknown>>({ mutation, variables, context })
        .catch((error) => {
          if (problemOf(error).codes.length > 0) unanswered.current = undefined;
          throw error;
        });
      unanswered.current = undefined;
      setFaults({});
      return isShown.current ? data : undefined;
    } catch (error) {
      // A new object: the form then moves the focus to the first fault. Faults that were cleared before would use that up.
      setFaults(faultsByMember(problemOf(error)));
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return { save, isBusy, faults };
}

/** Browsers give crypto.randomUUID to secure pages alone. */
const randomKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-');
