// Shows the form that loads a spool: the printer, the slot and the time.
import { skipToken, useQuery } from '@apollo/client/react';
import { useMemo } from 'react';
import { LoadedSpoolsDocument, LoadSpoolDocument } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { ChoiceField } from '../parts/choice-field';
import { toInstant } from '../parts/days';
import { useFieldTexts } from '../parts/field-texts';
import { Field, Form, FormButtons } from '../parts/form';
import { printerChoices, selectableRows, usePrinters } from '../parts/object-choices';
import { useSaving } from '../parts/saving';
import { SearchChoice } from '../parts/search-choice';
import { slotName } from '../parts/slot-name';

export function ChooseSlotForm({ spoolId, onDone }: { spoolId: string; onDone: () => void }) {
  const { data } = usePrinters();
  const printers = useMemo(() => printerChoices(selectableRows(data?.printers.nodes ?? [])), [data]);
  const { texts, isEdited, bind } = useFieldTexts({ printerId: '', slot: '', at: '' });
  const { printerId } = texts;
  const query = useQuery(LoadedSpoolsDocument, printerId === '' ? skipToken : { variables: { id: printerId } });
  const slots = query.data?.printer?.slots ?? [];
  // This printer may not have the slot that was chosen for another printer.
  const slot = (
    slots.find((candidate) => candidate.slot === texts.slot) ??
    slots.find(({ spool }) => spool === null) ??
    slots[0]
  )?.slot;
  const formatSlot = (slot: string) =>
    slotName(
      slot,
      slots.map((each) => each.slot),
    );
  const { save, isBusy, faults } = useSaving();
  const submit = async () => {
    if (slot === undefined) return;
    const at = texts.at === '' ? null : toInstant(texts.at);
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
      <SearchChoice
        {...bind('printerId')}
        label="Printer"
        choices={printers}
        placeholder="Choose …"
        required
        isOpenAtFirst
      />
      {slot !== undefined && (
        <ChoiceField
          {...bind('slot')}
          value={slot}
          label="Slot"
          choices={slots.map(({ slot, spool }) => [
            slot,
            spool === null ? formatSlot(slot) : `${formatSlot(slot)} (replaces ${spool.spoolSerial})`,
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
