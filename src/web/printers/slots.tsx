// Lists the slots of a printer, each with its spool and the buttons that load another spool or take it out.
import { useState } from 'react';
import type { PrinterSlotsFragment } from '../../generated/web-operations';
import { Button } from '../parts/button';
import { FormDialog } from '../parts/form';
import { Menu } from '../parts/menu';
import { Moment } from '../parts/moment';
import { formatGrams } from '../parts/numbers';
import { Section } from '../parts/page';
import { slotName } from '../parts/slot-name';
import { useMayWrite } from '../parts/use-viewer';
import { SpoolName } from '../prints/spool-name';
import styles from './printers.module.css';
import { SlotForm } from './slot-form';
import { SlotTag } from './slot-tag';

type Slot = PrinterSlotsFragment['slots'][number];

interface SlotsProps {
  printer: PrinterSlotsFragment;
  /** Why the slots do not follow the machine; `null` while they do. */
  message: string | null;
}

export function Slots({ printer: { id, slots }, message }: SlotsProps) {
  const mayWrite = useMayWrite();
  const names = slots.map(({ slot }) => slot);
  return (
    <Section title="Slots">
      {message !== null && <p className={styles['message']}>{message}</p>}
      <ul className={styles['slots']} aria-label="Slots">
        {slots.map((slot) => {
          const name = slotName(slot.slot, names);
          return (
            <li key={slot.slot} className={styles['slot']}>
              <div>
                <span>{name}</span>
                {slot.reported !== null && (
                  <span className={styles['quiet']}>{`The printer reports: ${slot.reported}`}</span>
                )}
              </div>
              <SlotContent slot={slot} />
              {mayWrite && <SlotActions printerId={id} slot={slot} name={name} />}
              {slot.tag !== null && <SlotTag uid={slot.tag} slotName={name} />}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function SlotContent({ slot: { spool, loadedAt } }: { slot: Slot }) {
  if (spool === null) return <span className={styles['quiet']}>Empty</span>;
  return (
    <div className={styles['content']}>
      <SpoolName spool={spool} />
      <span className={styles['quiet']}>
        <span>{`${formatGrams(spool.remainingGrams)} remaining`}</span>
        {loadedAt !== null && (
          <>
            <span>{', loaded '}</span>
            <Moment at={loadedAt} />
          </>
        )}
      </span>
    </div>
  );
}

function SlotActions({ printerId, slot: { slot, spool }, name }: { printerId: string; slot: Slot; name: string }) {
  const [open, setOpen] = useState<'load' | 'take out'>();
  const close = () => setOpen(undefined);
  const isEmpty = spool === null;
  return (
    <div className={styles['load']}>
      <Button
        aria-label={isEmpty ? `Load spool into ${name}` : `Change spool in ${name}`}
        onClick={() => setOpen('load')}
      >
        {isEmpty ? 'Load spool' : 'Change spool'}
      </Button>
      {!isEmpty && (
        <Menu
          label={`More actions for ${name}`}
          items={[{ name: `Take out ${spool.spoolSerial}`, onClick: () => setOpen('take out') }]}
        />
      )}
      <FormDialog
        title={isEmpty ? `Load a spool into ${name}` : `Change the spool in ${name}`}
        isOpen={open === 'load'}
        onClose={close}
      >
        <SlotForm printerId={printerId} slot={slot} onDone={close} />
      </FormDialog>
      <FormDialog title={`Take the spool out of ${name}`} isOpen={open === 'take out'} onClose={close}>
        <SlotForm printerId={printerId} slot={slot} isTakingOut onDone={close} />
      </FormDialog>
    </div>
  );
}
