// The form that gives a waiting print its spools, one for each slot: then its job is made.
import { useQuery } from '@apollo/client/react';
import { useMemo, useState } from 'react';
import {
  AssignSpoolsDocument,
  LoadedSpoolsDocument,
  LoadSpoolDocument,
  type PrintRowFragment,
} from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { offered, spoolChoices, useSpools } from '../parts/choices';
import { Form, FormButtons } from '../parts/form';
import { useSaving, useTexts } from '../parts/saving';
import { SearchChoice } from '../parts/search-choice';
import { slotName, slotsToName } from './print-words';
import styles from './prints.module.css';

export default function AssignForm({ print, onDone }: { print: PrintRowFragment; onDone: () => void }) {
  const { data } = useSpools();
  const spools = useMemo(() => spoolChoices(offered(data?.spools.nodes ?? [])), [data]);
  const loaded = useQuery(LoadedSpoolsDocument, { variables: { id: print.printer.id } }).data?.printer?.slots ?? [];
  const slots = slotsToName(print);
  const known = (slot: string) =>
    print.filament.find((one) => one.slot === slot)?.spool ?? loaded.find((one) => one.slot === slot)?.spool;
  const { texts, isEdited, bind } = useTexts(Object.fromEntries(slots.map((slot) => [slot, known(slot)?.id ?? ''])));
  // The spool of a print that runs is in the printer; that of an older one may have been taken out.
  const [isLoaded, setLoaded] = useState(print.outcome === 'RUNNING');
  const { save, isBusy, faults } = useSaving();
  // A fault is of an item, and the fields have the names of the slots.
  const ofSlots = useMemo(() => bySlot(faults, slotsToName(print)), [faults, print]);
  const submit = async () => {
    const chosen = slots.map((slot) => ({ slot, spoolId: texts[slot] ?? '' }));
    if ((await save(AssignSpoolsDocument, { printId: print.id, spools: chosen })) === undefined) return;
    let isRefused = false;
    for (const one of isLoaded ? chosen : []) {
      isRefused ||= (await save(LoadSpoolDocument, { printerId: print.printer.id, ...one })) === undefined;
    }
    announce(isRefused ? 'The print has its job. A spool could not be loaded.' : 'The print has its job.');
    onDone();
  };
  return (
    <Form
      faults={ofSlots}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={<FormButtons action="Assign" isBusy={isBusy} onCancel={onDone} />}
    >
      {slots.map((slot) => (
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
        <span>
          {slots.length === 1
            ? `It is in ${print.printer.name} now: the next prints use it too.`
            : `They are in ${print.printer.name} now: the next prints use them too.`}
        </span>
      </label>
    </Form>
  );
}

const bySlot = (faults: Record<string, string>, slots: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(faults).map(([name, fault]) => {
      const at = /^spools\.(\d+)\./.exec(name)?.[1];
      return [(at !== undefined && slots[Number(at)]) || name, fault];
    }),
  );
