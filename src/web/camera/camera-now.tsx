// Shows the latest status of a camera, and its settings.
import { Link } from 'react-router';
import type { CameraDetailsFragment } from '../../generated/web-operations';
import { Badge } from '../parts/badge';
import { Facts } from '../parts/facts';
import { formatDuration } from '../parts/formats';
import { Gauge } from '../parts/gauge';
import { Moment } from '../parts/moment';
import { formatPercent } from '../parts/numbers';
import { printerAddress } from '../parts/object-addresses';
import { batteryTone } from './battery-tone';
import { LIVENESS } from './camera-tones';
import { FutureRecordWarning } from './future-record';

/** Used if a camera has no interval. camera.limits.ts has the same numbers, and a test compares them. */
export const DEFAULT_INTERVAL_SEC = 300;
export const MAX_INTERVAL_SEC = 86_400;

export function CameraNow({ camera }: { camera: CameraDetailsFragment }) {
  const { lastStatus: status, printer, recordsPrints } = camera;
  const { tone, name } = LIVENESS[camera.liveness];
  return (
    <>
      <FutureRecordWarning recordedAt={status?.recordedAt} />
      <Facts
        facts={{
          State: <Badge tone={tone}>{name}</Badge>,
          'Last update': status && <Moment at={status.recordedAt} />,
          Battery: status?.batteryPct != null && (
            <Gauge
              label="Battery"
              value={status.batteryPct}
              text={formatPercent(status.batteryPct)}
              tone={batteryTone(status.batteryPct)}
            />
          ),
          'Recording time left': status?.videoRemainingSec != null && formatDuration(status.videoRemainingSec),
          Recording: status?.recordingState,
          Mode: status?.mode,
          Video:
            status?.resolution &&
            (status.fps === null ? status.resolution : `${status.resolution} at ${status.fps} fps`),
          Printer: printer && <Link to={printerAddress(printer.id)}>{printer.name}</Link>,
          'Should record every print': printer && (recordsPrints ? 'Yes' : 'No'),
          'Silent after': formatDuration(camera.expectedIntervalSec ?? DEFAULT_INTERVAL_SEC),
          'MAC address': camera.macAddress,
          Added: <Moment at={camera.createdAt} />,
        }}
      />
    </>
  );
}
