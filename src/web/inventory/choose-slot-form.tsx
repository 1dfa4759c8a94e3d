// The form that loads one spool: into which printer, into which of its slots, and when.
import { skipToken, useQuery } from '@apollo/client/react';
import { useMemo } from 'react';
import { LoadedSpoolsDocument, LoadSpoolDocument } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { ChoiceField } from '../parts/choice-field';
import { instantOf } from '../parts/days';
import { useTexts } from '../parts/field-texts';
import { Field, Form, FormButtons } from '../parts/form';
import { offered, printerChoices, usePrinters } from '../parts/object-choices';
import { useSaving } from '../parts/saving';
import { SearchChoice } from '../parts/search-choice';
import { slotName } from '../parts/slot-name';

export function ChooseSlotForm({ spoolId, onDone }: { spoolId: string; onDone: () => void }) {
  const { data } = usePrinters();
  const printers = useMemo(() => printerChoices(offered(data?.printers.nodes ?? [])), [data]);
  const { texts, isEdited, bind } = useTexts({ printerId: '', slot: '', at: '' });
  const { printerId } = texts;
  const found = useQuery(LoadedSpoolsDocument, printerId === '' ? skipToken : { variables: { id: printerId } });
  const slots = found.data?.printer?.slots ?? [];
  // The slot that was chosen for another printer may not exist here.
  const slot = (slots.find((one) => one.slot === texts.slot) ?? slots.find(({ spool }) => spool === null) ?? slots[0])
    ?.slot;
  const nameOf = (slot: string) =>
    slotName(
      slot,
      slots.map((one) => one.slot),
    );
  const { save, isBusy, faults } = useSaving();
  const submit = async () => {
    if (slot === undefined) return;
    const at = texts.at === '' ? null : instantOf(texts.at);
    if ((await save(LoadSpoolDocument, { printerId, slot, spoolId, at })) === undefined) return;
    announce('Spool loaded.');
    onDone();
  };
  return (
    <Form
      faults={faults}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={
        <FormButtons
          action="Load spool"
          isBusy={isBusy || (printerId !== '' && slot === undefined)}
          onCancel={onDone}
        />
      }
    >
      <SearchChoice {...bind('printerId')} label="Printer" choices={printers} placeholder="Choose …" required />
      {slot !== undefined && (
        <ChoiceField
          {...bind('slot')}
          value={slot}
          label="Slot"
          choices={slots.map(({ slot, spool }) => [
            slot,
            spool === null ? nameOf(slot) : `${nameOf(slot)} (replaces ${spool.spoolSerial})`,
          ])}
        />
      )}
      <Field
        {...bind('at')}
        label="Loaded at"
        isOptional
        type="datetime-local"
        hint="Leave empty if you load it now."
      />
    </Form>
  );
}
