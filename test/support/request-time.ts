// The time of a request that never expires, for tests that call a service or a store.
import { randomUUID } from 'node:crypto';
import type { RequestTime } from '../../src/values/request-time';

export const requestAt = (now: string): RequestTime => ({ now, deadline: Number.POSITIVE_INFINITY, newId: randomUUID });
