// Holds the fields that the forms of spools and of products share.
import { useQuery } from '@apollo/client/react';
import { useId } from 'react';
import { COLOR_FAULT, COLOR_FORM } from '../../farm/inventory/inventory.texts';
import {
  type FilamentRowFragment,
  type MaterialRowFragment,
  MaterialsDocument,
  PlacesDocument,
  type SpoolRowFragment,
} from '../../generated/web-operations';
import { TextField } from '../parts/choice-field';
import { DecimalField } from '../parts/decimal-field';
import type { BindField } from '../parts/field-texts';
import { Field } from '../parts/form';
import styles from '../parts/form.module.css';
import { compareNaturally } from '../parts/formats';
import { useAmountLabel } from '../parts/money';
import inventoryStyles from './inventory.module.css';

export type SpoolTexts = ReturnType<typeof textsOf>;
export type Bind = BindField<keyof SpoolTexts>;

/** The values with which the forms of a new spool and a new product start. */
export const DEFAULT_SIZE = { diameterMm: '1.75', grams: '1000' };

export const textsOf = (spool: SpoolRowFragment | undefined) => ({
  spoolSerial: spool?.spoolSerial ?? '',
  filamentId: spool?.filament?.id ?? '',
  materialId: spool?.material.id ?? '',
  filamentDiameterMm: spool?.filamentDiameterMm ?? DEFAULT_SIZE.diameterMm,
  weightTotalGrams: spool?.weightTotalGrams ?? DEFAULT_SIZE.grams,
  tareGrams: spool?.tareGrams ?? '',
  purchasePrice: spool?.purchasePrice ?? '',
  colorHex: spool?.colorHex ?? '',
  vendor: spool?.vendor ?? '',
  place: spool?.place ?? '',
  lotNumber: spool?.lotNumber ?? '',
  comment: spool?.comment ?? '',
});

/** The values that a new spool takes from its product. */
export const copyFilamentTexts = (filament: FilamentRowFragment) => ({
  filamentId: filament.id,
  materialId: filament.material.id,
  filamentDiameterMm: filament.filamentDiameterMm,
  weightTotalGrams: filament.weightTotalGrams,
  purchasePrice: filament.purchasePrice ?? '',
  colorHex: filament.colorHex ?? '',
  vendor: filament.vendor ?? '',
});

/** An empty text becomes `null`. This clears the value of an existing spool, and lets a new spool take the value from its product. */
export const inputOf = (texts: SpoolTexts) => ({
  spoolSerial: texts.spoolSerial,
  filamentId: texts.filamentId || null,
  materialId: texts.materialId || null,
  filamentDiameterMm: texts.filamentDiameterMm || null,
  weightTotalGrams: texts.weightTotalGrams || null,
  tareGrams: texts.tareGrams || null,
  purchasePrice: texts.purchasePrice || null,
  colorHex: texts.colorHex || null,
  vendor: texts.vendor || null,
  place: texts.place || null,
  lotNumber: texts.lotNumber || null,
  comment: texts.comment || null,
});

export const useMaterials = () => useQuery(MaterialsDocument, { variables: { archived: null } }).data?.materials;

/** The active materials, and materials that are already chosen. */
export const listMaterialChoices = (
  materials: readonly MaterialRowFragment[] = [],
  ...chosen: (MaterialRowFragment | undefined)[]
) =>
  [
    ...new Map(
      [...materials.filter(({ archivedAt }) => archivedAt === null), ...chosen].flatMap((material) =>
        material ? [[material.id, material] as const] : [],
      ),
    ).values(),
  ]
    .sort((a, b) => compareNaturally(a.name, b.name))
    .map(({ id, name }) => [id, name] as const);

type SizeBind = BindField<
  'filamentDiameterMm' | 'weightTotalGrams' | 'tareGrams' | 'purchasePrice' | 'colorHex' | 'vendor'
>;

interface SizesProps {
  bind: SizeBind;
  /** Whether a field may stay empty, because the spool then takes the value from its product. */
  mayBeEmpty?: boolean;
  tareHint: string;
}

/** The size, price, colour and vendor of a spool or a product. */
export function SizeFields({ bind, mayBeEmpty = false, tareHint }: SizesProps) {
  const priceLabel = useAmountLabel('Price');
  const color = bind('colorHex');
  const colorText = color.value.trim();
  return (
    <div className={styles['pair']}>
      <DecimalField
        {...bind('filamentDiameterMm')}
        label="Diameter in mm"
        isOptional={mayBeEmpty}
        required={!mayBeEmpty}
        mustBePositive
      />
      <DecimalField
        {...bind('weightTotalGrams')}
        label="Net weight in grams"
        isOptional={mayBeEmpty}
        hint="Filament on a full spool."
        required={!mayBeEmpty}
      />
      <DecimalField {...bind('tareGrams')} label="Empty spool in grams" isOptional hint={tareHint} />
      <DecimalField {...bind('purchasePrice')} label={priceLabel} isOptional hint="For one full spool." />
      <Field
        {...color}
        label="Colour"
        isOptional
        placeholder="#1E90FF"
        action={
          <input
            type="color"
            className={inventoryStyles['picker']}
            aria-label="Pick the colour"
            value={COLOR_FORM.test(color.value) ? color.value : '#808080'}
            onChange={({ target }) => color.onChange({ target: { value: target.value.toUpperCase() } })}
          />
        }
        validate={() => (colorText === '' || COLOR_FORM.test(colorText) ? null : COLOR_FAULT)}
      />
      <Field {...bind('vendor')} label="Vendor" isOptional />
    </div>
  );
}

/** All fields except the serial, the product and the material. */
export function SpoolDetailFields({ bind, hasFilament }: { bind: Bind; hasFilament: boolean }) {
  const { data } = useQuery(PlacesDocument);
  const places = useId();
  return (
    <>
      <SizeFields
        bind={bind}
        mayBeEmpty={hasFilament}
        tareHint={
          hasFilament
            ? 'Its weight (tare). Leave empty to use that of the product.'
            : 'Its weight (tare), needed to weigh the spool on a scale.'
        }
      />
      <Field
        {...bind('place')}
        label="Stored at"
        isOptional
        placeholder="Dry box 2"
        list={places}
        action={
          <datalist id={places}>
            {data?.places.map((place) => (
              <option key={place} value={place} />
            ))}
          </datalist>
        }
      />
      <Field
        {...bind('lotNumber')}
        label="Lot number"
        isOptional
        hint="The batch of the vendor, as printed on the spool."
      />
      <TextField {...bind('comment')} label="Comment" isOptional />
    </>
  );
}
