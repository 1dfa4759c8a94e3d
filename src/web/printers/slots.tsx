// Lists the slots of a printer, each with its spool, buttons to load another spool or take it out, and its history.
import { useState } from 'react';
import type { PrinterSlotsFragment } from '../../generated/web-operations';
import { Button } from '../parts/button';
import { FormDialog } from '../parts/form';
import { Moment } from '../parts/moment';
import { grams } from '../parts/numbers';
import { Section } from '../parts/page';
import { slotName } from '../parts/slot-name';
import { useMayWrite } from '../parts/use-viewer';
import { SpoolName } from '../prints/spool-name';
import styles from './printers.module.css';
import { SlotForm } from './slot-form';
import { SlotHistory } from './slot-history';

type Slot = PrinterSlotsFragment['slots'][number];

export function Slots({ printer }: { printer: PrinterSlotsFragment }) {
  const [shown, setShown] = useState<string>();
  const mayWrite = useMayWrite();
  const getName = ({ slot }: Slot) =>
    slotName(
      slot,
      printer.slots.map(({ slot }) => slot),
    );
  return (
    <Section title="Slots">
      <ul className={styles['slots']} aria-label="Slots">
        {printer.slots.map((slot) => (
          <li key={slot.slot} className={styles['slot']}>
            <div>
              <span>{getName(slot)}</span>
              {slot.reported !== null && (
                <span className={styles['quiet']}>{`The printer reports: ${slot.reported}`}</span>
              )}
            </div>
            <SlotContent slot={slot} />
            <div className={styles['load']}>
              {mayWrite && <SlotActions printerId={printer.id} slot={slot} name={getName(slot)} />}
              <Button
                kind="quiet"
                aria-expanded={shown === slot.slot}
                aria-label={`History of ${getName(slot)}`}
                onClick={() => setShown(shown === slot.slot ? undefined : slot.slot)}
              >
                History
              </Button>
            </div>
            {shown === slot.slot && <SlotHistory printerId={printer.id} slot={slot.slot} name={getName(slot)} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function SlotContent({ slot: { spool, loadedAt } }: { slot: Slot }) {
  if (spool === null) return <span className={styles['quiet']}>Empty</span>;
  return (
    <div>
      <SpoolName spool={spool} />
      <span className={styles['quiet']}>{`${grams(spool.remainingGrams)} remaining`}</span>
      {loadedAt !== null && (
        <span className={styles['quiet']}>
          <span>{'Loaded '}</span>
          <Moment at={loadedAt} />
        </span>
      )}
    </div>
  );
}

function SlotActions({ printerId, slot: { slot, spool }, name }: { printerId: string; slot: Slot; name: string }) {
  const [open, setOpen] = useState<'load' | 'take out'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <Button aria-label={`Load spool into ${name}`} onClick={() => setOpen('load')}>
        Load spool
      </Button>
      {spool !== null && (
        <Button aria-label={`Take out ${spool.spoolSerial}`} onClick={() => setOpen('take out')}>
          Take out
        </Button>
      )}
      <FormDialog title={`Load a spool into ${name}`} isOpen={open === 'load'} onClose={close}>
        <SlotForm printerId={printerId} slot={slot} onDone={close} />
      </FormDialog>
      <FormDialog title={`Take the spool out of ${name}`} isOpen={open === 'take out'} onClose={close}>
        <SlotForm printerId={printerId} slot={slot} isTakingOut onDone={close} />
      </FormDialog>
    </>
  );
}
