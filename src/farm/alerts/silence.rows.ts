// The SQL of silences: whether one holds, and a silence as it is read.
import { memberOf, rowShape } from '../../database/rows';
import { Prisma } from '../../generated/prisma/client';
import { type AlertSilence, SEVERITY_OF } from './alert.types';

export const CRITICAL = Object.entries(SEVERITY_OF).flatMap(([kind, severity]) =>
  severity === 'CRITICAL' ? [kind] : [],
);

/** Whether the silence `s` still holds. It ends when its alert has become worse: CRITICAL, and it was not when it was silenced. */
export const holdsAt = (now: Prisma.Sql) =>
  Prisma.sql`((s.until is null or s.until > ${now}) and (s.severity = 'CRITICAL' or s.kind <> all(${CRITICAL}::text[])))`;

/** Whether the alert of a kind about the object with an id is silenced. */
export const isSilenced = (kind: Prisma.Sql, id: Prisma.Sql, now: Prisma.Sql) =>
  Prisma.sql`exists (select from alert_silences s where s.kind = ${kind} and s.object_id = ${id} and ${holdsAt(now)})`;

/** A silence `s`. */
export const SILENCE = rowShape<AlertSilence, 'by' | 'at'>(
  's',
  { until: 'timestamptz' },
  { by: memberOf('s.silenced_by', 'text'), at: memberOf('s.silenced_at', 'timestamptz') },
);
