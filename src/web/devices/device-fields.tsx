// The fields of a machine, and the test that connects to it once.
import { useState } from 'react';
import {
  type AddDeviceInput,
  type DeviceDetailsFragment,
  type DeviceKind,
  TestDeviceDocument,
  type TestDeviceMutation,
} from '../../generated/web-operations';
import { Button } from '../parts/button';
import { ChoiceField } from '../parts/choice-field';
import { type BindOf } from '../parts/field-texts';
import { Field } from '../parts/form';
import { Outcome } from '../parts/loading-states';
import { useSaving } from '../parts/saving';
import { ACTIVITIES } from '../prints/print-texts';
import { DEVICE_KIND_TEXTS, SECRETS } from './device-texts';
import styles from './devices.module.css';

/** What the device is. Without an id it is not in the farm yet. */
export interface Owner {
  is: 'printer' | 'camera';
  id?: string;
}

const FIRST_KIND: Record<Owner['is'], DeviceKind> = { printer: 'MOONRAKER', camera: 'OPEN_GOPRO' };

/** User names and secrets are never answered. */
export const textsOf = ({ is }: Owner, device?: DeviceDetailsFragment) => ({
  kind: (device?.kind ?? FIRST_KIND[is]) as string,
  address: device?.address ?? '',
  serial: device?.serial ?? '',
  username: '',
  secret: '',
  certificateFingerprint: device?.certificateFingerprint ?? '',
});

export type DeviceTexts = ReturnType<typeof textsOf>;

/** The members that may be changed later, too. */
export const detailsOf = ({ kind, address, serial, username, secret, certificateFingerprint }: DeviceTexts) => ({
  address,
  // It may have been typed before another kind was chosen.
  serial: DEVICE_KIND_TEXTS[kind as DeviceKind].serial === null ? null : serial || null,
  username: username || null,
  secret: secret || null,
  certificateFingerprint: certificateFingerprint || null,
});

export const inputOf = ({ is, id }: Owner, texts: DeviceTexts): AddDeviceInput => ({
  ...detailsOf(texts),
  printerId: (is === 'printer' && id) || null,
  cameraId: (is === 'camera' && id) || null,
  kind: texts.kind as DeviceKind,
});

type Bind = BindOf<keyof DeviceTexts>;

interface KindFieldProps {
  bind: Bind;
  of: Owner['is'];
  /** A last choice, whose value is ''. */
  otherwise?: string;
}

export function KindField({ bind, of, otherwise }: KindFieldProps) {
  const kinds = Object.entries(DEVICE_KIND_TEXTS)
    .filter(([, kind]) => kind.of === of)
    .map(([value, { name }]) => [value, name] as const);
  return (
    <ChoiceField
      {...bind('kind')}
      label="Kind"
      choices={otherwise === undefined ? kinds : [...kinds, ['', otherwise]]}
    />
  );
}

interface DeviceFieldsProps {
  bind: Bind;
  owner: Owner;
  device?: DeviceDetailsFragment | undefined;
  /** Called with what the test found. */
  onFound?: (found: Found) => void;
}

/** All but the kind. */
export function DeviceFields({ bind, owner, device, onFound }: DeviceFieldsProps) {
  const texts = Object.fromEntries(
    Object.keys(textsOf(owner, device)).map((name) => [name, bind(name as keyof DeviceTexts).value]),
  ) as DeviceTexts;
  const kind = texts.kind as DeviceKind;
  const words = DEVICE_KIND_TEXTS[kind];
  return (
    <>
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
        onFound={onFound}
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
  onFound: ((found: Found) => void) | undefined;
}

export type Found = TestDeviceMutation['testDevice'];

/** Connects once with what the fields say. */
function Test({ input, isStored, trust, onFound }: TestProps) {
  const { save, isBusy, faults } = useSaving();
  const [tested, setTested] = useState<{ of: string; found: Found | undefined }>();
  const of = JSON.stringify(input);
  const test = async () => {
    const saved = await save(TestDeviceDocument, { input });
    setTested({ of, found: saved?.testDevice });
    if (saved?.testDevice.fault === null) onFound?.(saved.testDevice);
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

/** The faults with the labels of their fields, as a form shows them. */
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
