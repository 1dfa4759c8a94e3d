// One camera: what it last said, its last hours as plots, how much of them is known, and its records.
import { useQuery } from '@apollo/client/react';
import { Link, useParams } from 'react-router';
import { CameraPageDocument } from '../../generated/web-operations';
import { Page } from '../parts/page';
import { Empty, Loaded } from '../parts/states';
import { CameraNow } from './camera-now';
import { History } from './history';
import { useRange } from './range';
import { Records } from './records';

export function CameraPage() {
  const { id = '' } = useParams();
  const query = useQuery(CameraPageDocument, { variables: { id } });
  const camera = query.data?.camera;
  const range = useRange(camera?.lastStatus?.recordedAt);
  return (
    <Page title={camera?.friendlyName ?? 'Camera'} about={id}>
      <Loaded query={query} what="The camera" rows={12}>
        {({ camera }) =>
          camera === null ? (
            <Empty>
              There is no camera with this id. <Link to="/">Go to the farm</Link>
            </Empty>
          ) : (
            <>
              <CameraNow camera={camera} printer={camera.printer?.name} />
              <History camera={camera} range={range} />
              {/* Another range begins anew. */}
              <Records key={`${camera.id} ${range.key}`} id={camera.id} range={range} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
