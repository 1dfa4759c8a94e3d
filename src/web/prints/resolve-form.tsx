// The form in which a user enters the outcome of a print whose end was not seen.
import { type PrintOutcome, type PrintRowFragment, ResolvePrintDocument } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { ChoiceField } from '../parts/choice-field';
import { toInstant } from '../parts/days';
import { useFieldTexts } from '../parts/field-texts';
import { Field, Form, FormButtons } from '../parts/form';
import { useSaving } from '../parts/saving';
import { OUTCOMES } from './print-texts';

export const OUTCOME_CHOICES: readonly (readonly [value: string, name: string])[] = [
  ['', 'Choose …'],
  ...(['COMPLETED', 'CANCELLED', 'FAILED'] as const).map((outcome) => [outcome, OUTCOMES[outcome].name] as const),
];

export function ResolveForm({ print, onDone }: { print: PrintRowFragment; onDone: () => void }) {
  const { texts, isEdited, bind } = useFieldTexts({ outcome: '', endedAt: '' });
  const { save, isBusy, faults } = useSaving();
  const submit = async () => {
    const saved = await save(ResolvePrintDocument, {
      printId: print.id,
      outcome: texts.outcome as PrintOutcome,
      endedAt: texts.endedAt === '' ? null : toInstant(texts.endedAt),
    });
    if (saved === undefined) return;
    announce('Outcome saved.');
    onDone();
  };
  return (
    <Form
      faults={faults}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={<FormButtons action="Save outcome" isBusy={isBusy} onCancel={onDone} />}
    >
      <ChoiceField {...bind('outcome')} label="Outcome" choices={OUTCOME_CHOICES} required />
      <Field
        {...bind('endedAt')}
        label="Ended at"
        isOptional
        type="datetime-local"
        hint="Leave empty for the time of the last contact."
      />
    </Form>
  );
}
