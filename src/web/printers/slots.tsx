// The places for filament in a printer, each with its spool: another one is loaded here, or it is taken out.
import { useMemo } from 'react';
import { Link } from 'react-router';
import { LoadSpoolDocument, type PrinterSlotsFragment } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { Button } from '../parts/button';
import { offered, spoolChoices, useSpools } from '../parts/choices';
import { Moment } from '../parts/moment';
import { grams } from '../parts/numbers';
import { Section } from '../parts/page';
import { useSaving, useTexts } from '../parts/saving';
import { type Choices, SearchChoice } from '../parts/search-choice';
import { Outcome } from '../parts/states';
import { useMayWrite } from '../parts/viewer';
import { slotName } from '../prints/print-words';
import styles from './printers.module.css';

type Slot = PrinterSlotsFragment['slots'][number];

export function Slots({ printer }: { printer: PrinterSlotsFragment }) {
  const { data } = useSpools();
  const spools = useMemo(() => spoolChoices(offered(data?.spools.nodes ?? [])), [data]);
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
            {/* The choice is empty again when another spool is loaded. */}
            {mayWrite && <Load key={slot.spool?.id ?? ''} printerId={printer.id} slot={slot} spools={spools} />}
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
      <Link to={`/filament?search=${encodeURIComponent(spool.spoolSerial)}`}>{spool.spoolSerial}</Link>
      <span>{` (${spool.material.name})`}</span>
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

function Load({ printerId, slot, spools }: { printerId: string; slot: Slot; spools: Choices }) {
  const { texts, bind } = useTexts({ spoolId: '' });
  const { save, isBusy, faults } = useSaving();
  const name = slotName(slot.slot);
  const load = async (spoolId: string | null) => {
    const saved = await save(LoadSpoolDocument, { printerId, slot: slot.slot, spoolId });
    if (saved) announce(spoolId === null ? 'The spool is taken out.' : 'The spool is loaded.');
  };
  return (
    <div className={styles['load']}>
      <SearchChoice {...bind('spoolId')} label={`Spool for ${name}`} choices={spools} placeholder="Choose …" />
      <Button
        isBusy={isBusy}
        aria-label={`Load ${name}`}
        aria-disabled={texts.spoolId === ''}
        onClick={() => texts.spoolId !== '' && void load(texts.spoolId)}
      >
        Load
      </Button>
      {slot.spool !== null && (
        <Button isBusy={isBusy} aria-label={`Take ${slot.spool.spoolSerial} out`} onClick={() => void load(null)}>
          Take out
        </Button>
      )}
      <Outcome isBad>{Object.values(faults).join(' ')}</Outcome>
    </div>
  );
}
