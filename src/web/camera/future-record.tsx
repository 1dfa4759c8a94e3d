// Warns beside the figures of a camera if its newest record is dated in the future: these figures can hide records that arrived later.
import { CLOCK_TOLERANCE_MS } from '../films/recorded-share';
import { Badge } from '../parts/badge';
import { exactTime } from '../parts/formats';
import { useNow } from '../parts/moment';
import styles from './camera.module.css';

/** `lastStatus` is the record with the latest time. The liveness ignores records in the future, so the two may disagree. */
const useIsInFuture = (recordedAt: string | undefined): boolean => {
  const now = useNow();
  return recordedAt !== undefined && Date.parse(recordedAt) > now + CLOCK_TOLERANCE_MS;
};

const describeFutureRecord = (recordedAt: string): string =>
  `This record is dated in the future (${exactTime(recordedAt)}). The camera’s clock may be wrong.`;

interface FutureRecordProps {
  /** The time of the camera's `lastStatus`. */
  recordedAt: string | undefined;
}

export function FutureRecordWarning({ recordedAt }: FutureRecordProps) {
  const isInFuture = useIsInFuture(recordedAt);
  return isInFuture && <p className={styles['message']}>{describeFutureRecord(recordedAt as string)}</p>;
}

/** The short form for lists. The title has the whole sentence. */
export function FutureRecordBadge({ recordedAt }: { recordedAt: string }) {
  const isInFuture = useIsInFuture(recordedAt);
  return (
    isInFuture && (
      <span title={describeFutureRecord(recordedAt)}>
        <Badge tone="warn">Dated in the future</Badge>
      </span>
    )
  );
}
