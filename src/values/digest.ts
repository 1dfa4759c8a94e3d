// Digests of texts: the ids of persisted operations, and short keys for long texts.
import { createHash } from 'node:crypto';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
