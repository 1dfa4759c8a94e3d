// What is done with a spool from its page. On a phone the first three are on the first screen: a label's code leads there.
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { EmptySpoolDocument, type SpoolRowFragment } from '../../generated/web-operations';
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
import { type SpoolOfPage, WeighForm } from './spool-ledger-forms';

export function SpoolActions({ spool }: { spool: SpoolOfPage }) {
  const editor = useEditor<SpoolRowFragment>();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const { save, isBusy, faults } = useSaving();
  const [open, setOpen] = useState<'load' | 'weigh' | 'take out'>();
  const close = () => setOpen(undefined);
  const { id, spoolSerial, archivedAt, loadedIn } = spool;
  const empty = async () => {
    const question = {
      title: `Mark ${spoolSerial} as empty?`,
      text: 'This sets the remaining filament to 0 g, takes the spool out of its slot and archives the spool.',
      action: 'Mark as empty',
    };
    if (!(await confirm(question))) return;
    if ((await save(EmptySpoolDocument, { id })) !== undefined) announce('Spool marked as empty.');
  };
  return (
    <>
      {archivedAt === null && (
        <Button kind="main" onClick={() => setOpen('load')}>
          Load spool
        </Button>
      )}
      <Button onClick={() => setOpen('weigh')}>Weigh spool</Button>
      {archivedAt === null && (
        <Button isBusy={isBusy} onClick={() => void empty()}>
          Mark as empty
        </Button>
      )}
      {loadedIn !== null && <Button onClick={() => setOpen('take out')}>Take out</Button>}
      <Button onClick={() => editor.open(spool)}>Edit spool</Button>
      <Button onClick={() => editor.openLike(spool)}>Duplicate spool</Button>
      <Outcome isBad>{Object.values(faults).join(' ')}</Outcome>
      <SpoolEditor editor={editor} onRemoved={() => void navigate('/spools')} />
      <FormDialog title={`Load ${spoolSerial}`} isOpen={open === 'load'} onClose={close}>
        <ChooseSlotForm spoolId={id} onDone={close} />
      </FormDialog>
      <FormDialog title={`Weigh ${spoolSerial}`} isOpen={open === 'weigh'} onClose={close}>
        <WeighForm spool={spool} onDone={close} />
      </FormDialog>
      {loadedIn !== null && (
        <FormDialog
          title={`Take ${spoolSerial} out of ${loadedIn.printer.name}`}
          isOpen={open === 'take out'}
          onClose={close}
        >
          <SlotForm printerId={loadedIn.printer.id} slot={loadedIn.slot} takesOut onDone={close} />
        </FormDialog>
      )}
    </>
  );
}
