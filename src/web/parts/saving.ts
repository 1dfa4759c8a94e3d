// What forms have in common: the texts of their fields, and a mutation whose faults return to the fields.
import type { TypedDocumentNode } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { faultsByMember, problemOf } from './problem';

/** Every member of an input as text, with what a field needs for each. */
export function useTexts<Name extends string>(initial: Record<Name, string>) {
  const [texts, setTexts] = useState(initial);
  const bind = (name: Name) => ({
    name,
    value: texts[name],
    onChange: ({ target: { value } }: { target: { value: string } }) =>
      setTexts((before) => ({ ...before, [name]: value })),
  });
  return { texts, bind };
}

export function useSaving() {
  const apollo = useApolloClient();
  const [isBusy, setBusy] = useState(false);
  const [faults, setFaults] = useState<Record<string, string>>({});
  /** @returns undefined when the gateway refused it: then the faults say why */
  const save = async <Data, Variables extends Record<string, unknown>>(
    mutation: TypedDocumentNode<Data, Variables>,
    variables: Variables,
  ): Promise<Data | undefined> => {
    setBusy(true);
    try {
      const { data } = await apollo.mutate<Data, Record<string, unknown>>({ mutation, variables });
      setFaults({});
      return data;
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
