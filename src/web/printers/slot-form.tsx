// The form of one slot: a spool is loaded into it or taken out of it, now or at a time that is past.
import { useMemo } from 'react';
import { LoadSpoolDocument } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { instantOf } from '../parts/days';
import { useTexts } from '../parts/field-texts';
import { Field, Form, FormButtons } from '../parts/form';
import { offered, spoolChoices, useSpools } from '../parts/object-choices';
import { useSaving } from '../parts/saving';
import { SearchChoice } from '../parts/search-choice';
import { slotName } from '../parts/slot-name';

interface SlotFormProps {
  printerId: string;
  slot: string;
  /** No spool is loaded: the one that is there is taken out. */
  takesOut?: boolean;
  onDone: () => void;
}

export function SlotForm({ printerId, slot, takesOut = false, onDone }: SlotFormProps) {
  const { data } = useSpools();
  const spools = useMemo(() => spoolChoices(offered(data?.spools.nodes ?? [])), [data]);
  const { texts, isEdited, bind } = useTexts({ spoolId: '', at: '' });
  const { save, isBusy, faults } = useSaving();
  const submit = async () => {
    const at = texts.at === '' ? null : instantOf(texts.at);
    const spoolId = takesOut ? null : texts.spoolId;
    if ((await save(LoadSpoolDocument, { printerId, slot, spoolId, at })) === undefined) return;
    announce(takesOut ? 'Spool taken out.' : 'Spool loaded.');
    onDone();
  };
  return (
    <Form
      faults={faults}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={<FormButtons action={takesOut ? 'Take out spool' : 'Load spool'} isBusy={isBusy} onCancel={onDone} />}
    >
      {!takesOut && (
        <SearchChoice
          {...bind('spoolId')}
          label={`Spool for ${slotName(slot)}`}
          choices={spools}
          placeholder="Choose …"
          required
        />
      )}
      <Field
        {...bind('at')}
        label={takesOut ? 'Taken out at' : 'Loaded at'}
        isOptional
        type="datetime-local"
        hint={takesOut ? 'Leave empty if you take it out now.' : 'Leave empty if you load it now.'}
      />
    </Form>
  );
}
