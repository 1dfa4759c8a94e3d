// Lists all cameras of the farm, with filters that are kept in the address.
import { useQuery } from '@apollo/client/react';
import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import {
  type CameraDetailsFragment,
  type CameraRowFragment,
  FarmDocument,
  LivenessDocument,
} from '../../generated/web-operations';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { type Column, DataTable } from '../parts/data-table';
import { useEditor } from '../parts/editor';
import { ChoiceFilter, Filters, SearchFilter, useFilters } from '../parts/filters';
import { compareNaturally, formatDuration } from '../parts/formats';
import { Gauge } from '../parts/gauge';
import { containsText } from '../parts/list-search';
import { Empty, Loaded } from '../parts/loading-states';
import { Moment } from '../parts/moment';
import { formatPercent } from '../parts/numbers';
import { Page } from '../parts/page';
import { POLLING } from '../parts/poll-interval';
import { useMayWrite } from '../parts/use-viewer';
import { batteryTone } from './battery-tone';
import styles from './camera.module.css';
import { cameraAddress } from './camera-address';
import CameraEditor from './camera-editor';
import { LIVENESS } from './camera-tones';
import { FutureRecordBadge } from './future-record';

type Camera = CameraRowFragment;

const COLUMNS: Column<Camera>[] = [
  {
    head: 'Camera',
    width: 'minmax(10rem, 3fr)',
    cell: ({ id, friendlyName }) => (
      <>
        <Link to={cameraAddress(id)}>{friendlyName}</Link>
        <span className={styles['id']}>{id}</span>
      </>
    ),
  },
  {
    head: 'State',
    width: 'minmax(6rem, 1fr)',
    cell: ({ liveness }) => <Badge tone={LIVENESS[liveness].tone}>{LIVENESS[liveness].name}</Badge>,
  },
  {
    head: 'Battery',
    width: 'minmax(7rem, 1fr)',
    cell: ({ lastStatus }) =>
      lastStatus?.batteryPct != null && (
        <Gauge
          label="Battery"
          value={lastStatus.batteryPct}
          text={formatPercent(lastStatus.batteryPct)}
          tone={batteryTone(lastStatus.batteryPct)}
        />
      ),
  },
  {
    head: 'Recording time left',
    width: 'minmax(6rem, 1fr)',
    cell: ({ lastStatus }) => lastStatus?.videoRemainingSec != null && formatDuration(lastStatus.videoRemainingSec),
  },
  {
    head: 'Recording',
    width: 'minmax(6rem, 1fr)',
    cell: ({ lastStatus }) => lastStatus?.recordingState,
  },
  {
    head: 'Last update',
    width: 'minmax(7rem, 1fr)',
    cell: ({ lastStatus }) =>
      lastStatus && (
        <>
          <Moment at={lastStatus.recordedAt} />
          <FutureRecordBadge recordedAt={lastStatus.recordedAt} />
        </>
      ),
  },
];

const STATE_CHOICES = {
  '': 'All',
  ...Object.fromEntries(Object.entries(LIVENESS).map(([state, { name }]) => [state, name])),
};

export function CamerasPage() {
  const query = useQuery(FarmDocument);
  const mayWrite = useMayWrite();
  // This query updates the liveness in the cache, where the rows read it. The first query already has the first values.
  useQuery(LivenessDocument, { ...POLLING, skip: query.data === undefined, fetchPolicy: 'cache-first' });
  const cameras = query.data?.cameras.nodes;
  const live = cameras?.filter(({ liveness }) => liveness === 'LIVE').length;
  return (
    <Page title="Cameras" about={cameras && `${live} of ${cameras.length} live`} actions={mayWrite && <AddCamera />}>
      <Loaded query={query} what="the cameras" rows={12}>
        {({ cameras: { nodes } }) => <CameraList cameras={nodes} />}
      </Loaded>
    </Page>
  );
}

function CameraList({ cameras }: { cameras: readonly Camera[] }) {
  const [getFilter] = useFilters();
  const mayWrite = useMayWrite();
  const [search, state] = [getFilter('search'), getFilter('state')];
  const sorted = useMemo(
    () => [...cameras].sort((a, b) => compareNaturally(a.friendlyName, b.friendlyName)),
    [cameras],
  );
  const rows = sorted.filter(
    (camera) =>
      containsText(`${camera.friendlyName}\n${camera.id}`, search) && (state === '' || camera.liveness === state),
  );
  if (cameras.length === 0) {
    return (
      <Empty action={mayWrite && <AddCamera isFirst />}>
        Your cameras appear here, with their batteries, their recordings and the prints that they watch.
      </Empty>
    );
  }
  return (
    <>
      <Filters>
        <SearchFilter label="Search by name or ID" />
        <ChoiceFilter label="State" name="state" choices={STATE_CHOICES} />
      </Filters>
      {rows.length === 0 ? (
        <Empty>No cameras match these filters.</Empty>
      ) : (
        <DataTable label="Cameras" columns={COLUMNS} rows={rows} getKey={({ id }) => id} />
      )}
    </>
  );
}

/** Opens the page of the new camera, which shows what is still missing. */
function AddCamera({ isFirst = false }: { isFirst?: boolean }) {
  const editor = useEditor<CameraDetailsFragment>();
  const navigate = useNavigate();
  return (
    <>
      <Button kind="main" onClick={() => editor.open()}>
        {isFirst ? 'Add your first camera' : 'Add a camera'}
      </Button>
      <CameraEditor editor={editor} onCreated={({ id }) => void navigate(cameraAddress(id))} />
    </>
  );
}
