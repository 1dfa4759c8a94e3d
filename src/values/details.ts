// Details that people copy from a machine or a service: texts without what is around them, and fingerprints of certificates.
import { BadInput } from '../errors';
import { emptyAsNone, type Reader } from './members';
import { copiedText, MAX_KEY_LENGTH } from './text';

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
