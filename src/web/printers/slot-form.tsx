// The form that loads a spool into a slot or takes it out, now or at an earlier time.
import { useMemo } from 'react';
import { LoadSpoolDocument } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { toInstant } from '../parts/days';
import { useFieldTexts } from '../parts/field-texts';
import { Field, Form, FormButtons } from '../parts/form';
import { selectableRows, spoolChoices, useSpools } from '../parts/object-choices';
import { useSaving } from '../parts/saving';
import { SearchChoice } from '../parts/search-choice';
import { slotName } from '../parts/slot-name';

interface SlotFormProps {
  printerId: string;
  slot: string;
  /** The form takes the loaded spool out instead of loading another. */
  isTakingOut?: boolean;
  onDone: () => void;
}

export function SlotForm({ printerId, slot, isTakingOut = false, onDone }: SlotFormProps) {
  const { data } = useSpools();
  const spools = useMemo(() => spoolChoices(selectableRows(data?.spools.nodes ?? [])), [data]);
  const { texts, isEdited, bind } = useFieldTexts({ spoolId: '', at: '' });
  const { save, isBusy, faults } = useSaving();
  const submit = async () => {
    const at = texts.at === '' ? null : toInstant(texts.at);
    const spoolId = isTakingOut ? null : texts.spoolId;
    if ((await save(LoadSpoolDocument, { printerId, slot, spoolId, at })) === undefined) return;
    announce(isTakingOut ? 'Spool taken out.' : 'Spool loaded.');
    onDone();
  };
  return (
    <Form
      faults={faults}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={<FormButtons action={isTakingOut ? 'Take out spool' : 'Load spool'} isBusy={isBusy} onCancel={onDone} />}
    >
      {!isTakingOut && (
        <SearchChoice
          {...bind('spoolId')}
          label={`Spool for ${slotName(slot)}`}
          choices={spools}
          placeholder="Choose …"
          required
          isOpenAtFirst
        />
      )}
      <Field
        {...bind('at')}
        label={isTakingOut ? 'Taken out at' : 'Loaded at'}
        isOptional
        type="datetime-local"
        hint={isTakingOut ? 'Leave empty if you take it out now.' : 'Leave empty if you load it now.'}
      />
    </Form>
  );
}
