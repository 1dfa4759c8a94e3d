// The form that loads a spool into a slot, now or at a time that is past.
import { useMemo } from 'react';
import { LoadSpoolDocument } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { offered, spoolChoices, useSpools } from '../parts/choices';
import { instantOf } from '../parts/days';
import { Field, Form, FormButtons } from '../parts/form';
import { useSaving, useTexts } from '../parts/saving';
import { SearchChoice } from '../parts/search-choice';
import { slotName } from '../prints/print-words';

export function LoadForm({ printerId, slot, onDone }: { printerId: string; slot: string; onDone: () => void }) {
  const { data } = useSpools();
  const spools = useMemo(() => spoolChoices(offered(data?.spools.nodes ?? [])), [data]);
  const { texts, isEdited, bind } = useTexts({ spoolId: '', at: '' });
  const { save, isBusy, faults } = useSaving();
  const submit = async () => {
    const at = texts.at === '' ? null : instantOf(texts.at);
    if ((await save(LoadSpoolDocument, { printerId, slot, spoolId: texts.spoolId, at })) === undefined) return;
    announce('The spool is loaded.');
    onDone();
  };
  return (
    <Form
      faults={faults}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={<FormButtons action="Load" isBusy={isBusy} onCancel={onDone} />}
    >
      <SearchChoice
        {...bind('spoolId')}
        label={`Spool for ${slotName(slot)}`}
        choices={spools}
        placeholder="Choose …"
        required
      />
      <Field
        {...bind('at')}
        label="It was put in at"
        type="datetime-local"
        hint="Empty: now. Say the time when you did it earlier."
      />
    </Form>
  );
}
