// The places for filament in a printer, each with its spool: another one is loaded here, or it is taken out. Its history is here too.
import { useState } from 'react';
import { LoadSpoolDocument, type PrinterSlotsFragment } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { Button } from '../parts/button';
import { FormDialog } from '../parts/form';
import { Moment } from '../parts/moment';
import { grams } from '../parts/numbers';
import { Section } from '../parts/page';
import { useSaving } from '../parts/saving';
import { Outcome } from '../parts/states';
import { useMayWrite } from '../parts/viewer';
import { slotName } from '../prints/print-words';
import { SpoolName } from '../prints/spool-name';
import { LoadForm } from './load-form';
import styles from './printers.module.css';
import { SlotHistory } from './slot-history';

type Slot = PrinterSlotsFragment['slots'][number];

export function Slots({ printer }: { printer: PrinterSlotsFragment }) {
  const [shown, setShown] = useState<string>();
  const mayWrite = useMayWrite();
  return (
    <Section title="Slots">
      <ul className={styles['slots']} aria-label="Slots">
        {printer.slots.map((slot) => (
          <li key={slot.slot} className={styles['slot']}>
            <div>
              <span>{slotName(slot.slot)}</span>
              {slot.reported !== null && (
                <span className={styles['quiet']}>{`The printer says: ${slot.reported}`}</span>
              )}
            </div>
            <InSlot slot={slot} />
            <div className={styles['load']}>
              {mayWrite && <Load printerId={printer.id} slot={slot} />}
              <Button
                kind="quiet"
                aria-expanded={shown === slot.slot}
                aria-label={`History of ${slotName(slot.slot)}`}
                onClick={() => setShown(shown === slot.slot ? undefined : slot.slot)}
              >
                History
              </Button>
            </div>
            {shown === slot.slot && <SlotHistory printerId={printer.id} slot={slot.slot} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function InSlot({ slot: { spool, loadedAt } }: { slot: Slot }) {
  if (spool === null) return <span className={styles['quiet']}>No spool was loaded</span>;
  return (
    <div>
      <SpoolName spool={spool} />
      <span className={styles['quiet']}>{`${grams(spool.remainingGrams)} remain`}</span>
      {loadedAt !== null && (
        <span className={styles['quiet']}>
          <span>{'Loaded '}</span>
          <Moment at={loadedAt} />
        </span>
      )}
    </div>
  );
}

function Load({ printerId, slot: { slot, spool } }: { printerId: string; slot: Slot }) {
  const [isOpen, setOpen] = useState(false);
  const { save, isBusy, faults } = useSaving();
  const name = slotName(slot);
  const takeOut = async () => {
    if (await save(LoadSpoolDocument, { printerId, slot, spoolId: null })) announce('The spool is taken out.');
  };
  return (
    <>
      <Button aria-label={`Load ${name}`} onClick={() => setOpen(true)}>
        Load …
      </Button>
      {spool !== null && (
        <Button isBusy={isBusy} aria-label={`Take out ${spool.spoolSerial}`} onClick={() => void takeOut()}>
          Take out
        </Button>
      )}
      <Outcome isBad>{Object.values(faults).join(' ')}</Outcome>
      <FormDialog title={`Load ${name}`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <LoadForm printerId={printerId} slot={slot} onDone={() => setOpen(false)} />
      </FormDialog>
    </>
  );
}
