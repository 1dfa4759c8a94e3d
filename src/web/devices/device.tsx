// The machine of a printer or camera: how the gateway is connected to it, and the buttons that change that.
import { type DeviceDetailsFragment, UpdateDeviceDocument } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { useEditor } from '../parts/editor';
import { Facts } from '../parts/facts';
import { Empty, Outcome } from '../parts/loading-states';
import { Moment } from '../parts/moment';
import { Section } from '../parts/page';
import { useSaving } from '../parts/saving';
import { useMayConfigureDevices } from '../parts/use-viewer';
import { DeviceEditor } from './device-editor';
import type { Owner } from './device-fields';
import { CONNECTIONS, DEVICE_KIND_TEXTS, SECRETS } from './device-texts';
import styles from './devices.module.css';

type Device = DeviceDetailsFragment;

export function DeviceOf({ owner, device }: { owner: Owner; device: Device | null }) {
  const mayConfigure = useMayConfigureDevices();
  const editor = useEditor<Device>();
  return (
    <Section
      title="Device"
      actions={
        mayConfigure &&
        (device === null ? (
          <Button kind="main" onClick={() => editor.open()}>
            {`Connect the ${owner.is}`}
          </Button>
        ) : (
          <>
            <Switch device={device} />
            <Button aria-label="Edit the device" onClick={() => editor.open(device)}>
              Edit
            </Button>
          </>
        ))
      }
    >
      {device === null ? (
        <Empty>
          {mayConfigure
            ? `The gateway does not listen to this ${owner.is} yet.`
            : `The gateway does not listen to this ${owner.is}. Your key may not configure devices.`}
        </Empty>
      ) : (
        <DeviceFacts device={device} />
      )}
      {mayConfigure && <DeviceEditor owner={owner} editor={editor} />}
    </Section>
  );
}

function DeviceFacts({ device }: { device: Device }) {
  const { kind, address, serial, hasSecret, certificateFingerprint, connection } = device;
  const { name, tone } = CONNECTIONS[connection.state];
  return (
    <>
      {connection.message !== null && <p className={styles['message']}>{connection.message}</p>}
      <Facts
        facts={{
          Connection: <Badge tone={tone}>{name}</Badge>,
          Since: <Moment at={connection.since} />,
          Kind: DEVICE_KIND_TEXTS[kind].name,
          Address: address,
          'Serial number': serial,
          [SECRETS[kind]]: hasSecret ? 'Stored' : 'None',
          Certificate: certificateFingerprint,
          'Last heard of': connection.lastMessageAt && <Moment at={connection.lastMessageAt} />,
        }}
      />
    </>
  );
}

function Switch({ device }: { device: Device }) {
  const { save, isBusy, faults } = useSaving();
  const toggle = async () => {
    const saved = await save(UpdateDeviceDocument, { id: device.id, input: { enabled: !device.enabled } });
    if (saved) announce(saved.updateDevice.enabled ? 'The gateway connects.' : 'The device is disabled.');
  };
  return (
    <>
      <Outcome isBad>{Object.values(faults).join(' ')}</Outcome>
      <Button isBusy={isBusy} onClick={() => void toggle()}>
        {device.enabled ? 'Disable' : 'Enable'}
      </Button>
    </>
  );
}
