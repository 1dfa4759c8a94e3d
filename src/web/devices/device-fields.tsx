// The fields of a machine, with its test below them.
import type { AddDeviceInput, DeviceDetailsFragment, DeviceKind } from '../../generated/web-operations';
import { ChoiceField } from '../parts/choice-field';
import type { BindOf } from '../parts/field-texts';
import { Field } from '../parts/form';
import { DeviceTest, type Found } from './device-test';
import { DEVICE_KIND_TEXTS, SECRETS } from './device-texts';

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
      label="Connection type"
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
        <Field {...bind('username')} label="User name" isOptional hint={words.username} autoComplete="off" />
      )}
      <Field
        {...bind('secret')}
        label={SECRETS[kind]}
        isOptional={words.isSecretOptional}
        type="password"
        hint={device?.hasSecret ? `Stored. Enter the ${SECRETS[kind]} again if you change the address.` : words.secret}
        placeholder={device?.hasSecret ? 'Stored' : ''}
        // Browsers must not offer the user's own password for it.
        autoComplete="new-password"
      />
      {texts.certificateFingerprint !== '' && (
        <Field
          {...bind('certificateFingerprint')}
          label="Trusted certificate (SHA-256 fingerprint)"
          isOptional
          autoComplete="off"
        />
      )}
      <DeviceTest
        input={inputOf(owner, texts)}
        isStored={device?.hasSecret === true}
        onFound={onFound}
        trust={(fingerprint) => bind('certificateFingerprint').onChange({ target: { value: fingerprint } })}
      />
    </>
  );
}
