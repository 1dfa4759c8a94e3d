// Digests of texts: the ids of persisted operations, and the checksums of migrations.
import { createHash } from 'node:crypto';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
