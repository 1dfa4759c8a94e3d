// The fields of a spool.
import type { MaterialRowFragment } from '../../generated/web-operations';
import { ChoiceField } from '../parts/choice-field';
import { DecimalField } from '../parts/decimal-field';
import { Field } from '../parts/form';
import styles from '../parts/form.module.css';
import { useAmountLabel } from '../parts/money';
import type { useTexts } from '../parts/saving';
import own from './inventory.module.css';
import type { SPOOL_KIND, Spool } from './spool-kind';

interface SpoolFieldsProps {
  bind: ReturnType<typeof useTexts<keyof ReturnType<typeof SPOOL_KIND.textsOf>>>['bind'];
  spool: Spool | undefined;
  materials: readonly MaterialRowFragment[];
}

export function SpoolFields({ bind, spool, materials }: SpoolFieldsProps) {
  const priceLabel = useAmountLabel('Price');
  const choices = materials
    .filter(({ id, archivedAt }) => archivedAt === null || id === spool?.material.id)
    .map(({ id, name }) => [id, name] as const);
  return (
    <>
      <Field {...bind('spoolSerial')} label="Serial" required />
      <ChoiceField {...bind('materialId')} label="Material" choices={[['', 'Choose …'], ...choices]} required />
      <div className={styles['pair']}>
        <DecimalField {...bind('filamentDiameterMm')} label="Diameter in mm" required isAboveZero />
        <DecimalField {...bind('weightTotalGrams')} label="Grams when full" required />
        <DecimalField {...bind('purchasePrice')} label={priceLabel} hint="Of the full spool." />
        <Field
          {...bind('colorHex')}
          label="Colour"
          placeholder="#1E90FF"
          beside={
            <input
              type="color"
              className={own['picker']}
              aria-label="Pick the colour"
              value={/^#[0-9a-f]{6}$/i.test(bind('colorHex').value) ? bind('colorHex').value : '#808080'}
              onChange={({ target }) => bind('colorHex').onChange({ target: { value: target.value.toUpperCase() } })}
            />
          }
          faultOf={() => (IS_COLOUR.test(bind('colorHex').value) ? null : NO_COLOUR)}
        />
      </div>
      <Field {...bind('vendor')} label="Vendor" />
    </>
  );
}

const IS_COLOUR = /^\s*(#[0-9a-f]{6})?\s*$/i;
/** As the gateway says it. */
const NO_COLOUR = 'must be # and six hexadecimal digits such as #1E90FF';
