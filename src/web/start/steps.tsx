// The steps of a new farm, each with the page of its form, a mark once it is done, and its command for programs.
import { type ReactNode, useContext } from 'react';
import { Link } from 'react-router';
import type { StartQuery } from '../../generated/web-operations';
import { Badge } from '../parts/badge';
import { Command } from '../parts/command';
import { gatewayUrl } from '../parts/gateway-url';
import { Empty } from '../parts/loading-states';
import { useMayConfigureDevices, Viewer } from '../parts/use-viewer';
import styles from './start.module.css';

interface Step {
  title: string;
  isDone: boolean;
  text: ReactNode;
  command: string;
}

export function Steps({ found, hasTarget }: { found: StartQuery; hasTarget: boolean }) {
  const { hasKey } = useContext(Viewer);
  // Others can do nothing about it.
  const steps = [...stepsOf(found, hasKey), ...(useMayConfigureDevices() ? [notifications(hasTarget, hasKey)] : [])];
  const { printers, materials, spools, cameras } = found.farm;
  const isEmpty = printers + materials + spools + cameras === 0;
  return (
    <>
      {steps.every(({ isDone }) => isDone) && <Empty>All of these steps are done.</Empty>}
      {isEmpty && (
        <section className={styles['demo']} aria-label="An example farm">
          <h2>Only looking?</h2>
          <p>
            This fills an empty farm with example printers, spools, jobs and cameras. Run it in the folder of the
            gateway.
          </p>
          <Command label="fill the farm with examples" text="npm run seed" />
        </section>
      )}
      <ol className={styles['steps']}>
        {steps.map(({ title, isDone, text, command }) => (
          <li key={title} className={styles['step']}>
            <h2>
              <span>{`${title} `}</span>
              {isDone && <Badge tone="good">Done</Badge>}
            </h2>
            <p>{text}</p>
            <details>
              <summary>For programs</summary>
              <Command label={title} text={command} />
            </details>
          </li>
        ))}
      </ol>
    </>
  );
}

export function stepsOf({ farm, materials, cameras }: StartQuery, hasKey: boolean): Step[] {
  const curl = (query: string) => commandOf(query, hasKey);
  const camera = cameras.nodes[0];
  const cameraId = camera?.id ?? 'cam-01';
  return [
    {
      title: 'Add a printer',
      isDone: farm.printers > 0,
      text: on('/printers', 'Printers'),
      command: curl('mutation { createPrinter(input: { name: "Printer 1" }) { id name } }'),
    },
    {
      title: 'Add a material',
      isDone: farm.materials > 0,
      text: on('/materials', 'Materials'),
      command: curl('mutation { createMaterial(input: { name: "PLA", densityGPerCm3: "1.24" }) { id name } }'),
    },
    {
      title: 'Add a spool',
      isDone: farm.spools > 0,
      text: on('/spools', 'Spools', ' Its material can be made there too.'),
      command: curl(
        `mutation { createSpool(input: { spoolSerial: "PLA-001", filamentDiameterMm: "1.75", weightTotalGrams: "1000", purchasePrice: "20", materialId: "${materials[0]?.id ?? 'MATERIAL_ID'}" }) { id spoolSerial } }`,
      ),
    },
    {
      title: 'Register a camera',
      isDone: farm.cameras > 0,
      text: on('/camera/', 'Cameras'),
      command: curl('mutation { registerCamera(input: { id: "cam-01", friendlyName: "Over the printer" }) { id } }'),
    },
    {
      title: 'Record its first status',
      isDone: camera != null && camera.lastStatus !== null,
      text: on(
        '/camera/',
        'Cameras',
        ' Connect the camera on its page, or let a program send its status again and again.',
      ),
      command: curl(
        `mutation { recordCameraStatuses(input: [{ cameraId: "${cameraId.replaceAll(/["\\]/g, '\\$&')}", online: true, batteryPct: 90, videoRemainingSec: 7200, recordingState: "recording" }]) { recordedAt } }`,
      ),
    },
  ];
}

const on = (to: string, name: string, more = '') => (
  <>
    <span>{'On the page '}</span>
    <Link to={to}>{name}</Link>
    <span>{`.${more}`}</span>
  </>
);

const notifications = (isDone: boolean, hasKey: boolean): Step => ({
  title: 'Get notifications',
  isDone,
  text: (
    <>
      <span>{'Your phone hears of it by a topic of ntfy, once ntfy.sh is in NOTIFY_HOSTS. '}</span>
      {on('/notifications', 'Notifications')}
    </>
  ),
  command: commandOf(
    'mutation { addNotificationTarget(input: { name: "Phone", kind: NTFY, url: "https://ntfy.sh/YOUR_TOPIC" }) { target { id name } } }',
    hasKey,
  ),
});

/** A command for a shell. In quotes of the shell a quote is written '\''. */
function commandOf(query: string, hasKey: boolean): string {
  const body = JSON.stringify({ query }).replaceAll("'", "'\\''");
  const credentials = hasKey ? ` -H 'x-api-key: YOUR_KEY'` : '';
  return `curl -s ${gatewayUrl('graphql')} -H 'content-type: application/json'${credentials} \\\n  -d '${body}'`;
}
