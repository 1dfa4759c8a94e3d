// The dialog in which a spool, material or printer is made, changed, archived and removed.
import type { TypedDocumentNode } from '@apollo/client';
import { type ReactNode, useState } from 'react';
import { announce } from '../parts/announcer';
import { Button } from '../parts/button';
import { useConfirm } from '../parts/confirm';
import { Form, FormButtons, FormDialog } from '../parts/form';
import { useSaving, useTexts } from '../parts/saving';
import styles from './inventory.module.css';

type Bind<Name extends string> = ReturnType<typeof useTexts<Name>>['bind'];

interface Stored {
  id: string;
  archivedAt: string | null;
}

/** What differs from kind to kind. */
export interface Kind<Row extends Stored, Name extends string, Input> {
  noun: string;
  nameOf: (row: Row) => string;
  /** What the fields hold at first. */
  textsOf: (row: Row | undefined) => Record<Name, string>;
  inputOf: (texts: Record<Name, string>) => Input;
  create: TypedDocumentNode<unknown, { input: Input }>;
  update: TypedDocumentNode<unknown, { id: string; input: Input }>;
  archive: TypedDocumentNode<unknown, { id: string; archived: boolean }>;
  remove: TypedDocumentNode<unknown, { id: string }>;
}

/** Which dialog is open: of a row, or of a new one. */
export function useEditor<Row>() {
  const [row, setRow] = useState<Row>();
  const [isOpen, setOpen] = useState(false);
  const open = (row?: Row) => {
    setRow(row);
    setOpen(true);
  };
  return { row, isOpen, open, close: () => setOpen(false) };
}

interface EditorProps<Row extends Stored, Name extends string, Input> {
  kind: Kind<Row, Name, Input>;
  editor: ReturnType<typeof useEditor<Row>>;
  fields: (bind: Bind<Name>, row: Row | undefined) => ReactNode;
}

export function Editor<Row extends Stored, Name extends string, Input>(props: EditorProps<Row, Name, Input>) {
  const { kind, editor } = props;
  const title = editor.row === undefined ? `New ${kind.noun}` : `Edit ${kind.nameOf(editor.row)}`;
  return (
    <FormDialog title={title} isOpen={editor.isOpen} onClose={editor.close}>
      <EditorForm {...props} />
    </FormDialog>
  );
}

function EditorForm<Row extends Stored, Name extends string, Input>(props: EditorProps<Row, Name, Input>) {
  const { kind, editor, fields } = props;
  const { row } = editor;
  const { texts, bind } = useTexts(kind.textsOf(row));
  const { save, isBusy, faults } = useSaving();
  const confirm = useConfirm();
  const close = (said: string) => {
    announce(said);
    editor.close();
  };
  const submit = async () => {
    const input = kind.inputOf(texts);
    const saved =
      row === undefined ? await save(kind.create, { input }) : await save(kind.update, { id: row.id, input });
    if (saved !== undefined) close(`The ${kind.noun} is saved.`);
  };
  return (
    <Form
      faults={faults}
      onSubmit={() => void submit()}
      actions={
        <>
          {row !== undefined && <OutOfUse kind={kind} row={row} save={save} confirm={confirm} close={close} />}
          <FormButtons action={row === undefined ? 'Add' : 'Save'} isBusy={isBusy} onCancel={editor.close} />
        </>
      }
    >
      {fields(bind, row)}
    </Form>
  );
}

interface OutOfUseProps<Row extends Stored> {
  kind: Pick<Kind<Row, never, never>, 'noun' | 'nameOf' | 'archive' | 'remove'>;
  row: Row;
  save: ReturnType<typeof useSaving>['save'];
  confirm: ReturnType<typeof useConfirm>;
  close: (said: string) => void;
}

function OutOfUse<Row extends Stored>({ kind, row, save, confirm, close }: OutOfUseProps<Row>) {
  const { noun, nameOf } = kind;
  const isArchived = row.archivedAt !== null;
  const archive = async () => {
    const saved = await save(kind.archive, { id: row.id, archived: !isArchived });
    if (saved !== undefined) close(`The ${noun} is ${isArchived ? 'in use again' : 'archived'}.`);
  };
  const remove = async () => {
    const question = {
      title: `Remove ${nameOf(row)}?`,
      text: `This cannot be undone. To keep the ${noun} out of new jobs, archive it instead.`,
      action: `Remove the ${noun}`,
    };
    if (!(await confirm(question))) return;
    if ((await save(kind.remove, { id: row.id })) !== undefined) close(`The ${noun} is removed.`);
  };
  return (
    <span className={styles['outOfUse']}>
      <Button onClick={() => void archive()}>{isArchived ? 'Use again' : 'Archive'}</Button>
      <Button kind="danger" onClick={() => void remove()}>
        Remove
      </Button>
    </span>
  );
}
