// All cameras of the farm, with filters that live in the address.
import { lazy, Suspense, useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import type { CameraDetailsFragment, CameraRowFragment } from '../../generated/web-operations';
import { cameraAddress } from '../camera/address';
import { batteryTone, LIVENESS } from '../camera/camera-state';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { type Column, DataTable } from '../parts/data-table';
import { useEditor } from '../parts/editor';
import { ChoiceFilter, Filters, SearchFilter, useFilters } from '../parts/filters';
import { Gauge } from '../parts/gauge';
import { Moment } from '../parts/moment';
import { percent } from '../parts/numbers';
import { Section } from '../parts/page';
import { containsText } from '../parts/search';
import { Empty } from '../parts/states';
import { useMayWrite } from '../parts/viewer';
import { duration, inNaturalOrder } from '../parts/words';
import styles from './farm.module.css';

const CameraEditor = lazy(() => import('../camera/camera-editor'));

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
          text={percent(lastStatus.batteryPct)}
          tone={batteryTone(lastStatus.batteryPct)}
        />
      ),
  },
  {
    head: 'Video left',
    width: 'minmax(5rem, 1fr)',
    cell: ({ lastStatus }) => lastStatus?.videoRemainingSec != null && duration(lastStatus.videoRemainingSec),
  },
  {
    head: 'Recording',
    width: 'minmax(6rem, 1fr)',
    cell: ({ lastStatus }) => lastStatus?.recordingState,
  },
  {
    head: 'Last heard of',
    width: 'minmax(7rem, 1fr)',
    cell: ({ lastStatus }) => lastStatus && <Moment at={lastStatus.recordedAt} />,
  },
];

const STATE_CHOICES = {
  '': 'All',
  ...Object.fromEntries(Object.entries(LIVENESS).map(([state, { name }]) => [state, name])),
};

export function Cameras({ cameras }: { cameras: readonly Camera[] }) {
  const [of] = useFilters();
  const [search, state] = [of('search'), of('state')];
  const sorted = useMemo(
    () => [...cameras].sort((one, other) => inNaturalOrder(one.friendlyName, other.friendlyName)),
    [cameras],
  );
  const rows = sorted.filter(
    (camera) =>
      containsText(`${camera.friendlyName}\n${camera.id}`, search) && (state === '' || camera.liveness === state),
  );
  const mayWrite = useMayWrite();
  const live = cameras.filter(({ liveness }) => liveness === 'LIVE').length;
  return (
    <Section title="Cameras" about={`${live} of ${cameras.length} live`} actions={mayWrite && <AddCamera />}>
      {cameras.length === 0 ? (
        <Empty>
          <span>{'No cameras yet. '}</span>
          <Link to="/start">See how to begin</Link>
        </Empty>
      ) : (
        <>
          <Filters>
            <SearchFilter label="Search by name or id" />
            <ChoiceFilter label="State" name="state" choices={STATE_CHOICES} />
          </Filters>
          {rows.length === 0 ? (
            <Empty>No camera fits these filters.</Empty>
          ) : (
            <DataTable label="Cameras" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
          )}
        </>
      )}
    </Section>
  );
}

/** The page of the new camera shows its missing data. */
function AddCamera() {
  const editor = useEditor<CameraDetailsFragment>();
  const navigate = useNavigate();
  return (
    <>
      <Button onClick={() => editor.open()}>Add a camera</Button>
      <Suspense>
        {editor.wasOpen && <CameraEditor editor={editor} onCreated={({ id }) => void navigate(cameraAddress(id))} />}
      </Suspense>
    </>
  );
}
