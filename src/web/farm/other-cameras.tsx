// Lists the cameras that are not assigned to a printer, because no tile shows them.
import { Link } from 'react-router';
import type { CameraRowFragment } from '../../generated/web-operations';
import { cameraAddress } from '../camera/camera-address';
import { LIVENESS } from '../camera/camera-tones';
import { Dot } from '../parts/dot';
import { compareNaturally } from '../parts/formats';
import { Section } from '../parts/page';
import styles from './farm.module.css';
import type { Printer } from './printer-job';

/** The page of all cameras shows the others. */
const MAX_SHOWN = 40;

interface OtherCamerasProps {
  cameras: readonly CameraRowFragment[];
  printers: readonly Printer[];
}

export function OtherCameras({ cameras, printers }: OtherCamerasProps) {
  const watching = new Set(printers.flatMap((printer) => printer.cameras.map(({ id }) => id)));
  const others = cameras
    .filter(({ id }) => !watching.has(id))
    .sort((a, b) => compareNaturally(a.friendlyName, b.friendlyName));
  if (others.length === 0) return null;
  return (
    <Section title="Other cameras" about={others.length}>
      <ul className={styles['others']} aria-label="Other cameras">
        {others.slice(0, MAX_SHOWN).map(({ id, friendlyName, liveness }) => (
          <li key={id}>
            <Link to={cameraAddress(id)}>
              <Dot tone={LIVENESS[liveness].tone} />
              <span>{`${friendlyName}: ${LIVENESS[liveness].name}`}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
