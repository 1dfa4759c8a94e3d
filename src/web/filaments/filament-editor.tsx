// Shows the dialog that adds, changes, archives and removes a product (a filament, in the schema).
import {
  ArchiveFilamentDocument,
  CreateFilamentDocument,
  type FilamentRowFragment,
  RemoveFilamentDocument,
  UpdateFilamentDocument,
} from '../../generated/web-operations';
import {
  NEW_MATERIAL,
  NEW_MATERIAL_CHOICE,
  NEW_MATERIAL_TEXTS,
  NewMaterialFields,
  useNewMaterial,
} from '../inventory/new-material';
import { DEFAULT_SIZE, listMaterialChoices, SizeFields, useMaterials } from '../inventory/spool-fields';
import { ChoiceField, TextField } from '../parts/choice-field';
import { DecimalField } from '../parts/decimal-field';
import { Editor, type EditorKind, type useEditor } from '../parts/editor';
import { Check, Field } from '../parts/form';
import styles from '../parts/form.module.css';
import { filamentName } from '../parts/formats';
import { ColorFields, colorsOf } from './color-fields';
import { TemperatureField, toTemperature } from './temperature-field';

type Row = FilamentRowFragment | undefined;
type Texts = ReturnType<typeof textsOf>;

const textsOf = (filament: Row) => ({
  name: filament?.name ?? '',
  vendor: filament?.vendor ?? '',
  materialId: filament?.material.id ?? '',
  colorHex: filament?.colorHex ?? '',
  filamentDiameterMm: filament?.filamentDiameterMm ?? DEFAULT_SIZE.diameterMm,
  weightTotalGrams: filament?.weightTotalGrams ?? DEFAULT_SIZE.grams,
  tareGrams: filament?.tareGrams ?? '',
  purchasePrice: filament?.purchasePrice ?? '',
  articleNumber: filament?.articleNumber ?? '',
  minimumGrams: filament?.minimumGrams ?? '',
  colorHexes: filament?.colorHexes.join(' ') ?? '',
  colorArrangement: filament?.colorArrangement ?? '',
  extruderTempC: filament?.extruderTempC?.toString() ?? '',
  bedTempC: filament?.bedTempC?.toString() ?? '',
  comment: filament?.comment ?? '',
  ofSpools: '',
  ...NEW_MATERIAL_TEXTS,
});

/** The text of an empty optional field becomes `null`, which clears the stored value. */
const inputOf = (texts: Texts) => ({
  name: texts.name,
  vendor: texts.vendor || null,
  materialId: texts.materialId,
  colorHex: texts.colorHex || null,
  filamentDiameterMm: texts.filamentDiameterMm,
  weightTotalGrams: texts.weightTotalGrams,
  tareGrams: texts.tareGrams || null,
  purchasePrice: texts.purchasePrice || null,
  articleNumber: texts.articleNumber || null,
  minimumGrams: texts.minimumGrams || null,
  ...colorsOf(texts),
  extruderTempC: toTemperature(texts.extruderTempC),
  bedTempC: toTemperature(texts.bedTempC),
  comment: texts.comment || null,
});

const KIND: EditorKind<FilamentRowFragment, keyof Texts, ReturnType<typeof inputOf>> = {
  noun: 'product',
  nameOf: filamentName,
  toTexts: textsOf,
  toInput: inputOf,
  toChanges: inputOf,
  updateArguments: ({ ofSpools }) => ({ ofSpools: ofSpools !== '' }),
  create: CreateFilamentDocument,
  update: UpdateFilamentDocument,
  archive: ArchiveFilamentDocument,
  remove: RemoveFilamentDocument,
  describeLoss: async () => 'To hide the product from new spools and keep its history, archive it instead.',
};

interface FilamentEditorProps {
  editor: ReturnType<typeof useEditor<FilamentRowFragment>>;
  onRemoved?: () => void;
}

export function FilamentEditor({ editor, onRemoved }: FilamentEditorProps) {
  const materials = useMaterials();
  const newMaterial = useNewMaterial();
  const currentMaterial = (editor.row ?? editor.template)?.material;
  const choices = listMaterialChoices(materials, newMaterial.created, currentMaterial);
  const isFirst = materials !== undefined && choices.length === 0;
  const kind = { ...KIND, toTexts: (row: Row) => ({ ...textsOf(row), ...(isFirst && { materialId: NEW_MATERIAL }) }) };
  return (
    <Editor
      kind={kind}
      editor={editor}
      {...(onRemoved && { onRemoved })}
      saveFirst={async (texts, save) => {
        if (texts.materialId !== NEW_MATERIAL) return {};
        const materialId = await newMaterial.create(texts, save);
        return materialId === undefined ? undefined : { materialId };
      }}
      fields={(bind, filament) => (
        <>
          <Field {...bind('name')} label="Name" placeholder="PLA Galaxy Black" required />
          <ChoiceField
            {...bind('materialId')}
            label="Material"
            choices={[...(currentMaterial ? [] : [['', 'Choose …'] as const]), ...choices, NEW_MATERIAL_CHOICE]}
            required
          />
          {bind('materialId').value === NEW_MATERIAL && <NewMaterialFields bind={bind} materials={materials} />}
          <SizeFields bind={bind} tareHint="Its weight (tare), needed to weigh spools on a scale." />
          <ColorFields bind={bind} />
          <div className={styles['pair']}>
            <TemperatureField {...bind('extruderTempC')} label="Extruder in °C" />
            <TemperatureField {...bind('bedTempC')} label="Bed in °C" />
          </div>
          <div className={styles['pair']}>
            <Field
              {...bind('articleNumber')}
              label="Article number"
              isOptional
              hint="The number in the shop of the vendor."
            />
            <DecimalField
              {...bind('minimumGrams')}
              label="Minimum stock in grams"
              isOptional
              hint="You get an alert when less is free."
            />
          </div>
          <TextField {...bind('comment')} label="Comment" isOptional />
          {filament !== undefined && (
            <Check {...bind('ofSpools')}>
              Also update its active spools: material, diameter, colour and vendor, where a spool still has the old
              value
            </Check>
          )}
        </>
      )}
    />
  );
}
