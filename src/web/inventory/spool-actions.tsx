// Shows the buttons of a spool's page. The most frequent actions come first: the code of a label opens this page on a phone, whose first screen shows three buttons.
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { ArchiveSpoolDocument, EmptySpoolDocument, type SpoolRowFragment } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { Button } from '../parts/button';
import { useConfirm } from '../parts/confirm';
import { useEditor } from '../parts/editor';
import { FormDialog } from '../parts/form';
import { Outcome } from '../parts/loading-states';
import { useSaving } from '../parts/saving';
import { SlotForm } from '../printers/slot-form';
import { ChooseSlotForm } from './choose-slot-form';
import { SpoolEditor } from './spool-editor';
import { type PageSpool, WeighForm } from './spool-ledger-forms';

export function SpoolActions({ spool }: { spool: PageSpool }) {
  const editor = useEditor<SpoolRowFragment>();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const { save, isBusy, faults } = useSaving();
  const [openDialog, setOpenDialog] = useState<'load' | 'weigh' | 'take out'>();
  const close = () => setOpenDialog(undefined);
  const { id, spoolSerial, archivedAt, loadedIn } = spool;
  const markAsEmpty = async () => {
    const question = {
      title: `Mark ${spoolSerial} as empty?`,
      text: 'This sets the remaining filament to 0 g, takes the spool out of its slot and archives the spool.',
      action: 'Mark as empty',
    };
    if (!(await confirm(question))) return;
    if ((await save(EmptySpoolDocument, { id })) !== undefined) announce('Spool marked as empty.');
  };
  const toggleArchived = async () => {
    const archived = archivedAt === null;
    if ((await save(ArchiveSpoolDocument, { id, archived })) === undefined) return;
    announce(archived ? 'Spool archived.' : 'Spool restored.');
  };
  return (
    <>
      {archivedAt === null && (
        <Button kind="main" onClick={() => setOpenDialog('load')}>
          Load spool
        </Button>
      )}
      <Button onClick={() => setOpenDialog('weigh')}>Weigh spool</Button>
      {archivedAt === null && (
        <Button isBusy={isBusy} onClick={() => void markAsEmpty()}>
          Mark as empty
        </Button>
      )}
      {loadedIn !== null && <Button onClick={() => setOpenDialog('take out')}>Take out</Button>}
      <Button onClick={() => editor.open(spool)}>Edit spool</Button>
      <Button onClick={() => editor.openCopy(spool)}>Duplicate spool</Button>
      <Button isBusy={isBusy} onClick={() => void toggleArchived()}>
        {archivedAt === null ? 'Archive spool' : 'Restore spool'}
      </Button>
      <Outcome isBad>{Object.values(faults).join(' ')}</Outcome>
      <SpoolEditor editor={editor} onRemoved={() => void navigate('/spools')} />
      <FormDialog title={`Load ${spoolSerial}`} isOpen={openDialog === 'load'} onClose={close}>
        <ChooseSlotForm spoolId={id} onDone={close} />
      </FormDialog>
      <FormDialog title={`Weigh ${spoolSerial}`} isOpen={openDialog === 'weigh'} onClose={close}>
        <WeighForm spool={spool} onDone={close} />
      </FormDialog>
      {loadedIn !== null && (
        <FormDialog
          title={`Take ${spoolSerial} out of ${loadedIn.printer.name}`}
          isOpen={openDialog === 'take out'}
          onClose={close}
        >
          <SlotForm printerId={loadedIn.printer.id} slot={loadedIn.slot} isTakingOut onDone={close} />
        </FormDialog>
      )}
    </>
  );
}
