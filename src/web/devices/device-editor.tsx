// Shows the dialog that adds, tests, changes and removes the connection to a printer or camera.
import {
  AddDeviceDocument,
  type AddDeviceInput,
  type DeviceDetailsFragment,
  RemoveDeviceDocument,
  UpdateDeviceDocument,
  type UpdateDeviceInput,
} from '../../generated/web-operations';
import { Editor, type EditorKind, type useEditor } from '../parts/editor';
import {
  DeviceFields,
  type DeviceOwner,
  type DeviceTexts,
  inputOf,
  KindField,
  textsOf,
  toDeviceChanges,
} from './device-fields';
import { DEVICE_KIND_TEXTS } from './device-texts';

type Device = DeviceDetailsFragment;

const createKind = (owner: DeviceOwner): EditorKind<Device, keyof DeviceTexts, AddDeviceInput, UpdateDeviceInput> => ({
  noun: 'connection',
  nameOf: ({ kind, address }) => `${DEVICE_KIND_TEXTS[kind].name} at ${address}`,
  toTexts: (device) => textsOf(owner, device),
  toInput: (texts) => inputOf(owner, texts),
  toChanges: toDeviceChanges,
  create: AddDeviceDocument,
  update: UpdateDeviceDocument,
  remove: RemoveDeviceDocument,
  describeLoss: async () => `The gateway stops receiving data from this ${owner.type}. ${KEPT_DATA[owner.type]}`,
});

const KEPT_DATA: Record<DeviceOwner['type'], string> = {
  printer: 'Its prints and jobs stay.',
  camera: 'Its records stay.',
};

interface DeviceEditorProps {
  owner: DeviceOwner;
  editor: ReturnType<typeof useEditor<Device>>;
}

export function DeviceEditor({ owner, editor }: DeviceEditorProps) {
  return (
    <Editor
      kind={createKind(owner)}
      editor={editor}
      fields={(bind, device) => (
        <>
          {device === undefined && <KindField bind={bind} ownerType={owner.type} />}
          <DeviceFields bind={bind} owner={owner} device={device} />
        </>
      )}
    />
  );
}
