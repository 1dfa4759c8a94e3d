// One camera: its latest status, its last hours as plots, how much of them is known, and its records.
import { useQuery } from '@apollo/client/react';
import { Link, useLocation, useNavigate } from 'react-router';
import { type CameraDetailsFragment, CameraPageDocument } from '../../generated/web-operations';
import { DeviceOf } from '../devices/device';
import { Button } from '../parts/button';
import { useEditor } from '../parts/editor';
import { Empty, Loaded } from '../parts/loading-states';
import { Page } from '../parts/page';
import { POLLING } from '../parts/poll-interval';
import { useMayWrite } from '../parts/use-viewer';
import { CAMERAS, cameraIn } from './camera-address';
import CameraEditor from './camera-editor';
import { History } from './camera-history';
import { CameraNow } from './camera-now';
import { CamerasPage } from './cameras-page';
import { Records } from './status-records';
import { useRange } from './time-range';
import { WatchedPrints } from './watched-prints';

/** Without an id it is the page of all. */
export function CameraPage() {
  const id = cameraIn(useLocation());
  return id === '' ? <CamerasPage /> : <OneCamera id={id} />;
}

function OneCamera({ id }: { id: string }) {
  const query = useQuery(CameraPageDocument, { ...POLLING, variables: { id } });
  const camera = query.data?.camera;
  const range = useRange(camera?.lastStatus?.recordedAt);
  const editor = useEditor<CameraDetailsFragment>();
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  return (
    <>
      <p>
        <Link to={CAMERAS}>All cameras</Link>
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
                <Link to={CAMERAS}>See all cameras</Link>
              </Empty>
            ) : (
              <>
                <CameraNow camera={camera} />
                {/* Above what arrives later, and would move its buttons under a click. */}
                <DeviceOf owner={{ is: 'camera', id: camera.id }} device={camera.device} />
                <History camera={camera} range={range} />
                <WatchedPrints id={camera.id} />
                {/* Another range begins anew. */}
                <Records key={`${camera.id} ${range.key}`} id={camera.id} range={range} />
              </>
            )
          }
        </Loaded>
        <CameraEditor editor={editor} onRemoved={() => void navigate(CAMERAS)} />
      </Page>
    </>
  );
}
