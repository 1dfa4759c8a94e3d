// The dialog that changes the spool of a printer from its tile.
import { FormDialog } from '../parts/form';
import { slotName } from '../parts/slot-name';
import { SlotForm } from './slot-form';

interface SlotDialogProps {
  printerId: string;
  slot: string;
  isOpen: boolean;
  onClose: () => void;
}

export default function SlotDialog({ printerId, slot, isOpen, onClose }: SlotDialogProps) {
  return (
    <FormDialog title={`Change the spool in ${slotName(slot)}`} isOpen={isOpen} onClose={onClose}>
      <SlotForm printerId={printerId} slot={slot} onDone={onClose} />
    </FormDialog>
  );
}
