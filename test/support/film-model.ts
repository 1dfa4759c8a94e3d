// Computes what cameras recorded of a print by a walk over each millisecond: a different method than the statement of src/farm/filming.

export interface SceneRecord {
  at: number;
  online: boolean;
  state: string | null;
}

export interface SceneWatch {
  printer: string;
  from: number;
  to: number | null;
}

export interface SceneCamera {
  id: string;
  intervalSec: number | null;
  /** In the order in which they were stored. */
  records: SceneRecord[];
  watches: SceneWatch[];
}

export interface SceneJob {
  printer: string;
  from: number;
  to: number;
}

const instant = (ms: number) => new Date(ms).toISOString();

/** The filming of a job as the graph shows it. @param deletedUntil the time up to which the log was deleted */
export function walkFilms(job: SceneJob, cameras: readonly SceneCamera[], deletedUntil: number) {
  return cameras
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap((camera) => walkFilm(job, camera, deletedUntil) ?? []);
}

function walkFilm({ printer, from: begin, to: end }: SceneJob, camera: SceneCamera, deletedUntil: number) {
  const validMs = (camera.intervalSec ?? 300) * 1000;
  const isWatching = (at: number) =>
    camera.watches.some(
      (watch) => watch.printer === printer && watch.from <= at && (watch.to === null || at < watch.to),
    );
  const speakerAt = (at: number) => {
    let speaker: SceneRecord | undefined;
    for (const record of camera.records) if (record.at <= at && (!speaker || record.at >= speaker.at)) speaker = record;
    return speaker && at < speaker.at + validMs ? speaker : undefined;
  };
  const wordAt = (at: number) => {
    const speaker = speakerAt(at);
    // A deleted record may have counted for an interval.
    if (!speaker) return at < deletedUntil + validMs ? 'LOG_DELETED' : 'SILENT';
    if (!speaker.online) return 'OFFLINE';
    return speaker.state?.toLowerCase() === 'recording' ? null : 'NOT_RECORDING';
  };
  const watched: number[] = [];
  const gaps: { from: number; to: number; reason: string }[] = [];
  let recorded = 0;
  for (let at = begin; at < end; at += 1) {
    if (!isWatching(at)) continue;
    watched.push(at);
    const reason = wordAt(at);
    const last = gaps.at(-1);
    if (reason === null) recorded += 1;
    else if (last?.to === at && last.reason === reason) last.to = at + 1;
    else gaps.push({ from: at, to: at + 1, reason });
  }
  if (watched.length === 0 && !(begin === end && isWatching(begin))) return undefined;
  const [from, to] = [watched[0] ?? begin, (watched.at(-1) ?? begin - 1) + 1];
  const before = speakerAt(from);
  const recordTimes = camera.records.map(({ at }) => at).filter((at) => from <= at && at < to);
  if (before && before.at < from) recordTimes.push(before.at);
  const points = [...recordTimes, from, to].sort((a, b) => a - b);
  const apart = points.map((at, n) => at - (points[n - 1] ?? at));
  const byLength = gaps.toSorted((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
  const shown = new Set(byLength.slice(0, 100));
  const lost = byLength.slice(100).reduce((sum, gap) => sum + gap.to - gap.from, 0);
  return {
    cameraId: camera.id,
    from: instant(from),
    to: instant(to),
    windowSec: watched.length / 1000,
    recordedSec: recorded / 1000,
    share: watched.length === 0 ? 0 : recorded / watched.length,
    resolutionSec: recordTimes.length === 0 ? null : Math.max(...apart) / 1000,
    gaps: gaps.filter((gap) => shown.has(gap)).map((gap) => ({ ...gap, from: instant(gap.from), to: instant(gap.to) })),
    otherGapsSec: lost / 1000,
  };
}
