// Lists the RFID and NFC tags of a spool. Users link, move and unlink tags here.
import { useState } from 'react';
import { UnlinkTagDocument } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { Button } from '../parts/button';
import { useConfirm } from '../parts/confirm';
import { type Column, DataTable } from '../parts/data-table';
import { useFieldTexts } from '../parts/field-texts';
import { Field, Form, FormButtons, FormDialog } from '../parts/form';
import { useLinkTag } from '../parts/link-tag';
import { Empty, Outcome } from '../parts/loading-states';
import { Moment } from '../parts/moment';
import { Section } from '../parts/page';
import { useSaving } from '../parts/saving';
import { useMayWrite } from '../parts/use-viewer';
import type { PageSpool } from './spool-ledger-forms';

type Tag = PageSpool['tags'][number];

const createColumns = (unlink: ((tag: Tag) => void) | undefined): Column<Tag>[] => [
  { head: 'UID', width: 'minmax(10rem, 2fr)', cell: ({ uid }) => <code>{uid}</code> },
  { head: 'Type', width: 'minmax(6rem, 1fr)', cell: ({ format }) => format },
  { head: 'Linked', width: 'minmax(7rem, 1fr)', cell: ({ addedAt }) => <Moment at={addedAt} /> },
  ...(unlink
    ? [
        {
          head: 'Unlink',
          width: 'minmax(6rem, 1fr)',
          cell: (tag: Tag) => (
            <Button aria-label={`Unlink tag ${tag.uid}`} onClick={() => unlink(tag)}>
              Unlink tag
            </Button>
          ),
        },
      ]
    : []),
];

export function SpoolTags({ spool }: { spool: PageSpool }) {
  const mayWrite = useMayWrite();
  const confirm = useConfirm();
  const { save, faults } = useSaving();
  const unlink = async ({ uid }: Tag) => {
    const question = {
      title: `Unlink tag ${uid}?`,
      text: `Readers that scan the tag no longer find ${spool.spoolSerial}.`,
      action: 'Unlink tag',
    };
    if (!(await confirm(question))) return;
    if ((await save(UnlinkTagDocument, { uid })) !== undefined) announce('Tag unlinked.');
  };
  return (
    <Section title="Tags" actions={mayWrite && <LinkTag spool={spool} />}>
      <Outcome isBad>{Object.values(faults).join(' ')}</Outcome>
      {spool.tags.length === 0 ? (
        <Empty>The RFID and NFC tags on this spool appear here. A reader that scans one finds the spool.</Empty>
      ) : (
        <DataTable
          label="Tags"
          columns={createColumns(mayWrite ? (tag) => void unlink(tag) : undefined)}
          rows={spool.tags}
          getKey={({ uid }) => uid}
        />
      )}
    </Section>
  );
}

function LinkTag({ spool }: { spool: PageSpool }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Link tag</Button>
      <FormDialog title={`Link a tag to ${spool.spoolSerial}`} isOpen={isOpen} onClose={close}>
        <LinkTagForm spool={spool} onDone={close} />
      </FormDialog>
    </>
  );
}

function LinkTagForm({ spool, onDone }: { spool: PageSpool; onDone: () => void }) {
  const { texts, isEdited, bind } = useFieldTexts({ uid: '' });
  const { link, isBusy, faults } = useLinkTag();
  const submit = async () => {
    if (await link({ spoolId: spool.id, uid: texts.uid, format: null })) onDone();
  };
  return (
    <Form
      faults={faults}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={<FormButtons action="Link tag" isBusy={isBusy} onCancel={onDone} />}
    >
      <Field
        {...bind('uid')}
        label="UID of the tag"
        hint="Scan the tag with a reader that types like a keyboard, or enter the UID. Upper and lower case, blanks and colons do not matter."
        placeholder="04:A2:2B:91"
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </Form>
  );
}
