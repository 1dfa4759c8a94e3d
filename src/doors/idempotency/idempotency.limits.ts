// The limits of idempotency keys.
import { MAX_KEY_LENGTH } from '../../values/text';

/** A key and its answer are stored for this time. */
export const KEY_HOURS = 24;
/** A key is a text of visible ASCII characters. */
export const KEY = new RegExp(`^[!-~]{1,${MAX_KEY_LENGTH}}$`);
/** Characters of an answer as JSON. 1,000 status records with every member have 300,000. */
export const MAX_ANSWER = 1_000_000;
