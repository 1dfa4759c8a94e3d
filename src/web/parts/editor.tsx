// The dialog in which a user adds, edits, archives and removes a spool, product, material, printer or camera.
import type { ApolloClient, TypedDocumentNode } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { type ReactNode, useState } from 'react';
import { announce } from './announcer';
import { Button } from './button';
import { useConfirm } from './confirm';
import { useFieldTexts } from './field-texts';
import { Form, FormButtons, FormDialog } from './form';
import styles from './form.module.css';
import { useSaving } from './saving';

type Bind<Name extends string> = ReturnType<typeof useFieldTexts<Name>>['bind'];

interface Stored {
  id: string;
  archivedAt?: string | null;
}

/** What differs between the dialogs of spools, products, materials, printers and cameras. */
export interface EditorKind<Row extends Stored, Name extends string, Input, Changes = Input> {
  noun: string;
  nameOf: (row: Row) => string;
  /** The texts of the fields when the dialog opens. */
  toTexts: (row: Row | undefined) => Record<Name, string>;
  toInput: (texts: Record<Name, string>) => Input;
  /** The members of the changes have the names of the fields. */
  toChanges: (texts: Record<Name, string>) => Changes;
  /** Missing if new objects are added in another form. */
  create?: TypedDocumentNode<unknown, { input: Input }>;
  update: TypedDocumentNode<unknown, { id: string; input: Changes }>;
  /** Further arguments of the update mutation, from fields that are not members of its input. */
  updateArguments?: (texts: Record<Name, string>) => Record<string, unknown>;
  /** The members that only the update mutation accepts. A new object with such values is created and then updated. */
  updateOnly?: readonly Name[];
  /** Missing if objects of this kind cannot be archived. */
  archive?: TypedDocumentNode<unknown, { id: string; archived: boolean }>;
  /** The consequences of archiving the object, shown as a question before it; `null` if no question is needed. */
  archiveWarning?: (row: Row) => string | null;
  remove: TypedDocumentNode<unknown, { id: string }>;
  /** Describes the data that are removed with the object, for the question before the removal. */
  describeLoss?: (apollo: ApolloClient, row: Row) => Promise<string>;
}

/** The state of the dialog: closed, open for a row, or open for a new object. */
export function useEditor<Row>() {
  const [row, setRow] = useState<Row>();
  const [template, setTemplate] = useState<Row>();
  const [isOpen, setOpen] = useState(false);
  const show = (row: Row | undefined, template: Row | undefined) => {
    setRow(row);
    setTemplate(template);
    setOpen(true);
  };
  const open = (row?: Row) => show(row, undefined);
  /** Opens the dialog for a new object whose fields are filled with the values of another. */
  const openCopy = (template: Row) => show(undefined, template);
  const close = () => setOpen(false);
  return { row, template, isOpen, open, openCopy, close };
}

interface EditorProps<Row extends Stored, Name extends string, Input, Changes> {
  kind: EditorKind<Row, Name, Input, Changes>;
  editor: ReturnType<typeof useEditor<Row>>;
  fields: (bind: Bind<Name>, row: Row | undefined) => ReactNode;
  /**
   * Saves what the object needs first, such as a new material.
   * @returns texts that replace those of the form; undefined if the gateway refused it
   */
  saveFirst?: (texts: Record<Name, string>, save: Save) => Promise<Partial<Record<Name, string>> | undefined>;
  onCreated?: (texts: Record<Name, string>) => void;
  /** `saved` is the answer of the gateway. */
  onSaved?: (saved: unknown, texts: Record<Name, string>) => void;
  onRemoved?: () => void;
}

export function Editor<Row extends Stored, Name extends string, Input, Changes>(
  props: EditorProps<Row, Name, Input, Changes>,
) {
  const { kind, editor } = props;
  const title = editor.row === undefined ? `Add a ${kind.noun}` : `Edit ${kind.nameOf(editor.row)}`;
  return (
    <FormDialog title={title} isOpen={editor.isOpen} onClose={editor.close}>
      <EditorForm {...props} />
    </FormDialog>
  );
}

function EditorForm<Row extends Stored, Name extends string, Input, Changes>(
  props: EditorProps<Row, Name, Input, Changes>,
) {
  const { kind, editor, fields, saveFirst, onCreated, onSaved, onRemoved } = props;
  const { row } = editor;
  const { texts: shown, edited, isEdited, bind } = useFieldTexts(kind.toTexts(row ?? editor.template));
  const { save, isBusy, faults } = useSaving();
  /** Only edited members are sent, because another window may have changed the others. */
  const listChanges = (texts: Record<Name, string>) =>
    Object.fromEntries(Object.entries(kind.toChanges(texts) as object).filter(([name]) => name in edited)) as Changes;
  const close = (message: string) => {
    announce(message);
    editor.close();
  };
  const submit = async () => {
    const replaced: Partial<Record<Name, string>> | undefined = saveFirst ? await saveFirst(shown, save) : {};
    if (replaced === undefined) return;
    for (const name of Object.keys(replaced) as Name[])
      bind(name).onChange({ target: { value: replaced[name] ?? '' } });
    const texts = { ...shown, ...replaced };
    const saved =
      row === undefined
        ? kind.create && (await save(kind.create, { input: kind.toInput(texts) }))
        : await save(kind.update, { ...kind.updateArguments?.(texts), id: row.id, input: listChanges(texts) });
    if (saved === undefined) return;
    if (row === undefined && kind.updateOnly?.some((name) => texts[name] !== '')) {
      const [created] = Object.values(saved as Record<string, Row>) as [Row];
      // The object exists now, so the dialog switches to editing it. If the update fails, saving again must not create a second object.
      editor.open(created);
      if ((await save(kind.update, { id: created.id, input: listChanges(texts) })) === undefined) return;
    }
    close(`${capitalize(kind.noun)} saved.`);
    if (row === undefined) onCreated?.(texts);
    onSaved?.(saved, texts);
  };
  const removed = () => {
    close(`${capitalize(kind.noun)} removed.`);
    onRemoved?.();
  };
  return (
    <Form
      faults={faults}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={
        <>
          {row !== undefined && (
            <span className={styles['archiveButtons']}>
              {kind.archive && <Archive kind={kind} archive={kind.archive} row={row} save={save} close={close} />}
              <Remove kind={kind} row={row} save={save} removed={removed} />
            </span>
          )}
          <FormButtons
            action={row === undefined ? `Add ${kind.noun}` : 'Save changes'}
            isBusy={isBusy}
            onCancel={editor.close}
          />
        </>
      }
    >
      {fields(bind, row)}
    </Form>
  );
}

const capitalize = (noun: string) => noun.charAt(0).toUpperCase() + noun.slice(1);

type Save = ReturnType<typeof useSaving>['save'];

interface ArchiveProps<Row extends Stored> {
  kind: Pick<EditorKind<Row, never, never>, 'noun' | 'nameOf' | 'archiveWarning'>;
  archive: TypedDocumentNode<unknown, { id: string; archived: boolean }>;
  row: Row;
  save: Save;
  close: (message: string) => void;
}

function Archive<Row extends Stored>({ kind, archive, row, save, close }: ArchiveProps<Row>) {
  const confirm = useConfirm();
  const isArchived = row.archivedAt != null;
  const toggleArchived = async () => {
    const text = isArchived ? null : (kind.archiveWarning?.(row) ?? null);
    const action = `Archive ${kind.noun}`;
    if (text !== null && !(await confirm({ title: `Archive ${kind.nameOf(row)}?`, text, action }))) return;
    const saved = await save(archive, { id: row.id, archived: !isArchived });
    if (saved !== undefined) close(`${capitalize(kind.noun)} ${isArchived ? 'restored' : 'archived'}.`);
  };
  return <Button onClick={() => void toggleArchived()}>{isArchived ? 'Restore' : 'Archive'}</Button>;
}

interface RemoveProps<Row extends Stored> {
  kind: Pick<EditorKind<Row, never, never>, 'noun' | 'nameOf' | 'remove' | 'describeLoss'>;
  row: Row;
  save: Save;
  removed: () => void;
}

function Remove<Row extends Stored>({
  kind: { noun, nameOf, remove, describeLoss },
  row,
  save,
  removed,
}: RemoveProps<Row>) {
  const apollo = useApolloClient();
  const confirm = useConfirm();
  const ask = async () => {
    const instead = `To hide the ${noun} from new jobs and keep its history, archive it instead.`;
    const question = {
      title: `Remove ${nameOf(row)}?`,
      text: `This cannot be undone. ${describeLoss ? await describeLoss(apollo, row) : instead}`,
      action: `Remove ${noun}`,
    };
    if ((await confirm(question)) && (await save(remove, { id: row.id })) !== undefined) removed();
  };
  return (
    <Button kind="danger" onClick={() => void ask()}>
      Remove
    </Button>
  );
}
