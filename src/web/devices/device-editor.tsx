// The dialog in which the machine of a printer or camera is added, tested, changed and removed.
import { useState } from 'react';
import {
  AddDeviceDocument,
  type AddDeviceInput,
  type DeviceDetailsFragment,
  type DeviceKind,
  RemoveDeviceDocument,
  TestDeviceDocument,
  type TestDeviceMutation,
  UpdateDeviceDocument,
  type UpdateDeviceInput,
} from '../../generated/web-operations';
import { Button } from '../parts/button';
import { ChoiceField } from '../parts/choice-field';
import { Editor, type Kind, type useEditor } from '../parts/editor';
import { Field } from '../parts/form';
import { useSaving, type useTexts } from '../parts/saving';
import { Outcome } from '../parts/states';
import { ACTIVITIES } from '../prints/print-words';
import { KINDS, SECRETS } from './device-words';
import styles from './devices.module.css';

/** What the device is. */
export interface Owner {
  is: 'printer' | 'camera';
  id: string;
}

type Device = DeviceDetailsFragment;
type Texts = ReturnType<typeof textsOf>;

const FIRST_KIND: Record<Owner['is'], DeviceKind> = { printer: 'MOONRAKER', camera: 'OPEN_GOPRO' };

/** User names and secrets are never answered. */
const textsOf = ({ is }: Owner, device: Device | undefined) => ({
  kind: (device?.kind ?? FIRST_KIND[is]) as string,
  address: device?.address ?? '',
  serial: device?.serial ?? '',
  username: '',
  secret: '',
  certificateFingerprint: device?.certificateFingerprint ?? '',
});

const detailsOf = ({ kind, address, serial, username, secret, certificateFingerprint }: Texts) => ({
  address,
  // It may have been typed before another kind was chosen.
  serial: KINDS[kind as DeviceKind].serial === null ? null : serial || null,
  username: username || null,
  secret: secret || null,
  certificateFingerprint: certificateFingerprint || null,
});

const kindFor = (owner: Owner): Kind<Device, keyof Texts, AddDeviceInput, UpdateDeviceInput> => ({
  noun: 'device',
  nameOf: ({ kind, address }) => `${KINDS[kind].name} at ${address}`,
  textsOf: (device) => textsOf(owner, device),
  inputOf: (texts) => inputOf(owner, texts),
  changesOf: detailsOf,
  create: AddDeviceDocument,
  update: UpdateDeviceDocument,
  make: 'Save',
  remove: RemoveDeviceDocument,
  lossOf: async () => `The gateway no longer listens to this ${owner.is}. ${LEFT[owner.is]}`,
});

const LEFT: Record<Owner['is'], string> = { printer: 'Its prints and jobs stay.', camera: 'Its records stay.' };

const inputOf = ({ is, id }: Owner, texts: Texts): AddDeviceInput => ({
  ...detailsOf(texts),
  ...(is === 'printer' ? { printerId: id } : { cameraId: id }),
  kind: texts.kind as DeviceKind,
});

interface DeviceEditorProps {
  owner: Owner;
  editor: ReturnType<typeof useEditor<Device>>;
}

export function DeviceEditor({ owner, editor }: DeviceEditorProps) {
  return (
    <Editor
      kind={kindFor(owner)}
      editor={editor}
      fields={(bind, device) => <Fields bind={bind} device={device} owner={owner} />}
    />
  );
}

interface FieldsProps {
  bind: ReturnType<typeof useTexts<keyof Texts>>['bind'];
  device: Device | undefined;
  owner: Owner;
}

function Fields({ bind, device, owner }: FieldsProps) {
  const texts = Object.fromEntries(
    Object.keys(textsOf(owner, device)).map((name) => [name, bind(name as keyof Texts).value]),
  ) as Texts;
  const kind = texts.kind as DeviceKind;
  const words = KINDS[kind];
  const offered = Object.entries(KINDS).filter(([, { of }]) => of === owner.is);
  return (
    <>
      {device === undefined && (
        <ChoiceField
          {...bind('kind')}
          label="Kind"
          choices={offered.map(([value, { name }]) => [value, name] as const)}
        />
      )}
      <Field
        {...bind('address')}
        label="Address"
        placeholder={words.placeholder}
        hint={words.address}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      {words.serial !== null && (
        <Field
          {...bind('serial')}
          label="Serial number"
          hint={words.serial}
          required
          placeholder="01P00A123456789"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
      )}
      {words.username !== null && (
        <Field {...bind('username')} label="User name" hint={words.username} autoComplete="off" />
      )}
      <Field
        {...bind('secret')}
        label={SECRETS[kind]}
        type="password"
        hint={device?.hasSecret ? 'One is stored. Enter it again when you change the address.' : words.secret}
        placeholder={device?.hasSecret ? 'Stored' : ''}
        // Browsers must not offer the user's own password for it.
        autoComplete="new-password"
      />
      {texts.certificateFingerprint !== '' && (
        <Field {...bind('certificateFingerprint')} label="Certificate that is trusted (SHA-256)" autoComplete="off" />
      )}
      <Test
        input={inputOf(owner, texts)}
        isStored={device?.hasSecret === true}
        trust={(fingerprint) => bind('certificateFingerprint').onChange({ target: { value: fingerprint } })}
      />
    </>
  );
}

interface TestProps {
  input: AddDeviceInput;
  /** The gateway has a secret, which this test does not use. */
  isStored: boolean;
  trust: (fingerprint: string) => void;
}

type Found = TestDeviceMutation['testDevice'];

/** Connects once with what the fields say. */
function Test({ input, isStored, trust }: TestProps) {
  const { save, isBusy, faults } = useSaving();
  const [tested, setTested] = useState<{ of: string; found: Found | undefined }>();
  const of = JSON.stringify(input);
  const test = async () => {
    const saved = await save(TestDeviceDocument, { input });
    setTested({ of, found: saved?.testDevice });
  };
  // What was found at another address says nothing of this one.
  const result = tested?.of === of && !isBusy ? tested : undefined;
  const found = result?.found;
  const needsSecret = isStored && !input.secret;
  return (
    <div className={styles['test']}>
      <Button isBusy={isBusy} aria-disabled={needsSecret} onClick={needsSecret ? undefined : () => void test()}>
        Test
      </Button>
      <div>
        {isBusy && <Outcome>Testing …</Outcome>}
        {needsSecret && (
          <span className={styles['quiet']}>{`To test it, enter the ${SECRETS[input.kind]} again.`}</span>
        )}
        {result && (
          <Outcome isBad={found === undefined || found.fault !== null}>
            {found === undefined ? faultsIn(faults, input.kind) : (found.message ?? sentenceOf(found))}
          </Outcome>
        )}
        {found?.fault === 'CERTIFICATE_NOT_TRUSTED' && found.certificateFingerprint !== null && (
          <>
            <code className={styles['quiet']}>{found.certificateFingerprint}</code>
            <Button onClick={() => trust(found.certificateFingerprint as string)}>Trust this certificate</Button>
          </>
        )}
      </div>
    </div>
  );
}

/** As a form tells them at its fields. */
function faultsIn(faults: Record<string, string>, kind: DeviceKind): string {
  const labels: Record<string, string> = {
    '': '',
    address: 'Address',
    secret: SECRETS[kind],
    serial: 'Serial number',
    username: 'User name',
  };
  return Object.entries(faults)
    .map(([member, fault]) => `${labels[member] ?? member} ${fault}`.trim())
    .join(' ');
}

function sentenceOf({ model, firmware, serial, activity }: Found): string {
  const facts = [model, firmware && `version ${firmware}`, serial && `serial number ${serial}`].filter(Boolean);
  const now = activity === null ? '' : ` It is ${ACTIVITIES[activity].name.toLowerCase()} now.`;
  return `The machine answers${facts.length > 0 ? `: ${facts.join(', ')}` : ''}.${now}`;
}
