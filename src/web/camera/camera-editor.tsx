// Shows the dialog that adds, changes and removes a camera.
import type { ApolloClient } from '@apollo/client';
import { useMemo } from 'react';
import {
  type CameraDetailsFragment,
  CameraLossDocument,
  RegisterCameraDocument,
  type RegisterCameraInput,
  RemoveCameraDocument,
  UpdateCameraDocument,
  type UpdateCameraInput,
} from '../../generated/web-operations';
import { Editor, type EditorKind, type useEditor } from '../parts/editor';
import type { useFieldTexts } from '../parts/field-texts';
import { Check, Field } from '../parts/form';
import { printerChoices, selectableRows, usePrinters } from '../parts/object-choices';
import { SearchChoice } from '../parts/search-choice';
import { DEFAULT_INTERVAL_SEC, MAX_INTERVAL_SEC } from './camera-now';

type Camera = CameraDetailsFragment;
type Texts = ReturnType<typeof textsOf>;

const textsOf = (camera: Camera | undefined) => ({
  id: camera?.id ?? '',
  friendlyName: camera?.friendlyName ?? '',
  macAddress: camera?.macAddress ?? '',
  expectedIntervalSec: String(camera?.expectedIntervalSec ?? ''),
  printerId: camera?.printer?.id ?? '',
  recordsPrints: camera?.recordsPrints ? 'true' : '',
});

const KIND: EditorKind<Camera, keyof Texts, RegisterCameraInput, UpdateCameraInput> = {
  noun: 'camera',
  nameOf: ({ friendlyName }) => friendlyName,
  toTexts: textsOf,
  toInput: ({ id, friendlyName, macAddress, printerId, recordsPrints }) => ({
    id,
    friendlyName,
    macAddress: macAddress || null,
    printerId: printerId || null,
    recordsPrints: recordsPrints !== '',
  }),
  toChanges: ({ friendlyName, macAddress, expectedIntervalSec, printerId, recordsPrints }) => ({
    friendlyName,
    macAddress: macAddress || null,
    expectedIntervalSec: expectedIntervalSec === '' ? null : parseNumber(expectedIntervalSec),
    printerId: printerId || null,
    recordsPrints: recordsPrints !== '',
  }),
  updateOnly: ['expectedIntervalSec'],
  create: RegisterCameraDocument,
  update: UpdateCameraDocument,
  remove: RemoveCameraDocument,
  describeLoss: lossOf,
};

/** A text that is not a number goes to the gateway as it is, and the gateway explains the fault. JSON would turn NaN into null. */
const parseNumber = (text: string) => (Number.isNaN(Number(text)) ? (text as unknown as number) : Number(text));

/** From the first to the last time that the gateway accepts. */
const ALL_TIME = { from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' };

async function lossOf(apollo: ApolloClient, { id }: Camera): Promise<string> {
  try {
    const variables = { id, ...ALL_TIME };
    const { data } = await apollo.query({ query: CameraLossDocument, variables, fetchPolicy: 'no-cache' });
    const records = data?.camera?.series.reduce((sum, { records }) => sum + records, 0) ?? 0;
    return `Its status log is deleted too: ${records.toLocaleString()} ${records === 1 ? 'record' : 'records'}.`;
  } catch {
    // The gateway refuses to count the records of a very long log.
    return 'Its whole status log is deleted too.';
  }
}

export interface CameraEditorProps {
  editor: ReturnType<typeof useEditor<Camera>>;
  onCreated?: (camera: { id: string }) => void;
  onRemoved?: () => void;
}

export default function CameraEditor(props: CameraEditorProps) {
  return <Editor {...props} kind={KIND} fields={(bind, camera) => <Fields bind={bind} camera={camera} />} />;
}

interface FieldsProps {
  bind: ReturnType<typeof useFieldTexts<keyof Texts>>['bind'];
  camera: Camera | undefined;
}

function Fields({ bind, camera }: FieldsProps) {
  const { data } = usePrinters();
  const currentPrinterId = camera?.printer?.id;
  const printers = useMemo(
    () => printerChoices(selectableRows(data?.printers.nodes ?? [], currentPrinterId)),
    [data, currentPrinterId],
  );
  return (
    <>
      {camera === undefined && (
        <Field
          {...bind('id')}
          label="Camera ID"
          hint="The ID in the status messages of the camera. You cannot change it later."
          required
        />
      )}
      <Field {...bind('friendlyName')} label="Name" required />
      <Field {...bind('macAddress')} label="MAC address" isOptional />
      <Field
        {...bind('expectedIntervalSec')}
        label="Silent after, in seconds"
        isOptional
        inputMode="numeric"
        validate={() =>
          /^\s*\d*\s*$/.test(bind('expectedIntervalSec').value) ? null : `Enter a number from 1 to ${MAX_INTERVAL_SEC}.`
        }
        hint={`Without a message for this time, the camera counts as silent. Leave empty for ${DEFAULT_INTERVAL_SEC} seconds.`}
      />
      <SearchChoice {...bind('printerId')} label="Printer" isOptional choices={printers} placeholder="None" />
      <Check {...bind('recordsPrints')}>Should record every print of its printer</Check>
    </>
  );
}
