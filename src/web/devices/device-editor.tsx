// The dialog in which the connection to a printer or camera is added, tested, changed and removed.
import {
  AddDeviceDocument,
  type AddDeviceInput,
  type DeviceDetailsFragment,
  RemoveDeviceDocument,
  UpdateDeviceDocument,
  type UpdateDeviceInput,
} from '../../generated/web-operations';
import { Editor, type Kind, type useEditor } from '../parts/editor';
import { DeviceFields, type DeviceTexts, detailsOf, inputOf, KindField, type Owner, textsOf } from './device-fields';
import { DEVICE_KIND_TEXTS } from './device-texts';

type Device = DeviceDetailsFragment;

const kindFor = (owner: Owner): Kind<Device, keyof DeviceTexts, AddDeviceInput, UpdateDeviceInput> => ({
  noun: 'connection',
  nameOf: ({ kind, address }) => `${DEVICE_KIND_TEXTS[kind].name} at ${address}`,
  textsOf: (device) => textsOf(owner, device),
  inputOf: (texts) => inputOf(owner, texts),
  changesOf: detailsOf,
  create: AddDeviceDocument,
  update: UpdateDeviceDocument,
  remove: RemoveDeviceDocument,
  lossOf: async () => `The gateway stops receiving data from this ${owner.is}. ${LEFT[owner.is]}`,
});

const LEFT: Record<Owner['is'], string> = { printer: 'Its prints and jobs stay.', camera: 'Its records stay.' };

interface DeviceEditorProps {
  owner: Owner;
  editor: ReturnType<typeof useEditor<Device>>;
}

export function DeviceEditor({ owner, editor }: DeviceEditorProps) {
  return (
    <Editor
      kind={kindFor(owner)}
      editor={editor}
      fields={(bind, device) => (
        <>
          {device === undefined && <KindField bind={bind} of={owner.is} />}
          <DeviceFields bind={bind} owner={owner} device={device} />
        </>
      )}
    />
  );
}
