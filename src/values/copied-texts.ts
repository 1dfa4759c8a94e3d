// Reads texts that users copy from a machine, a service or a page, such as keys and fingerprints, without the white space around them.
import { BadInput } from '../errors';
import { emptyAsNull, type Reader } from './members';
import { MAX_KEY_LENGTH, textUpTo } from './text';

/** Control characters and invisible characters, which often come with a text that is copied from a page. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const AROUND = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu;

/** Reads a copied text without the white space around it. The messages do not show the text, because it may be secret. */
export function copiedText(length: number): (value: unknown, member: string) => string {
  const read = textUpTo(length);
  return (value, member) => {
    // The length is checked first, because AROUND searches again from every run of white space, which takes long in a long text.
    const text = read(value, member).replace(AROUND, '');
    if (INVISIBLE.test(text)) {
      throw new BadInput(
        'must not contain line breaks, control characters or invisible characters. Type the text instead of pasting it',
        member,
      );
    }
    return text;
  };
}

const TEXT = copiedText(MAX_KEY_LENGTH);

/** Reads an optional copied text. A text with only white space counts as empty. */
export const optionalCopiedText =
  (read: Reader<string> = TEXT): Reader<string | null | undefined> =>
  (value, member) =>
    emptyAsNull(read)(value == null ? value : TEXT(value, member), member);

export const readFingerprint: Reader<string> = (value, member) => {
  const text = value as string;
  if (!/^[0-9a-f]{2}(:?[0-9a-f]{2}){31}$/i.test(text)) {
    throw new BadInput('must be 64 hexadecimal digits, with or without colons between the bytes', member);
  }
  return text.replaceAll(':', '').toLowerCase();
};
