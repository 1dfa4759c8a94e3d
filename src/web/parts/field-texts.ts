// The texts of a form's fields: what the user has typed, and else what is stored.
import { useState } from 'react';

/** The properties of each of some fields, also in a form that has others too. */
export type BindOf<Name extends string> = (name: Name) => {
  name: string;
  value: string;
  onChange: (event: { target: { value: string } }) => void;
};

/**
 * Every member of an input as text, with the properties of a field for each. Fields that the user has not changed follow the
 * stored object, which another window may change.
 */
export function useTexts<Name extends string>(stored: Record<Name, string>) {
  const [edited, setEdited] = useState<Partial<Record<Name, string>>>({});
  const texts = { ...stored, ...edited };
  const isEdited = (Object.keys(edited) as Name[]).some((name) => edited[name] !== stored[name]);
  const bind = (name: Name) => ({
    name,
    value: texts[name],
    onChange: ({ target: { value } }: { target: { value: string } }) =>
      setEdited((before) => ({ ...before, [name]: value })),
  });
  /** For what arrives later: a text that the user has typed meanwhile stays. */
  const fillIn = (name: Name, value: string) =>
    setEdited((before) => ((before[name] ?? '') === '' ? { ...before, [name]: value } : before));
  return { texts, edited, isEdited, bind, fillIn };
}
