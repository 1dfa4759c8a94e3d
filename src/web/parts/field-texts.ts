// Holds the texts of the fields of a form: the text that the user typed, or else the stored value.
import { useState } from 'react';

/** Returns the properties of a field. A form may have more fields than a component that receives this function. */
export type BindField<Name extends string> = (name: Name) => {
  name: string;
  value: string;
  onChange: (event: { target: { value: string } }) => void;
};

/**
 * Holds every member of an input as text. Fields that the user has not edited follow the stored object, which another window may
 * change.
 */
export function useFieldTexts<Name extends string>(stored: Record<Name, string>) {
  const [edited, setEdited] = useState<Partial<Record<Name, string>>>({});
  const texts = { ...stored, ...edited };
  const isEdited = (Object.keys(edited) as Name[]).some((name) => edited[name] !== stored[name]);
  const bind = (name: Name) => ({
    name,
    value: texts[name],
    onChange: ({ target: { value } }: { target: { value: string } }) =>
      setEdited((before) => ({ ...before, [name]: value })),
  });
  /** Fills a field with a value that arrives later, unless the user has typed something meanwhile. */
  const fillIfEmpty = (name: Name, value: string) =>
    setEdited((before) => ((before[name] ?? '') === '' ? { ...before, [name]: value } : before));
  return { texts, edited, isEdited, bind, fillIn: fillIfEmpty };
}
