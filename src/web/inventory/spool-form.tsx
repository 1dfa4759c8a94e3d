// The forms of spools: one that is changed, and new ones, with their material where it is new too.
import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import {
  ArchiveSpoolDocument,
  CreateMaterialDocument,
  CreateSpoolDocument,
  type MaterialRowFragment,
  MaterialsDocument,
  RemoveSpoolDocument,
  type SpoolRowFragment,
  UpdateSpoolDocument,
} from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { ChoiceField } from '../parts/choice-field';
import { useSpools } from '../parts/choices';
import { DecimalField } from '../parts/decimal-field';
import { Editor, type Kind, type useEditor } from '../parts/editor';
import { Field, Form, FormButtons, FormDialog } from '../parts/form';
import styles from '../parts/form.module.css';
import { useAmountLabel } from '../parts/money';
import { type BindOf, useSaving, useTexts } from '../parts/saving';
import { inNaturalOrder } from '../parts/words';
import own from './inventory.module.css';
import { serialsFrom } from './serials';

type Spool = SpoolRowFragment;
type Texts = ReturnType<typeof textsOf>;
type Bind = BindOf<keyof Texts>;

const textsOf = (spool: Spool | undefined) => ({
  spoolSerial: spool?.spoolSerial ?? '',
  materialId: spool?.material.id ?? '',
  filamentDiameterMm: spool?.filamentDiameterMm ?? '1.75',
  weightTotalGrams: spool?.weightTotalGrams ?? '1000',
  purchasePrice: spool?.purchasePrice ?? '',
  colorHex: spool?.colorHex ?? '',
  vendor: spool?.vendor ?? '',
});

/** Empty texts of members that may be missing take them away. */
const inputOf = (texts: Texts) => ({
  spoolSerial: texts.spoolSerial,
  materialId: texts.materialId,
  filamentDiameterMm: texts.filamentDiameterMm,
  weightTotalGrams: texts.weightTotalGrams,
  purchasePrice: texts.purchasePrice || null,
  colorHex: texts.colorHex || null,
  vendor: texts.vendor || null,
});

const KIND: Kind<Spool, keyof Texts, ReturnType<typeof inputOf>> = {
  noun: 'spool',
  nameOf: ({ spoolSerial }) => spoolSerial,
  textsOf,
  inputOf,
  changesOf: inputOf,
  update: UpdateSpoolDocument,
  archive: ArchiveSpoolDocument,
  remove: RemoveSpoolDocument,
};

interface SpoolEditorProps {
  editor: ReturnType<typeof useEditor<Spool>>;
  onRemoved?: () => void;
}

export function SpoolEditor({ editor, onRemoved }: SpoolEditorProps) {
  const materials = useMaterials();
  if (editor.row !== undefined) {
    const fields = (bind: Bind, spool: Spool | undefined) => (
      <>
        <Field {...bind('spoolSerial')} label="Serial" required />
        <ChoiceField
          {...bind('materialId')}
          label="Material"
          choices={choicesOf(materials, spool?.material)}
          required
        />
        <Details bind={bind} />
      </>
    );
    return <Editor kind={KIND} editor={editor} fields={fields} {...(onRemoved && { onRemoved })} />;
  }
  return (
    <FormDialog title="New spool" isOpen={editor.isOpen} onClose={editor.close}>
      <NewSpools like={editor.like} materials={materials} onDone={editor.close} />
    </FormDialog>
  );
}

const useMaterials = () => useQuery(MaterialsDocument, { variables: { archived: null } }).data?.materials;

/** Those in use, and the one that a spool has. */
const choicesOf = (materials: readonly MaterialRowFragment[] = [], kept?: MaterialRowFragment) =>
  [...materials.filter(({ id, archivedAt }) => archivedAt === null && id !== kept?.id), ...(kept ? [kept] : [])]
    .sort((one, other) => inNaturalOrder(one.name, other.name))
    .map(({ id, name }) => [id, name] as const);

/** All but the serial and the material. */
function Details({ bind }: { bind: Bind }) {
  const priceLabel = useAmountLabel('Price');
  const colour = bind('colorHex');
  return (
    <>
      <div className={styles['pair']}>
        <DecimalField {...bind('filamentDiameterMm')} label="Diameter in mm" required isAboveZero />
        <DecimalField {...bind('weightTotalGrams')} label="Grams when full" required />
        <DecimalField {...bind('purchasePrice')} label={priceLabel} hint="Of the full spool." />
        <Field
          {...colour}
          label="Colour"
          placeholder="#1E90FF"
          beside={
            <input
              type="color"
              className={own['picker']}
              aria-label="Pick the colour"
              value={/^#[0-9a-f]{6}$/i.test(colour.value) ? colour.value : '#808080'}
              onChange={({ target }) => colour.onChange({ target: { value: target.value.toUpperCase() } })}
            />
          }
          faultOf={() => (IS_COLOUR.test(colour.value) ? null : NO_COLOUR)}
        />
      </div>
      <Field {...bind('vendor')} label="Vendor" />
    </>
  );
}

const IS_COLOUR = /^\s*(#[0-9a-f]{6})?\s*$/i;
/** As the gateway says it. */
const NO_COLOUR = 'must be # and six hexadecimal digits such as #1E90FF';

/** The choice of a material that is not in the farm yet. */
const NEW_MATERIAL = 'new';
const MAX_COUNT = 50;

interface NewSpoolsProps {
  /** The spool that they begin as copies of. */
  like: Spool | undefined;
  materials: readonly MaterialRowFragment[] | undefined;
  onDone: () => void;
}

function NewSpools({ like, materials, onDone }: NewSpoolsProps) {
  const all = useSpools().data?.spools.nodes;
  const taken = new Set(all?.map(({ spoolSerial }) => spoolSerial));
  /** The material that this form has made: a refusal of the spool must not make it again. */
  const [made, setMade] = useState<MaterialRowFragment>();
  const inUse = choicesOf(materials, made ?? like?.material);
  const { texts, isEdited, bind } = useTexts({
    ...textsOf(like),
    ...(like && { spoolSerial: serialsFrom(like.spoolSerial, 2, taken)[1] ?? '' }),
    ...(materials !== undefined && inUse.length === 0 && { materialId: NEW_MATERIAL }),
    count: '1',
    name: '',
    densityGPerCm3: '',
  });
  const { save, isBusy, faults } = useSaving();
  const set = (name: keyof typeof texts, value: string) => bind(name).onChange({ target: { value } });
  const usual = usualDensityOf(texts.name);
  const isNew = texts.materialId === NEW_MATERIAL;
  const count = countIn(texts.count) ?? 1;
  const serials = serialsFrom(texts.spoolSerial, count, taken);
  const makeMaterial = async () => {
    const input = { name: texts.name, densityGPerCm3: texts.densityGPerCm3 || usual };
    const material = (await save(CreateMaterialDocument, { input }))?.createMaterial;
    if (material === undefined) return undefined;
    setMade(material);
    set('materialId', material.id);
    return material.id;
  };
  const submit = async () => {
    const materialId = isNew ? await makeMaterial() : texts.materialId;
    if (materialId === undefined) return;
    for (const [at, spoolSerial] of serials.entries()) {
      const input = { ...inputOf(texts), spoolSerial, materialId };
      if ((await save(CreateSpoolDocument, { input })) === undefined) {
        // Those before it are made. The form goes on with the rest.
        set('spoolSerial', spoolSerial);
        set('count', String(serials.length - at));
        return;
      }
    }
    announce(count === 1 ? 'The spool is added.' : `${count} spools are added.`);
    onDone();
  };
  return (
    <Form
      faults={faults}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={<FormButtons action="Add" isBusy={isBusy} onCancel={onDone} />}
    >
      <div className={styles['pair']}>
        <Field
          {...bind('spoolSerial')}
          label="Serial"
          hint={count > 1 && texts.spoolSerial !== '' ? `To ${serials.at(-1)}` : undefined}
          required
        />
        <Field
          {...bind('count')}
          label="How many like this"
          inputMode="numeric"
          faultOf={() => (countIn(texts.count) === undefined ? `must be from 1 to ${MAX_COUNT}` : null)}
        />
      </div>
      <ChoiceField
        {...bind('materialId')}
        label="Material"
        choices={[['', 'Choose …'], ...inUse, [NEW_MATERIAL, 'A new material …']]}
        required
      />
      {isNew && (
        <div className={styles['pair']}>
          <Field {...bind('name')} label="Name of the material" placeholder="PLA" required />
          <DecimalField
            {...bind('densityGPerCm3')}
            label="Density in g/cm³"
            placeholder={usual}
            hint={usual && `Empty: ${usual}, as usual.`}
            required={usual === ''}
            isAboveZero
          />
        </div>
      )}
      <Details bind={bind} />
    </Form>
  );
}

/** Undefined for a text that is none. */
function countIn(text: string): number | undefined {
  const count = /^\s*\d{1,2}\s*$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= MAX_COUNT ? count : undefined;
}

/** In g/cm³, as their makers say. */
const USUAL_DENSITIES: Record<string, string> = {
  PLA: '1.24',
  PETG: '1.27',
  ABS: '1.04',
  ASA: '1.07',
  TPU: '1.21',
  PC: '1.20',
  PA: '1.14',
};

/** '' where none is usual. */
const usualDensityOf = (name: string): string => USUAL_DENSITIES[name.trim().toUpperCase()] ?? '';
