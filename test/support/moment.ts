// The moment of a request that is never over, for tests that call a service or a store.
import { randomUUID } from 'node:crypto';
import type { Moment } from '../../src/values/moment';

export const momentAt = (now: string): Moment => ({ now, end: Number.POSITIVE_INFINITY, newId: randomUUID });
