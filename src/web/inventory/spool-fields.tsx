// The fields that the forms of one spool and of new ones share.
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
import { DecimalField } from '../parts/decimal-field';
import type { BindOf } from '../parts/field-texts';
import { Field } from '../parts/form';
import styles from '../parts/form.module.css';
import { inNaturalOrder } from '../parts/formats';
import { useAmountLabel } from '../parts/money';
import own from './inventory.module.css';

export type SpoolTexts = ReturnType<typeof textsOf>;
export type Bind = BindOf<keyof SpoolTexts>;

/** With it the forms of a new spool and a new product begin. */
export const USUAL_SIZE = { diameterMm: '1.75', grams: '1000' };

export const textsOf = (spool: SpoolRowFragment | undefined) => ({
  spoolSerial: spool?.spoolSerial ?? '',
  filamentId: spool?.filament?.id ?? '',
  materialId: spool?.material.id ?? '',
  filamentDiameterMm: spool?.filamentDiameterMm ?? USUAL_SIZE.diameterMm,
  weightTotalGrams: spool?.weightTotalGrams ?? USUAL_SIZE.grams,
  tareGrams: spool?.tareGrams ?? '',
  purchasePrice: spool?.purchasePrice ?? '',
  colorHex: spool?.colorHex ?? '',
  vendor: spool?.vendor ?? '',
  place: spool?.place ?? '',
});

/** What a new spool takes from its filament. */
export const textsOfFilament = (filament: FilamentRowFragment) => ({
  filamentId: filament.id,
  materialId: filament.material.id,
  filamentDiameterMm: filament.filamentDiameterMm,
  weightTotalGrams: filament.weightTotalGrams,
  purchasePrice: filament.purchasePrice ?? '',
  colorHex: filament.colorHex ?? '',
  vendor: filament.vendor ?? '',
});

/** Empty texts of members that may be missing take them away; a new spool takes them from its filament. */
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
});

export const useMaterials = () => useQuery(MaterialsDocument, { variables: { archived: null } }).data?.materials;

/** The materials in use, and the one that a spool or filament has. */
export const materialChoices = (materials: readonly MaterialRowFragment[] = [], kept?: MaterialRowFragment) =>
  [...materials.filter(({ id, archivedAt }) => archivedAt === null && id !== kept?.id), ...(kept ? [kept] : [])]
    .sort((one, other) => inNaturalOrder(one.name, other.name))
    .map(({ id, name }) => [id, name] as const);

type SizeBind = BindOf<
  'filamentDiameterMm' | 'weightTotalGrams' | 'tareGrams' | 'purchasePrice' | 'colorHex' | 'vendor'
>;

interface SizesProps {
  bind: SizeBind;
  /** An empty field takes the value from the filament. */
  mayBeEmpty?: boolean;
  tareHint: string;
}

/** Size, price, colour and vendor: of a spool, and of a filament. */
export function Sizes({ bind, mayBeEmpty = false, tareHint }: SizesProps) {
  const priceLabel = useAmountLabel('Price');
  const colour = bind('colorHex');
  const text = colour.value.trim();
  return (
    <div className={styles['pair']}>
      <DecimalField
        {...bind('filamentDiameterMm')}
        label="Diameter in mm"
        isOptional={mayBeEmpty}
        required={!mayBeEmpty}
        isAboveZero
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
        {...colour}
        label="Colour"
        isOptional
        placeholder="#1E90FF"
        beside={
          <input
            type="color"
            className={own['picker']}
            aria-label="Pick the colour"
            value={COLOR_FORM.test(colour.value) ? colour.value : '#808080'}
            onChange={({ target }) => colour.onChange({ target: { value: target.value.toUpperCase() } })}
          />
        }
        faultOf={() => (text === '' || COLOR_FORM.test(text) ? null : COLOR_FAULT)}
      />
      <Field {...bind('vendor')} label="Vendor" isOptional />
    </div>
  );
}

/** All but the serial, the product and the material. */
export function Details({ bind, hasFilament }: { bind: Bind; hasFilament: boolean }) {
  const { data } = useQuery(PlacesDocument);
  const places = useId();
  return (
    <>
      <Sizes
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
        beside={
          <datalist id={places}>
            {data?.places.map((place) => (
              <option key={place} value={place} />
            ))}
          </datalist>
        }
      />
    </>
  );
}
