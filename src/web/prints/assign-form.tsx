// The form in which a user chooses a spool for each slot of waiting prints. The gateway then books the prints as jobs.
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
import { useFieldTexts } from '../parts/field-texts';
import { Form, FormButtons } from '../parts/form';
import { selectableRows, spoolChoices, useSpools } from '../parts/object-choices';
import { useSaving } from '../parts/saving';
import { SearchChoice } from '../parts/search-choice';
import { slotName } from '../parts/slot-name';
import styles from './prints.module.css';

interface AssignFormProps {
  /** At least one print; all are of the same printer. */
  prints: readonly PrintRowFragment[];
  onDone: () => void;
}

export default function AssignForm({ prints, onDone }: AssignFormProps) {
  const { printer } = prints[0] as PrintRowFragment;
  const isOne = prints.length === 1;
  const { data } = useSpools();
  const spools = useMemo(() => spoolChoices(selectableRows(data?.spools.nodes ?? [])), [data]);
  const loadedQuery = useQuery(LoadedSpoolsDocument, { variables: { id: printer.id } });
  const loaded = loadedQuery.data?.printer?.slots ?? [];
  const slots = [...new Set(prints.flatMap(({ slotsToChoose }) => slotsToChoose))];
  const filament = prints.flatMap((print) => print.filament);
  const findKnownSpool = (slot: string) =>
    filament.find((entry) => entry.slot === slot && entry.spool !== null)?.spool ??
    loaded.find((entry) => entry.slot === slot)?.spool;
  const { texts, isEdited, bind } = useFieldTexts(
    Object.fromEntries(slots.map((slot) => [slot, findKnownSpool(slot)?.id ?? ''])),
  );
  // The spool of a running print is in the printer. The spool of an older print may have been taken out.
  const [isLoaded, setLoaded] = useState(prints.some(({ outcome }) => outcome === 'RUNNING'));
  const { save, isBusy, faults } = useSaving();
  // The gateway reports a fault at the index of an item, but the fields have the names of the slots.
  const chosen = slots.flatMap((slot) => (texts[slot] ? { slot, spoolId: texts[slot] } : []));
  const names = chosen.map(({ slot }) => slot).join(' ');
  const faultsBySlot = useMemo(() => moveFaultsToSlots(faults, names.split(' ')), [faults, names]);
  const bookable = prints.filter(({ slotsToChoose }) => slotsToChoose.every((slot) => texts[slot]));
  const incomplete = prints.filter((print) => !bookable.includes(print));
  /** @returns the text to announce; undefined if the gateway rejected the input */
  const assign = async (): Promise<string | undefined> => {
    const printIds = bookable.map(({ id }) => id);
    if (isOne) {
      const saved = await save(AssignSpoolsDocument, { printId: printIds[0] ?? '', spools: chosen });
      return saved && 'Booked.';
    }
    const saved = await save(AssignSpoolsToPrintsDocument, { printIds, spools: chosen });
    if (saved === undefined) return undefined;
    const missingSpool = [...saved.assignSpoolsToPrints.filter(({ waitsFor }) => waitsFor === 'SPOOL'), ...incomplete];
    const done = prints.length - missingSpool.length;
    const message = done === 1 ? '1 print booked.' : `${done} prints booked.`;
    return missingSpool.length === 0 ? message : `${message} Still missing a spool: ${listPrints(missingSpool)}.`;
  };
  const submit = async () => {
    const message = await assign();
    if (message === undefined) return;
    let isRefused = false;
    for (const choice of isLoaded ? chosen : []) {
      isRefused ||= (await save(LoadSpoolDocument, { printerId: printer.id, ...choice })) === undefined;
    }
    announce(
      isRefused ? `${message} Could not load a spool into the printer: load it on the page of the printer.` : message,
    );
    onDone();
  };
  // The loaded spool is offered first. Without one, the list of all spools opens with the form.
  if (loadedQuery.loading) return null;
  return (
    <Form
      faults={faultsBySlot}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={
        <FormButtons
          action={
            isOne
              ? 'Book print'
              : bookable.length === 0
                ? 'Book prints'
                : `Book ${bookable.length} ${bookable.length === 1 ? 'print' : 'prints'}`
          }
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
          isOpenAtFirst={slots.length === 1 && !texts[slot]}
        />
      ))}
      {!isOne && chosen.length > 0 && incomplete.length > 0 && (
        <p className={styles['quiet']}>{`Still missing a spool: ${listPrints(incomplete)}`}</p>
      )}
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

const listPrints = (prints: readonly PrintRowFragment[]) =>
  prints
    .map(
      ({ name, slotsToChoose }) => `${name} (${slotsToChoose.map((slot) => slotName(slot, slotsToChoose)).join(', ')})`,
    )
    .join(', ');

const moveFaultsToSlots = (faults: Record<string, string>, slots: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(faults).map(([name, fault]) => {
      const index = /^spools\.(\d+)\./.exec(name)?.[1];
      return [(index !== undefined && slots[Number(index)]) || name, fault];
    }),
  );
