// Shows the dialog that changes a spool, or adds new spools.
import {
  ArchiveSpoolDocument,
  type FilamentRowFragment,
  RemoveSpoolDocument,
  type SpoolRowFragment,
  UpdateSpoolDocument,
} from '../../generated/web-operations';
import { ChoiceField } from '../parts/choice-field';
import { Editor, type EditorKind, type useEditor } from '../parts/editor';
import { Field, FormDialog } from '../parts/form';
import { filamentChoices, selectableRows, useFilaments } from '../parts/object-choices';
import { SearchChoice } from '../parts/search-choice';
import { NewSpools } from './new-spools';
import {
  type Bind,
  inputOf,
  listMaterialChoices,
  SpoolDetailFields,
  type SpoolTexts,
  textsOf,
  useMaterials,
} from './spool-fields';

type Spool = SpoolRowFragment;

const KIND: EditorKind<Spool, keyof SpoolTexts, ReturnType<typeof inputOf>> = {
  noun: 'spool',
  nameOf: ({ spoolSerial }) => spoolSerial,
  toTexts: textsOf,
  toInput: inputOf,
  toChanges: inputOf,
  update: UpdateSpoolDocument,
  archive: ArchiveSpoolDocument,
  remove: RemoveSpoolDocument,
};

interface SpoolEditorProps {
  editor: ReturnType<typeof useEditor<Spool>>;
  /** The product of new spools. */
  filament?: FilamentRowFragment;
  onRemoved?: () => void;
}

export function SpoolEditor({ editor, filament, onRemoved }: SpoolEditorProps) {
  const materials = useMaterials();
  const filaments = useFilaments().data?.filaments.nodes ?? [];
  if (editor.row !== undefined) {
    const fields = (bind: Bind, spool: Spool | undefined) => (
      <>
        <Field {...bind('spoolSerial')} label="Serial" required />
        <SearchChoice
          {...bind('filamentId')}
          label="Product"
          isOptional
          choices={filamentChoices(selectableRows(filaments, spool?.filament?.id))}
          placeholder="None"
        />
        <ChoiceField
          {...bind('materialId')}
          label="Material"
          choices={listMaterialChoices(materials, spool?.material)}
          required
        />
        <SpoolDetailFields bind={bind} hasFilament={bind('filamentId').value !== ''} />
      </>
    );
    return <Editor kind={KIND} editor={editor} fields={fields} {...(onRemoved && { onRemoved })} />;
  }
  return (
    <FormDialog title="Add spools" isOpen={editor.isOpen} onClose={editor.close}>
      <NewSpools
        original={editor.template}
        filament={filament}
        filaments={filaments}
        materials={materials}
        onDone={editor.close}
      />
    </FormDialog>
  );
}
