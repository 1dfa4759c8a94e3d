// Holds the fields with which the forms of spools and products add a material, and offers the usual plastics with their densities.
import { useId, useState } from 'react';
import { findUsualDensity, USUAL_DENSITIES } from '../../farm/inventory/usual-densities';
import { CreateMaterialDocument, type MaterialRowFragment } from '../../generated/web-operations';
import { DecimalField } from '../parts/decimal-field';
import type { BindField } from '../parts/field-texts';
import { Field } from '../parts/form';
import styles from '../parts/form.module.css';
import { swapSeparators } from '../parts/numbers';
import type { useSaving } from '../parts/saving';

/** The value of the choice that adds a new material. */
export const NEW_MATERIAL = 'new';
export const NEW_MATERIAL_CHOICE = [NEW_MATERIAL, 'New material …'] as const;

export const NEW_MATERIAL_TEXTS = { materialName: '', materialDensity: '' };
type NewMaterialTexts = typeof NEW_MATERIAL_TEXTS;

/** The fields of the members of the mutation. */
const FIELDS = { name: 'materialName', densityGPerCm3: 'materialDensity' };

/** If the gateway refuses the spool or the product after its material was added, the next attempt must not add the material again. */
export function useNewMaterial() {
  const [created, setCreated] = useState<MaterialRowFragment>();
  /** @returns the id of the new material; undefined if the gateway refused it */
  const create = async (texts: NewMaterialTexts, save: ReturnType<typeof useSaving>['save']) => {
    const densityGPerCm3 = texts.materialDensity || findUsualDensity(texts.materialName);
    const input = { name: texts.materialName, densityGPerCm3 };
    const material = (await save(CreateMaterialDocument, { input }, FIELDS))?.createMaterial;
    setCreated(material);
    return material?.id;
  };
  return { created, create };
}

interface NewMaterialFieldsProps {
  bind: BindField<keyof NewMaterialTexts>;
  materials: readonly MaterialRowFragment[] | undefined;
}

export function NewMaterialFields({ bind, materials = [] }: NewMaterialFieldsProps) {
  const name = bind('materialName');
  const usualDensity = findUsualDensity(name.value);
  return (
    <div className={styles['pair']}>
      <MaterialNameField {...name} label="Material name" validate={() => findNameFault(name.value, materials)} />
      <DecimalField
        {...bind('materialDensity')}
        label="Density in g/cm³"
        placeholder={usualDensity}
        isOptional={usualDensity !== ''}
        hint={
          usualDensity === ''
            ? 'On the data sheet of the filament.'
            : `Leave empty for the usual ${swapSeparators(usualDensity)}.`
        }
        required={usualDensity === ''}
        mustBePositive
      />
    </div>
  );
}

function findNameFault(name: string, materials: readonly MaterialRowFragment[]): string | null {
  const known = materials.find((material) => material.name.toLowerCase() === name.trim().toLowerCase());
  if (known === undefined) return null;
  return known.archivedAt === null
    ? `${known.name} exists already. Choose it in the field Material.`
    : `${known.name} is archived. Restore it under Products → Materials.`;
}

interface MaterialNameFieldProps {
  name: string;
  label: string;
  value: string;
  onChange: (event: { target: { value: string } }) => void;
  validate?: () => string | null;
}

/** The name of a material. The browser offers the usual plastics while the user types. */
export function MaterialNameField(props: MaterialNameFieldProps) {
  const plastics = useId();
  return (
    <Field
      {...props}
      placeholder="PLA"
      required
      list={plastics}
      action={
        <datalist id={plastics}>
          {Object.entries(USUAL_DENSITIES).map(([plastic, density]) => (
            <option key={plastic} value={plastic} label={`${plastic}, ${swapSeparators(density)} g/cm³`} />
          ))}
        </datalist>
      }
    />
  );
}
