// Decides the steps of a new farm: each has a link to its page, a mark once it is done, and a command for programs.
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

export function Steps({ start, hasTarget }: { start: StartQuery; hasTarget: boolean }) {
  const { hasKey } = useContext(Viewer);
  // Callers without the right cannot add a channel, so they do not see this step.
  const steps = [
    ...createSteps(start, hasKey),
    ...(useMayConfigureDevices() ? [createNotificationStep(hasTarget, hasKey)] : []),
  ];
  const { printers, materials, spools, cameras } = start.farm;
  const isEmpty = printers + materials + spools + cameras === 0;
  return (
    <>
      {steps.every(({ isDone }) => isDone) && <Empty>All steps are done. Your farm is ready.</Empty>}
      {isEmpty && (
        <section className={styles['demo']} aria-label="Example farm">
          <h2>Just looking around?</h2>
          <p>
            Fill your farm with example printers, spools, jobs and cameras. Run this command in the folder of the
            gateway:
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
              <summary>Command for programs</summary>
              <Command label={title} text={command} />
            </details>
          </li>
        ))}
      </ol>
    </>
  );
}

export function createSteps({ farm, materials, cameras }: StartQuery, hasKey: boolean): Step[] {
  const curl = (query: string) => createCommand(query, hasKey);
  const camera = cameras.nodes[0];
  const cameraId = camera?.id ?? 'cam-01';
  return [
    {
      title: 'Add a printer',
      isDone: farm.printers > 0,
      text: describeStep(
        '/printers',
        'Open Printers',
        ' and add your first printer. You need its IP address and its access code or key.',
      ),
      command: curl('mutation { createPrinter(input: { name: "Printer 1" }) { id name } }'),
    },
    {
      title: 'Add a material',
      isDone: farm.materials > 0,
      text: describeStep(
        '/materials',
        'Open Materials',
        ' and add what you print with, such as PLA. You can also add it together with your first spool.',
      ),
      command: curl('mutation { createMaterial(input: { name: "PLA", densityGPerCm3: "1.24" }) { id name } }'),
    },
    {
      title: 'Add a spool',
      isDone: farm.spools > 0,
      text: describeStep(
        '/spools',
        'Open Spools',
        ' and add the spools on your shelf. The gateway then counts what remains on each. If you use Spoolman, press “Import spools” there.',
      ),
      command: curl(
        `mutation { createSpool(input: { spoolSerial: "PLA-001", filamentDiameterMm: "1.75", weightTotalGrams: "1000", purchasePrice: "20", materialId: "${materials[0]?.id ?? 'MATERIAL_ID'}" }) { id spoolSerial } }`,
      ),
    },
    {
      title: 'Add a camera',
      isDone: farm.cameras > 0,
      text: describeStep('/camera/', 'Open Cameras', ' and add a camera, if you record your prints.'),
      command: curl('mutation { registerCamera(input: { id: "cam-01", friendlyName: "Over the printer" }) { id } }'),
    },
    {
      title: 'Receive the first status of a camera',
      isDone: camera != null && camera.lastStatus !== null,
      text: describeStep(
        '/camera/',
        'Open Cameras',
        ', choose the camera and connect it. Or let a program send its status regularly.',
      ),
      command: curl(
        `mutation { recordCameraStatuses(input: [{ cameraId: "${cameraId.replaceAll(/["\\]/g, '\\$&')}", online: true, batteryPct: 90, videoRemainingSec: 7200, recordingState: "recording" }]) { recordedAt } }`,
      ),
    },
  ];
}

const describeStep = (to: string, name: string, text: string) => (
  <>
    <Link to={to}>{name}</Link>
    <span>{text}</span>
  </>
);

const createNotificationStep = (isDone: boolean, hasKey: boolean): Step => ({
  title: 'Get notifications',
  isDone,
  text: describeStep(
    '/notifications',
    'Open Notifications',
    ' and add a channel, such as the ntfy app on your phone. For ntfy.sh, first add ntfy.sh to the setting NOTIFY_HOSTS.',
  ),
  command: createCommand(
    'mutation { addNotificationTarget(input: { name: "Phone", kind: NTFY, url: "https://ntfy.sh/YOUR_TOPIC" }) { target { id name } } }',
    hasKey,
  ),
});

/** A curl command for a shell. Inside single quotes a shell needs '\'' for a single quote. */
function createCommand(query: string, hasKey: boolean): string {
  const body = JSON.stringify({ query }).replaceAll("'", "'\\''");
  const credentials = hasKey ? ` -H 'x-api-key: YOUR_KEY'` : '';
  return `curl -s ${gatewayUrl('graphql')} -H 'content-type: application/json'${credentials} \\\n  -d '${body}'`;
}
