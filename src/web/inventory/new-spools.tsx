// Shows the form for new spools. A product fills in most fields. Without a product the user enters them, and can add a new material too.
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
import { generateSerials } from './serials';
import { copyFilamentTexts, inputOf, listMaterialChoices, SpoolDetailFields, textsOf } from './spool-fields';

/** The value of the choice that adds a new material. */
const NEW_MATERIAL = 'new';
const MAX_COUNT = 50;

interface NewSpoolsProps {
  /** The spool that is duplicated. */
  original: SpoolRowFragment | undefined;
  /** The product whose values the form starts with. */
  filament: FilamentRowFragment | undefined;
  filaments: readonly FilamentRowFragment[];
  materials: readonly MaterialRowFragment[] | undefined;
  onDone: () => void;
}

export function NewSpools({ original, filament, filaments, materials, onDone }: NewSpoolsProps) {
  const allSpools = useSpools().data?.spools.nodes;
  const takenSerials = new Set(allSpools?.map(({ spoolSerial }) => spoolSerial));
  /** The material that this form has added. If the gateway then refuses the spool, the next attempt must not add the material again. */
  const [createdMaterial, setCreatedMaterial] = useState<MaterialRowFragment>();
  const { texts, isEdited, bind } = useTexts({
    ...textsOf(original),
    ...(original && { spoolSerial: generateSerials(original.spoolSerial, 2, takenSerials)[1] ?? '' }),
    ...(filament && copyFilamentTexts(filament)),
    ...(materials !== undefined && listMaterialChoices(materials).length === 0 && { materialId: NEW_MATERIAL }),
    count: '1',
    remainingGrams: '',
    name: '',
    densityGPerCm3: '',
  });
  const { save, isBusy, faults } = useSaving();
  const setText = (name: keyof typeof texts, value: string) => bind(name).onChange({ target: { value } });
  const chosenFilament = filaments.find(({ id }) => id === texts.filamentId);
  const hasFilament = texts.filamentId !== '';
  const listedMaterials = listMaterialChoices(
    materials,
    createdMaterial ?? chosenFilament?.material ?? original?.material,
  );
  const usualDensity = findUsualDensity(texts.name);
  const isNewMaterial = texts.materialId === NEW_MATERIAL;
  const count = parseCount(texts.count) ?? 1;
  const serials = generateSerials(texts.spoolSerial, count, takenSerials);
  const chooseFilament = (id: string) => {
    setText('filamentId', id);
    const filament = filaments.find((candidate) => candidate.id === id);
    for (const [name, value] of Object.entries(filament ? copyFilamentTexts(filament) : {}))
      setText(name as keyof typeof texts, value);
  };
  const createMaterial = async () => {
    const input = { name: texts.name, densityGPerCm3: texts.densityGPerCm3 || usualDensity };
    const material = (await save(CreateMaterialDocument, { input }))?.createMaterial;
    if (material === undefined) return undefined;
    setCreatedMaterial(material);
    setText('materialId', material.id);
    return material.id;
  };
  const submit = async () => {
    const materialId = isNewMaterial ? await createMaterial() : texts.materialId || null;
    if (materialId === undefined) return;
    for (const [index, spoolSerial] of serials.entries()) {
      const input = { ...inputOf(texts), spoolSerial, materialId, remainingGrams: texts.remainingGrams || null };
      if ((await save(CreateSpoolDocument, { input })) === undefined) {
        // The spools before this one were added. The form keeps those that are still missing.
        setText('spoolSerial', spoolSerial);
        setText('count', String(serials.length - index));
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
        choices={filamentChoices(offered(filaments, filament?.id, original?.filament?.id))}
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
          validate={() => (parseCount(texts.count) === undefined ? `Enter a number from 1 to ${MAX_COUNT}.` : null)}
        />
      </div>
      <ChoiceField
        {...bind('materialId')}
        label="Material"
        choices={[
          ['', hasFilament ? 'Same as the product' : 'Choose …'],
          ...listedMaterials,
          [NEW_MATERIAL, 'New material …'],
        ]}
        required={!hasFilament}
      />
      {isNewMaterial && (
        <div className={styles['pair']}>
          <Field {...bind('name')} label="Material name" placeholder="PLA" required />
          <DecimalField
            {...bind('densityGPerCm3')}
            label="Density in g/cm³"
            placeholder={usualDensity}
            isOptional={usualDensity !== ''}
            hint={usualDensity && `Leave empty for the usual ${usualDensity}.`}
            required={usualDensity === ''}
            mustBePositive
          />
        </div>
      )}
      <SpoolDetailFields bind={bind} hasFilament={hasFilament} />
      <DecimalField
        {...bind('remainingGrams')}
        label="Remaining in grams"
        isOptional
        hint="Leave empty if the spool is full."
      />
    </Form>
  );
}

/** Returns undefined if the text is not a valid count. */
function parseCount(text: string): number | undefined {
  const count = /^\s*\d{1,2}\s*$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= MAX_COUNT ? count : undefined;
}
