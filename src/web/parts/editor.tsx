// The dialog in which a spool, product, material, printer or camera is made, changed, archived and removed.
import type { ApolloClient, TypedDocumentNode } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { type ReactNode, useState } from 'react';
import { announce } from './announcer';
import { Button } from './button';
import { useConfirm } from './confirm';
import { useTexts } from './field-texts';
import { Form, FormButtons, FormDialog } from './form';
import styles from './form.module.css';
import { useSaving } from './saving';

type Bind<Name extends string> = ReturnType<typeof useTexts<Name>>['bind'];

interface Stored {
  id: string;
  archivedAt?: string | null;
}

/** The parts of a dialog that differ from one kind of object to another. */
export interface Kind<Row extends Stored, Name extends string, Input, Changes = Input> {
  noun: string;
  nameOf: (row: Row) => string;
  /** The texts of the fields when the dialog opens. */
  textsOf: (row: Row | undefined) => Record<Name, string>;
  inputOf: (texts: Record<Name, string>) => Input;
  /** The changes have the names of the fields. */
  changesOf: (texts: Record<Name, string>) => Changes;
  /** Missing where new ones have a form of their own. */
  create?: TypedDocumentNode<unknown, { input: Input }>;
  update: TypedDocumentNode<unknown, { id: string; input: Changes }>;
  /** Further arguments of the change, from fields that are no members. */
  updateArguments?: (texts: Record<Name, string>) => Record<string, unknown>;
  /** The members of a change that a new object does not have. */
  later?: readonly Name[];
  /** Missing where objects are not archived. */
  archive?: TypedDocumentNode<unknown, { id: string; archived: boolean }>;
  /** What becomes of other things when the object is archived, for the question before it; null: nothing to ask about. */
  archivedWith?: (row: Row) => string | null;
  remove: TypedDocumentNode<unknown, { id: string }>;
  /** Names the data that are removed with the object, for the question before the removal. */
  lossOf?: (apollo: ApolloClient, row: Row) => Promise<string>;
}

/** The open dialog: that of a row, or that of a new object. */
export function useEditor<Row>() {
  const [row, setRow] = useState<Row>();
  const [like, setLike] = useState<Row>();
  const [isOpen, setOpen] = useState(false);
  const show = (row: Row | undefined, like: Row | undefined) => {
    setRow(row);
    setLike(like);
    setOpen(true);
  };
  const open = (row?: Row) => show(row, undefined);
  /** For a new object that begins as a copy. */
  const openLike = (like: Row) => show(undefined, like);
  const close = () => setOpen(false);
  return { row, like, isOpen, open, openLike, close };
}

interface EditorProps<Row extends Stored, Name extends string, Input, Changes> {
  kind: Kind<Row, Name, Input, Changes>;
  editor: ReturnType<typeof useEditor<Row>>;
  fields: (bind: Bind<Name>, row: Row | undefined) => ReactNode;
  onCreated?: (texts: Record<Name, string>) => void;
  /** Called with the answer of the gateway. */
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
  const { kind, editor, fields, onCreated, onSaved, onRemoved } = props;
  const { row } = editor;
  const { texts, edited, isEdited, bind } = useTexts(kind.textsOf(row ?? editor.like));
  const { save, isBusy, faults } = useSaving();
  /** Another window may have changed the other members. */
  const changes = () =>
    Object.fromEntries(Object.entries(kind.changesOf(texts) as object).filter(([name]) => name in edited)) as Changes;
  const close = (said: string) => {
    announce(said);
    editor.close();
  };
  const submit = async () => {
    const saved =
      row === undefined
        ? kind.create && (await save(kind.create, { input: kind.inputOf(texts) }))
        : await save(kind.update, { ...kind.updateArguments?.(texts), id: row.id, input: changes() });
    if (saved === undefined) return;
    if (row === undefined && kind.later?.some((name) => texts[name] !== '')) {
      const [made] = Object.values(saved as Record<string, Row>) as [Row];
      // From here on the dialog changes an object: a refusal of the rest must not add it again.
      editor.open(made);
      if ((await save(kind.update, { id: made.id, input: changes() })) === undefined) return;
    }
    close(`${capital(kind.noun)} saved.`);
    if (row === undefined) onCreated?.(texts);
    onSaved?.(saved, texts);
  };
  const removed = () => {
    close(`${capital(kind.noun)} removed.`);
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
            <span className={styles['outOfUse']}>
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

const capital = (noun: string) => noun.charAt(0).toUpperCase() + noun.slice(1);

type Save = ReturnType<typeof useSaving>['save'];

interface ArchiveProps<Row extends Stored> {
  kind: Pick<Kind<Row, never, never>, 'noun' | 'nameOf' | 'archivedWith'>;
  archive: TypedDocumentNode<unknown, { id: string; archived: boolean }>;
  row: Row;
  save: Save;
  close: (said: string) => void;
}

function Archive<Row extends Stored>({ kind, archive, row, save, close }: ArchiveProps<Row>) {
  const confirm = useConfirm();
  const isArchived = row.archivedAt != null;
  const turn = async () => {
    const text = isArchived ? null : (kind.archivedWith?.(row) ?? null);
    const action = `Archive ${kind.noun}`;
    if (text !== null && !(await confirm({ title: `Archive ${kind.nameOf(row)}?`, text, action }))) return;
    const saved = await save(archive, { id: row.id, archived: !isArchived });
    if (saved !== undefined) close(`${capital(kind.noun)} ${isArchived ? 'restored' : 'archived'}.`);
  };
  return <Button onClick={() => void turn()}>{isArchived ? 'Restore' : 'Archive'}</Button>;
}

interface RemoveProps<Row extends Stored> {
  kind: Pick<Kind<Row, never, never>, 'noun' | 'nameOf' | 'remove' | 'lossOf'>;
  row: Row;
  save: Save;
  removed: () => void;
}

function Remove<Row extends Stored>({ kind: { noun, nameOf, remove, lossOf }, row, save, removed }: RemoveProps<Row>) {
  const apollo = useApolloClient();
  const confirm = useConfirm();
  const ask = async () => {
    const instead = `To hide the ${noun} from new jobs and keep its history, archive it instead.`;
    const question = {
      title: `Remove ${nameOf(row)}?`,
      text: `This cannot be undone. ${lossOf ? await lossOf(apollo, row) : instead}`,
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
