// Shows the fields of a connection, with the connection test below them.
import type { AddDeviceInput, DeviceDetailsFragment, DeviceKind } from '../../generated/web-operations';
import { ChoiceField } from '../parts/choice-field';
import type { BindField } from '../parts/field-texts';
import { Field } from '../parts/form';
import { DeviceTest, type DeviceTester } from './device-test';
import { DEVICE_KIND_TEXTS, SECRET_NAMES } from './device-texts';
import { SpoolSettings } from './spool-settings';

/** The printer or camera that the connection belongs to. The id is missing if it is not in the farm yet. */
export interface DeviceOwner {
  type: 'printer' | 'camera';
  id?: string;
}

const DEFAULT_KIND: Record<DeviceOwner['type'], DeviceKind> = { printer: 'MOONRAKER', camera: 'OPEN_GOPRO' };

/** The gateway never returns user names and secrets, so their fields start empty. */
export const textsOf = ({ type }: DeviceOwner, device?: DeviceDetailsFragment) => ({
  kind: (device?.kind ?? DEFAULT_KIND[type]) as string,
  address: device?.address ?? '',
  serial: device?.serial ?? '',
  username: '',
  secret: '',
  certificateFingerprint: device?.certificateFingerprint ?? '',
  followsSpools: (device?.followsSpools ?? true) ? 'true' : '',
  setsActiveSpool: device?.setsActiveSpool ? 'true' : '',
});

export type DeviceTexts = ReturnType<typeof textsOf>;

/** The members that a user can change later. */
export const toDeviceChanges = ({ kind, address, serial, username, secret, ...texts }: DeviceTexts) => ({
  address,
  // The user may have typed a serial number before choosing another kind.
  serial: DEVICE_KIND_TEXTS[kind as DeviceKind].serial === null ? null : serial || null,
  username: username || null,
  secret: secret || null,
  certificateFingerprint: texts.certificateFingerprint || null,
  followsSpools: texts.followsSpools !== '',
  setsActiveSpool: texts.setsActiveSpool !== '',
});

export const inputOf = ({ type, id }: DeviceOwner, texts: DeviceTexts): AddDeviceInput => ({
  ...toDeviceChanges(texts),
  printerId: (type === 'printer' && id) || null,
  cameraId: (type === 'camera' && id) || null,
  kind: texts.kind as DeviceKind,
});

type Bind = BindField<keyof DeviceTexts>;

interface KindFieldProps {
  bind: Bind;
  ownerType: DeviceOwner['type'];
  /** The label of a last choice without a connection, whose value is ''. */
  noneLabel?: string;
}

export function KindField({ bind, ownerType, noneLabel }: KindFieldProps) {
  const kinds = Object.entries(DEVICE_KIND_TEXTS)
    .filter(([, kind]) => kind.ownerType === ownerType)
    .map(([value, { name }]) => [value, name] as const);
  return (
    <ChoiceField
      {...bind('kind')}
      label="Connection type"
      choices={noneLabel === undefined ? kinds : [...kinds, ['', noneLabel]]}
    />
  );
}

interface DeviceFieldsProps {
  bind: Bind;
  owner: DeviceOwner;
  device?: DeviceDetailsFragment | undefined;
  tester?: DeviceTester;
}

/** All fields except the connection type. */
export function DeviceFields({ bind, owner, device, tester }: DeviceFieldsProps) {
  const texts = Object.fromEntries(
    Object.keys(textsOf(owner, device)).map((name) => [name, bind(name as keyof DeviceTexts).value]),
  ) as DeviceTexts;
  const kind = texts.kind as DeviceKind;
  const kindTexts = DEVICE_KIND_TEXTS[kind];
  return (
    <>
      <Field
        {...bind('address')}
        label="Address"
        placeholder={kindTexts.placeholder}
        hint={kindTexts.address}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      {kindTexts.serial !== null && (
        <Field
          {...bind('serial')}
          label="Serial number"
          hint={kindTexts.serial}
          required
          placeholder="01P00A123456789"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
      )}
      {kindTexts.username !== null && (
        <Field {...bind('username')} label="User name" isOptional hint={kindTexts.username} autoComplete="off" />
      )}
      <Field
        {...bind('secret')}
        label={SECRET_NAMES[kind]}
        isOptional={kindTexts.isSecretOptional}
        type="password"
        hint={
          device?.hasSecret
            ? `Stored. Enter the ${SECRET_NAMES[kind]} again if you change the address.`
            : kindTexts.secret
        }
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
      <SpoolSettings bind={bind} kind={kind} />
      <DeviceTest
        input={inputOf(owner, texts)}
        isStored={device?.hasSecret === true}
        tester={tester}
        trust={(fingerprint) => bind('certificateFingerprint').onChange({ target: { value: fingerprint } })}
      />
    </>
  );
}
