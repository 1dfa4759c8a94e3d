// The form that gives a waiting print its spools, by slot: then its job is made.
import { useMemo, useState } from 'react';
import { AssignSpoolsDocument, LoadSpoolDocument, type PrintRowFragment } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { offered, spoolChoices, useSpools } from '../parts/choices';
import { Form, FormButtons } from '../parts/form';
import { useSaving, useTexts } from '../parts/saving';
import { SearchChoice } from '../parts/search-choice';
import { slotName } from './print-words';
import styles from './prints.module.css';

export function AssignForm({ print, onDone }: { print: PrintRowFragment; onDone: () => void }) {
  const { data } = useSpools();
  const spools = useMemo(() => spoolChoices(offered(data?.spools.nodes ?? [])), [data]);
  // Of a print of which nothing is known the gateway takes the only slot that every printer has.
  const slots = print.filament.length > 0 ? print.filament : [{ slot: 'tool:0', spool: null }];
  const stored = Object.fromEntries(slots.map(({ slot, spool }) => [slot, spool?.id ?? '']));
  const { texts, isEdited, bind } = useTexts(stored);
  // The spool of a print that runs is in the printer; that of an older one may have been taken out.
  const [isLoaded, setLoaded] = useState(print.outcome === 'RUNNING');
  const { save, isBusy, faults } = useSaving();
  const submit = async () => {
    const chosen = Object.entries(texts).map(([slot, spoolId]) => ({ slot, spoolId }));
    if ((await save(AssignSpoolsDocument, { printId: print.id, spools: chosen })) === undefined) return;
    let isRefused = false;
    for (const one of isLoaded ? chosen : []) {
      isRefused ||= (await save(LoadSpoolDocument, { printerId: print.printer.id, ...one })) === undefined;
    }
    announce(isRefused ? 'The print has its job. The spool could not be loaded.' : 'The print has its job.');
    onDone();
  };
  return (
    <Form
      faults={faults}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={<FormButtons action="Assign" isBusy={isBusy} onCancel={onDone} />}
    >
      {slots.map(({ slot }) => (
        <SearchChoice
          key={slot}
          {...bind(slot)}
          value={texts[slot] ?? ''}
          label={slots.length === 1 ? 'Spool' : `Spool of ${slotName(slot)}`}
          choices={spools}
          placeholder="Choose …"
          required
        />
      ))}
      <label className={styles['check']}>
        <input type="checkbox" checked={isLoaded} onChange={({ target }) => setLoaded(target.checked)} />
        <span>{`It is in ${print.printer.name} now: the next prints use it too.`}</span>
      </label>
    </Form>
  );
}
