// The form that gives waiting prints of a printer their spools, one for each slot: then their jobs are made.
import { useQuery } from '@apollo/client/react';
import { useMemo, useState } from 'react';
import {
  AssignSpoolsDocument,
  AssignSpoolsToPrintsDocument,
  LoadedSpoolsDocument,
  LoadSpoolDocument,
  type PrintRowFragment,
} from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { useTexts } from '../parts/field-texts';
import { Form, FormButtons } from '../parts/form';
import { offered, spoolChoices, useSpools } from '../parts/object-choices';
import { useSaving } from '../parts/saving';
import { SearchChoice } from '../parts/search-choice';
import { slotName } from '../parts/slot-name';
import styles from './prints.module.css';

interface AssignFormProps {
  /** At least one. */
  prints: readonly PrintRowFragment[];
  onDone: () => void;
}

export default function AssignForm({ prints, onDone }: AssignFormProps) {
  const { printer } = prints[0] as PrintRowFragment;
  const isOne = prints.length === 1;
  const { data } = useSpools();
  const spools = useMemo(() => spoolChoices(offered(data?.spools.nodes ?? [])), [data]);
  const loaded = useQuery(LoadedSpoolsDocument, { variables: { id: printer.id } }).data?.printer?.slots ?? [];
  const slots = [...new Set(prints.flatMap(({ slotsToChoose }) => slotsToChoose))];
  const filament = prints.flatMap((print) => print.filament);
  const known = (slot: string) =>
    filament.find((one) => one.slot === slot && one.spool !== null)?.spool ??
    loaded.find((one) => one.slot === slot)?.spool;
  const { texts, isEdited, bind } = useTexts(Object.fromEntries(slots.map((slot) => [slot, known(slot)?.id ?? ''])));
  // The spool of a print that runs is in the printer; that of an older one may have been taken out.
  const [isLoaded, setLoaded] = useState(prints.some(({ outcome }) => outcome === 'RUNNING'));
  const { save, isBusy, faults } = useSaving();
  // A fault is of an item, and the fields have the names of the slots.
  const chosen = slots.flatMap((slot) => (texts[slot] ? { slot, spoolId: texts[slot] } : []));
  const names = chosen.map(({ slot }) => slot).join(' ');
  const ofSlots = useMemo(() => bySlot(faults, names.split(' ')), [faults, names]);
  const fit = prints.filter(({ slotsToChoose }) => slotsToChoose.every((slot) => texts[slot]));
  const others = prints.filter((print) => !fit.includes(print));
  /** @returns what to say; undefined where the gateway refused it */
  const assign = async (): Promise<string | undefined> => {
    const printIds = fit.map(({ id }) => id);
    if (isOne) {
      const saved = await save(AssignSpoolsDocument, { printId: printIds[0] ?? '', spools: chosen });
      return saved && 'Booked.';
    }
    const saved = await save(AssignSpoolsToPrintsDocument, { printIds, spools: chosen });
    if (saved === undefined) return undefined;
    const left = [...saved.assignSpoolsToPrints.filter(({ waitsFor }) => waitsFor === 'SPOOL'), ...others];
    const done = prints.length - left.length;
    const said = done === 1 ? '1 print booked.' : `${done} prints booked.`;
    return left.length === 0 ? said : `${said} Still missing a spool: ${namesOf(left)}.`;
  };
  const submit = async () => {
    const said = await assign();
    if (said === undefined) return;
    let isRefused = false;
    for (const one of isLoaded ? chosen : []) {
      isRefused ||= (await save(LoadSpoolDocument, { printerId: printer.id, ...one })) === undefined;
    }
    announce(isRefused ? `${said} Could not load a spool into the printer: load it on the page of the printer.` : said);
    onDone();
  };
  return (
    <Form
      faults={ofSlots}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={
        <FormButtons
          action={isOne ? 'Book print' : `Book ${fit.length} ${fit.length === 1 ? 'print' : 'prints'}`}
          isBusy={isBusy}
          onCancel={onDone}
        />
      }
    >
      {slots.map((slot) => (
        <SearchChoice
          key={slot}
          {...bind(slot)}
          value={texts[slot] ?? ''}
          label={slots.length === 1 ? 'Spool' : `Spool in ${slotName(slot, slots)}`}
          choices={spools}
          placeholder="Choose …"
          required={isOne || slots.length === 1}
        />
      ))}
      {!isOne && others.length > 0 && <p className={styles['quiet']}>{`Still missing a spool: ${namesOf(others)}`}</p>}
      <label className={styles['check']}>
        <input type="checkbox" checked={isLoaded} onChange={({ target }) => setLoaded(target.checked)} />
        <span>
          {slots.length === 1
            ? `It is still loaded in ${printer.name}: use it for the next prints too.`
            : `They are still loaded in ${printer.name}: use them for the next prints too.`}
        </span>
      </label>
    </Form>
  );
}

const namesOf = (prints: readonly PrintRowFragment[]) =>
  prints
    .map(
      ({ name, slotsToChoose }) => `${name} (${slotsToChoose.map((slot) => slotName(slot, slotsToChoose)).join(', ')})`,
    )
    .join(', ');

const bySlot = (faults: Record<string, string>, slots: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(faults).map(([name, fault]) => {
      const at = /^spools\.(\d+)\./.exec(name)?.[1];
      return [(at !== undefined && slots[Number(at)]) || name, fault];
    }),
  );
