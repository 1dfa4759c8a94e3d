// Shows the tag that the machine reads in a slot: a link to its spool, or the button that links an unknown tag to a spool.
import { useQuery } from '@apollo/client/react';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { TagSpoolDocument } from '../../generated/web-operations';
import { Button } from '../parts/button';
import { useFieldTexts } from '../parts/field-texts';
import { Form, FormButtons, FormDialog } from '../parts/form';
import { useLinkTag } from '../parts/link-tag';
import { spoolAddress } from '../parts/object-addresses';
import { selectableRows, spoolChoices, useSpools } from '../parts/object-choices';
import { SearchChoice } from '../parts/search-choice';
import { useMayWrite } from '../parts/use-viewer';
import styles from './printers.module.css';

/** @param slotName the slot, as the user reads it */
export function SlotTag({ uid, slotName }: { uid: string; slotName: string }) {
  const mayWrite = useMayWrite();
  const [isOpen, setOpen] = useState(false);
  const { data, refetch } = useQuery(TagSpoolDocument, { variables: { uid } });
  if (data === undefined) return null;
  const { spoolByTag: spool } = data;
  const close = () => {
    setOpen(false);
    void refetch();
  };
  return (
    <div className={styles['tag']}>
      <span className={styles['quiet']}>
        <span>{spool === null ? 'Unknown tag ' : 'Tag '}</span>
        <code>{uid}</code>
        {spool !== null && (
          <>
            <span>{' of '}</span>
            <Link to={spoolAddress(spool.id)}>{spool.spoolSerial}</Link>
          </>
        )}
      </span>
      {spool === null && mayWrite && (
        <>
          <Button aria-label={`This is … (the tag in ${slotName})`} onClick={() => setOpen(true)}>
            This is …
          </Button>
          <FormDialog title={`Which spool is in ${slotName}?`} isOpen={isOpen} onClose={close}>
            <ChooseSpool uid={uid} onDone={close} />
          </FormDialog>
        </>
      )}
    </div>
  );
}

function ChooseSpool({ uid, onDone }: { uid: string; onDone: () => void }) {
  const { data } = useSpools();
  const spools = useMemo(() => spoolChoices(selectableRows(data?.spools.nodes ?? [])), [data]);
  const { texts, isEdited, bind } = useFieldTexts({ spoolId: '' });
  const { link, isBusy, faults } = useLinkTag();
  const submit = async () => {
    if (await link({ spoolId: texts.spoolId, uid, format: null })) onDone();
  };
  return (
    <Form
      faults={faults}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={<FormButtons action="Link tag" isBusy={isBusy} onCancel={onDone} />}
    >
      <SearchChoice
        {...bind('spoolId')}
        label={`Spool with the tag ${uid}`}
        hint="From now on the gateway knows this spool by its tag."
        choices={spools}
        placeholder="Choose …"
        required
        isOpenAtFirst
      />
    </Form>
  );
}
