// The form of new spools: first the product, which fills in the rest; or by hand, with their material where it is new too.
import { useState } from 'react';
import { findUsualDensity } from '../../farm/inventory/usual-densities';
import {
  CreateMaterialDocument,
  CreateSpoolDocument,
  type FilamentRowFragment,
  type MaterialRowFragment,
  type SpoolRowFragment,
} from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { ChoiceField } from '../parts/choice-field';
import { DecimalField } from '../parts/decimal-field';
import { useTexts } from '../parts/field-texts';
import { Field, Form, FormButtons } from '../parts/form';
import styles from '../parts/form.module.css';
import { filamentChoices, offered, useSpools } from '../parts/object-choices';
import { useSaving } from '../parts/saving';
import { SearchChoice } from '../parts/search-choice';
import { serialsFrom } from './serials';
import { Details, inputOf, materialChoices, textsOf, textsOfFilament } from './spool-fields';

/** The choice of a material that is not in the farm yet. */
const NEW_MATERIAL = 'new';
const MAX_COUNT = 50;

interface NewSpoolsProps {
  /** The spool that they begin as copies of. */
  like: SpoolRowFragment | undefined;
  /** The filament that they begin as spools of. */
  filament: FilamentRowFragment | undefined;
  filaments: readonly FilamentRowFragment[];
  materials: readonly MaterialRowFragment[] | undefined;
  onDone: () => void;
}

export function NewSpools({ like, filament, filaments, materials, onDone }: NewSpoolsProps) {
  const all = useSpools().data?.spools.nodes;
  const taken = new Set(all?.map(({ spoolSerial }) => spoolSerial));
  /** The material that this form has made: a refusal of the spool must not make it again. */
  const [made, setMade] = useState<MaterialRowFragment>();
  const { texts, isEdited, bind } = useTexts({
    ...textsOf(like),
    ...(like && { spoolSerial: serialsFrom(like.spoolSerial, 2, taken)[1] ?? '' }),
    ...(filament && textsOfFilament(filament)),
    ...(materials !== undefined && materialChoices(materials).length === 0 && { materialId: NEW_MATERIAL }),
    count: '1',
    remainingGrams: '',
    name: '',
    densityGPerCm3: '',
  });
  const { save, isBusy, faults } = useSaving();
  const set = (name: keyof typeof texts, value: string) => bind(name).onChange({ target: { value } });
  const chosen = filaments.find(({ id }) => id === texts.filamentId);
  const hasFilament = texts.filamentId !== '';
  const inUse = materialChoices(materials, made ?? chosen?.material ?? like?.material);
  const usual = findUsualDensity(texts.name);
  const isNew = texts.materialId === NEW_MATERIAL;
  const count = countIn(texts.count) ?? 1;
  const serials = serialsFrom(texts.spoolSerial, count, taken);
  const chooseFilament = (id: string) => {
    set('filamentId', id);
    const found = filaments.find((one) => one.id === id);
    for (const [name, value] of Object.entries(found ? textsOfFilament(found) : {}))
      set(name as keyof typeof texts, value);
  };
  const makeMaterial = async () => {
    const input = { name: texts.name, densityGPerCm3: texts.densityGPerCm3 || usual };
    const material = (await save(CreateMaterialDocument, { input }))?.createMaterial;
    if (material === undefined) return undefined;
    setMade(material);
    set('materialId', material.id);
    return material.id;
  };
  const submit = async () => {
    const materialId = isNew ? await makeMaterial() : texts.materialId || null;
    if (materialId === undefined) return;
    for (const [at, spoolSerial] of serials.entries()) {
      const input = { ...inputOf(texts), spoolSerial, materialId, remainingGrams: texts.remainingGrams || null };
      if ((await save(CreateSpoolDocument, { input })) === undefined) {
        // The spools before it are made. The form goes on with the rest.
        set('spoolSerial', spoolSerial);
        set('count', String(serials.length - at));
        return;
      }
    }
    announce(count === 1 ? 'Spool added.' : `${count} spools added.`);
    onDone();
  };
  return (
    <Form
      faults={faults}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={
        <FormButtons action={count === 1 ? 'Add spool' : `Add ${count} spools`} isBusy={isBusy} onCancel={onDone} />
      }
    >
      <SearchChoice
        {...bind('filamentId')}
        label="Product"
        isOptional
        hint="Fills in the fields below."
        choices={filamentChoices(offered(filaments, filament?.id, like?.filament?.id))}
        onChange={({ target }) => chooseFilament(target.value)}
        placeholder={filaments.length === 0 ? 'No products yet' : 'None'}
      />
      <div className={styles['pair']}>
        <Field
          {...bind('spoolSerial')}
          label="Serial"
          hint={count > 1 && texts.spoolSerial !== '' ? `Up to ${serials.at(-1)}` : 'Any unique name.'}
          required
        />
        <Field
          {...bind('count')}
          label="Quantity"
          inputMode="numeric"
          faultOf={() => (countIn(texts.count) === undefined ? `Enter a number from 1 to ${MAX_COUNT}.` : null)}
        />
      </div>
      <ChoiceField
        {...bind('materialId')}
        label="Material"
        choices={[['', hasFilament ? 'Same as the product' : 'Choose …'], ...inUse, [NEW_MATERIAL, 'New material …']]}
        required={!hasFilament}
      />
      {isNew && (
        <div className={styles['pair']}>
          <Field {...bind('name')} label="Material name" placeholder="PLA" required />
          <DecimalField
            {...bind('densityGPerCm3')}
            label="Density in g/cm³"
            placeholder={usual}
            isOptional={usual !== ''}
            hint={usual && `Leave empty for the usual ${usual}.`}
            required={usual === ''}
            isAboveZero
          />
        </div>
      )}
      <Details bind={bind} hasFilament={hasFilament} />
      <DecimalField
        {...bind('remainingGrams')}
        label="Remaining in grams"
        isOptional
        hint="Leave empty if the spool is full."
      />
    </Form>
  );
}

/** Undefined for a text that is none. */
function countIn(text: string): number | undefined {
  const count = /^\s*\d{1,2}\s*$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= MAX_COUNT ? count : undefined;
}
