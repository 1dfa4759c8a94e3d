// Calculates the SHA-256 of a text, for the ids of persisted operations and the checksums of migrations.
import { hash } from 'node:crypto';

export const sha256 = (text: string): string => hash('sha256', text);
