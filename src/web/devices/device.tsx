// Shows the connection of a printer or camera: its state, and the buttons that change the connection.
import { type DeviceDetailsFragment, UpdateDeviceDocument } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { useEditor } from '../parts/editor';
import { Facts } from '../parts/facts';
import { Empty, Outcome } from '../parts/loading-states';
import { Moment } from '../parts/moment';
import { FoldedSection, Section } from '../parts/page';
import { useSaving } from '../parts/saving';
import { useMayConfigureDevices } from '../parts/use-viewer';
import { DeviceEditor } from './device-editor';
import type { DeviceOwner } from './device-fields';
import { CONNECTION_STATES, DEVICE_KIND_TEXTS, SECRET_NAMES } from './device-texts';
import styles from './devices.module.css';

type Device = DeviceDetailsFragment;

const NOT_CONNECTED: Record<DeviceOwner['type'], string> = {
  printer: 'Not connected. Jobs are entered by hand or by a program.',
  camera: 'Not connected. Its status is sent by a program.',
};

interface DeviceSectionProps {
  owner: DeviceOwner;
  device: Device | null;
  /** Folds the section if the device is connected. */
  isFolded?: boolean;
}

export function DeviceSection({ owner, device, isFolded = false }: DeviceSectionProps) {
  const mayConfigure = useMayConfigureDevices();
  const editor = useEditor<Device>();
  const Frame = isFolded ? FoldedSection : Section;
  return (
    <>
      <Frame
        title="Connection"
        {...(isFolded && {
          about: device && CONNECTION_STATES[device.connection.state].name,
          isOpenAtFirst: device?.connection.state !== 'CONNECTED',
        })}
        actions={
          mayConfigure &&
          (device === null ? (
            <Button kind="main" onClick={() => editor.open()}>
              {`Connect ${owner.type}`}
            </Button>
          ) : (
            <>
              <EnableButton device={device} />
              <Button onClick={() => editor.open(device)}>Edit connection</Button>
            </>
          ))
        }
      >
        {device === null ? (
          <Empty>
            {`${NOT_CONNECTED[owner.type]} ${mayConfigure ? `To follow the ${owner.type} automatically, connect it here.` : 'Connecting it needs a key with the right “devices”.'}`}
          </Empty>
        ) : (
          <DeviceFacts device={device} />
        )}
      </Frame>
      {mayConfigure && <DeviceEditor owner={owner} editor={editor} />}
    </>
  );
}

function DeviceFacts({ device }: { device: Device }) {
  const { kind, address, serial, hasSecret, certificateFingerprint, connection, spoolman } = device;
  const { name, tone } = CONNECTION_STATES[connection.state];
  return (
    <>
      {connection.message !== null && <p className={styles['message']}>{connection.message}</p>}
      <Facts
        facts={{
          State: <Badge tone={tone}>{name}</Badge>,
          Since: <Moment at={connection.since} />,
          Type: DEVICE_KIND_TEXTS[kind].name,
          Address: address,
          'Serial number': serial,
          [SECRET_NAMES[kind]]: hasSecret ? 'Stored' : 'None',
          Certificate: certificateFingerprint,
          ...(spoolman !== null && {
            'Spoolman of Moonraker': describeSpoolman(spoolman.isThisGateway),
            'Active spool': spoolman.activeNumber === null ? 'None' : `#${spoolman.activeNumber}`,
          }),
          'Last update': connection.lastMessageAt && <Moment at={connection.lastMessageAt} />,
        }}
      />
    </>
  );
}

function describeSpoolman(isThisGateway: boolean | null): string {
  if (isThisGateway === null) return 'Not known yet';
  return isThisGateway ? 'This gateway' : 'Another Spoolman';
}

function EnableButton({ device }: { device: Device }) {
  const { save, isBusy, faults } = useSaving();
  const toggle = async () => {
    const saved = await save(UpdateDeviceDocument, { id: device.id, input: { enabled: !device.enabled } });
    if (saved) announce(saved.updateDevice.enabled ? 'Connection enabled.' : 'Connection disabled.');
  };
  return (
    <>
      <Outcome isBad>{Object.values(faults).join(' ')}</Outcome>
      <Button isBusy={isBusy} onClick={() => void toggle()}>
        {device.enabled ? 'Disable connection' : 'Enable connection'}
      </Button>
    </>
  );
}
