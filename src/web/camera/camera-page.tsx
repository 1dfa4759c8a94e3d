// Shows one camera: its latest status, its history, its availability, the prints that it watched, and its status records.
import { useQuery } from '@apollo/client/react';
import { Link, useLocation, useNavigate } from 'react-router';
import { type CameraDetailsFragment, CameraPageDocument } from '../../generated/web-operations';
import { DeviceSection } from '../devices/device';
import { Button } from '../parts/button';
import { useEditor } from '../parts/editor';
import { Empty, Loaded } from '../parts/loading-states';
import { Page } from '../parts/page';
import { POLLING } from '../parts/poll-interval';
import { useMayWrite } from '../parts/use-viewer';
import { CAMERAS_ADDRESS, parseCameraId } from './camera-address';
import CameraEditor from './camera-editor';
import { CameraHistory } from './camera-history';
import { CameraNow } from './camera-now';
import { CamerasPage } from './cameras-page';
import { StatusRecords } from './status-records';
import { useRange } from './time-range';
import { WatchedPrints } from './watched-prints';

/** Without an id in the address, the page lists all cameras. */
export function CameraPage() {
  const id = parseCameraId(useLocation());
  return id === '' ? <CamerasPage /> : <SingleCamera id={id} />;
}

function SingleCamera({ id }: { id: string }) {
  const query = useQuery(CameraPageDocument, { ...POLLING, variables: { id } });
  const camera = query.data?.camera;
  const range = useRange(camera?.lastStatus?.recordedAt);
  const editor = useEditor<CameraDetailsFragment>();
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  return (
    <>
      <p>
        <Link to={CAMERAS_ADDRESS}>All cameras</Link>
      </p>
      <Page
        title={camera?.friendlyName ?? (query.data ? 'Camera not found' : 'Camera')}
        about={id}
        actions={mayWrite && camera && <Button onClick={() => editor.open(camera)}>Edit camera</Button>}
      >
        <Loaded query={query} what="the camera" rows={12}>
          {({ camera }) =>
            camera === null ? (
              <Empty>
                <span>{'This camera was removed, or the link is wrong. '}</span>
                <Link to={CAMERAS_ADDRESS}>See all cameras</Link>
              </Empty>
            ) : (
              <>
                <CameraNow camera={camera} />
                {/* Above the sections that load later, because they would move these buttons while the user clicks. */}
                <DeviceSection owner={{ type: 'camera', id: camera.id }} device={camera.device} />
                <CameraHistory camera={camera} range={range} />
                <WatchedPrints id={camera.id} />
                {/* A new key discards the records of the previous range. */}
                <StatusRecords key={`${camera.id} ${range.key}`} id={camera.id} range={range} />
              </>
            )
          }
        </Loaded>
        <CameraEditor editor={editor} onRemoved={() => void navigate(CAMERAS_ADDRESS)} />
      </Page>
    </>
  );
}
