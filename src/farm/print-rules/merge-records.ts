// Two records that turn out to be of one print: what they say together.
import { coursesTogether } from './course';
import type { RunningPrint } from './print.model';

/** The earlier record says what it was, the later one how far it is. */
export function together<Print extends RunningPrint>(before: RunningPrint, now: Print): Print {
  const begin = before.startedAt === null ? now : before;
  const progressed = now.progress === null ? before : now;
  return {
    ...now,
    externalId: before.externalId ?? now.externalId,
    name: before.name,
    filePath: before.filePath ?? now.filePath,
    startedAt: begin.startedAt,
    startedAtEstimated: begin.startedAtEstimated,
    plan: now.plan ?? before.plan,
    counter: now.counter ?? before.counter,
    progress: progressed.progress,
    progressBasis: progressed.progressBasis,
    layer:
      now.layer === null || before.layer === null ? (now.layer ?? before.layer) : Math.max(now.layer, before.layer),
    layers: now.layers ?? before.layers,
    course: coursesTogether(before.course, now.course),
    measured: now.measured.length > 0 ? now.measured : before.measured,
  };
}
