// Shows the status records of a camera as a table that reads older records at its end.
import type { StatusRowFragment } from '../../generated/web-operations';
import { Badge } from '../parts/badge';
import { type Column, DataTable } from '../parts/data-table';
import { exactTime, formatDuration } from '../parts/formats';
import { Empty, Loaded, ProblemBox } from '../parts/loading-states';
import { formatPercent } from '../parts/numbers';
import { Section } from '../parts/page';
import type { Range } from './time-range';
import { useStatusRecords } from './use-status-records';

type Status = StatusRowFragment;

const COLUMNS: Column<Status>[] = [
  {
    head: 'Time',
    width: 'minmax(10rem, 2fr)',
    cell: ({ recordedAt }) => <time dateTime={recordedAt}>{exactTime(recordedAt)}</time>,
  },
  {
    head: 'State',
    width: 'minmax(5rem, 1fr)',
    cell: ({ online }) => <Badge tone={online ? 'good' : 'bad'}>{online ? 'Online' : 'Offline'}</Badge>,
  },
  {
    head: 'Battery',
    width: 'minmax(4rem, 1fr)',
    cell: ({ batteryPct }) => batteryPct !== null && formatPercent(batteryPct),
  },
  {
    head: 'Recording time left',
    width: 'minmax(6rem, 1fr)',
    cell: ({ videoRemainingSec }) => videoRemainingSec !== null && formatDuration(videoRemainingSec),
  },
  { head: 'Recording', width: 'minmax(6rem, 1fr)', cell: ({ recordingState }) => recordingState },
  { head: 'Mode', width: 'minmax(5rem, 1fr)', cell: ({ mode }) => mode },
  {
    head: 'Video',
    width: 'minmax(7rem, 1fr)',
    cell: ({ resolution, fps }) => [resolution, fps !== null && `${fps} fps`].filter(Boolean).join(', '),
  },
];

export function StatusRecords({ id, range }: { id: string; range: Range }) {
  const { newest, loaded, error, readOlder } = useStatusRecords(id, range);
  return (
    <Section title="Status records">
      <Loaded
        query={{ data: loaded, error: newest.error, refetch: newest.refetch }}
        what="the status records"
        rows={10}
      >
        {({ records, isComplete }) => (
          <>
            {records.length === 0 ? (
              <Empty>The camera sent no status in this time range.</Empty>
            ) : (
              <DataTable
                label="Status records"
                columns={COLUMNS}
                rows={records}
                getKey={({ id }) => id}
                onEnd={isComplete ? undefined : readOlder}
              />
            )}
            {error !== undefined && (
              <ProblemBox title="Could not load older status records" error={error} onRetry={() => void readOlder()} />
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
