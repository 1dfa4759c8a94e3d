// Shows the form for new spools. A product fills in most fields. Without a product the user enters them, and can add a new material too.
import { useState } from 'react';
import {
  CreateSpoolDocument,
  type FilamentRowFragment,
  type MaterialRowFragment,
  type SpoolRowFragment,
} from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { ChoiceField } from '../parts/choice-field';
import { DecimalField } from '../parts/decimal-field';
import { useFieldTexts } from '../parts/field-texts';
import { Field, Form, FormButtons } from '../parts/form';
import styles from '../parts/form.module.css';
import { filamentChoices, selectableRows, useSpools } from '../parts/object-choices';
import { useSaving } from '../parts/saving';
import { SearchChoice } from '../parts/search-choice';
import { useFullSpoolQuestion } from './full-spool-question';
import {
  NEW_MATERIAL,
  NEW_MATERIAL_CHOICE,
  NEW_MATERIAL_TEXTS,
  NewMaterialFields,
  useNewMaterial,
} from './new-material';
import { generateSerials } from './serials';
import { copyFilamentTexts, inputOf, listMaterialChoices, SpoolDetailFields, textsOf } from './spool-fields';

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
  const newMaterial = useNewMaterial();
  const askAboveFull = useFullSpoolQuestion();
  const { texts, edited, isEdited, bind } = useFieldTexts({
    ...textsOf(original),
    ...(original && { spoolSerial: generateSerials(original.spoolSerial, 2, takenSerials)[1] ?? '' }),
    ...(filament && copyFilamentTexts(filament)),
    ...(materials !== undefined && listMaterialChoices(materials).length === 0 && { materialId: NEW_MATERIAL }),
    count: '1',
    remainingGrams: '',
    ...NEW_MATERIAL_TEXTS,
  });
  /** The values that products have filled in. A field with another value was typed by the user. */
  const [filledIn, setFilledIn] = useState<Partial<typeof texts>>({});
  const { save, isBusy, faults } = useSaving();
  const setText = (name: keyof typeof texts, value: string) => bind(name).onChange({ target: { value } });
  const chosenFilament = filaments.find(({ id }) => id === texts.filamentId);
  const hasFilament = texts.filamentId !== '';
  const listedMaterials = listMaterialChoices(
    materials,
    newMaterial.created,
    chosenFilament?.material ?? original?.material,
  );
  const isNewMaterial = texts.materialId === NEW_MATERIAL;
  const count = parseCount(texts.count) ?? 1;
  const serials = generateSerials(texts.spoolSerial, count, takenSerials);
  /** A product fills in its values, except where the user typed another value. The material is always that of the product. */
  const chooseFilament = (id: string) => {
    setText('filamentId', id);
    const filament = filaments.find((candidate) => candidate.id === id);
    if (filament === undefined) return;
    const { filamentId: _, materialId, ...values } = copyFilamentTexts(filament);
    setText('materialId', materialId);
    const names = Object.keys(values) as (keyof typeof values)[];
    const untyped = names.filter((name) => edited[name] === undefined || edited[name] === filledIn[name]);
    for (const name of untyped) setText(name, values[name]);
    setFilledIn((before) => ({ ...before, ...Object.fromEntries(untyped.map((name) => [name, values[name]])) }));
  };
  const submit = async () => {
    const fullGrams = texts.weightTotalGrams || (chosenFilament?.weightTotalGrams ?? '0');
    if (texts.remainingGrams !== '' && !(await askAboveFull(texts.remainingGrams, fullGrams))) return;
    const materialId = isNewMaterial ? await newMaterial.create(texts, save) : texts.materialId || null;
    if (materialId === undefined) return;
    if (isNewMaterial && materialId !== null) setText('materialId', materialId);
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
        choices={filamentChoices(selectableRows(filaments, filament?.id, original?.filament?.id))}
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
        choices={[['', hasFilament ? 'Same as the product' : 'Choose …'], ...listedMaterials, NEW_MATERIAL_CHOICE]}
        required={!hasFilament}
      />
      {isNewMaterial && <NewMaterialFields bind={bind} materials={materials} />}
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
