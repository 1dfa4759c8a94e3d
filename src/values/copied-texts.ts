// Texts that people copy from a machine, a service or a page, without the characters around them; and fingerprints of certificates.
import { BadInput } from '../errors';
import { emptyAsNone, type Reader } from './members';
import { MAX_KEY_LENGTH, textUpTo } from './text';

/** Control characters, and such that nobody sees: they come with what is copied from a page. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const AROUND = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu;

/** A text that people copy from elsewhere: without the white space around it. The messages leave out the value, which may be secret. */
export function copiedText(length: number): (value: unknown, member: string) => string {
  const read = textUpTo(length);
  return (value, member) => {
    // The length first: for each run of white space, the search for its end begins anew.
    const text = read(value, member).replace(AROUND, '');
    if (INVISIBLE.test(text)) {
      throw new BadInput('must not contain line breaks, other control characters or invisible ones', member);
    }
    return text;
  };
}

const TEXT = copiedText(MAX_KEY_LENGTH);

/** White space alone is none. */
export const detail =
  (read: Reader<string> = TEXT): Reader<string | null | undefined> =>
  (value, member) =>
    emptyAsNone(read)(value == null ? value : TEXT(value, member), member);

export const readFingerprint: Reader<string> = (value, member) => {
  const text = value as string;
  if (!/^[0-9a-f]{2}(:?[0-9a-f]{2}){31}$/i.test(text)) {
    throw new BadInput('must be 64 hexadecimal digits, with or without colons between the bytes', member);
  }
  return text.replaceAll(':', '').toLowerCase();
};
