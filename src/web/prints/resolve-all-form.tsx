// The form in which a user enters one outcome for all prints of a printer whose ends were not seen, and another one for some of them.
import { useRef } from 'react';
import { type PrintOutcome, type PrintRowFragment, ResolvePrintDocument } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { ChoiceField } from '../parts/choice-field';
import { useFieldTexts } from '../parts/field-texts';
import { Form, FormButtons } from '../parts/form';
import { exactTime } from '../parts/formats';
import { useSaving } from '../parts/saving';
import styles from './prints.module.css';
import { OUTCOME_CHOICES } from './resolve-form';

/** The print stays as it is. */
const LATER = 'LATER';

interface ResolveAllFormProps {
  /** All are of the same printer. */
  prints: readonly PrintRowFragment[];
  onDone: () => void;
}

export default function ResolveAllForm({ prints, onDone }: ResolveAllFormProps) {
  const { texts, isEdited, bind } = useFieldTexts<string>({
    outcome: '',
    ...Object.fromEntries(prints.map(({ id }) => [id, ''])),
  });
  const { save, isBusy, faults } = useSaving();
  /** If one request fails, saving again sends only the others. */
  const doneIds = useRef(new Set<string>());
  const outcomeOf = (id: string) => texts[id] || texts['outcome'] || LATER;
  const decided = prints.filter(({ id }) => outcomeOf(id) !== LATER);
  const submit = async () => {
    for (const { id } of decided) {
      if (doneIds.current.has(id)) continue;
      const outcome = outcomeOf(id) as PrintOutcome;
      if ((await save(ResolvePrintDocument, { printId: id, outcome, endedAt: null })) === undefined) return;
      doneIds.current.add(id);
    }
    announce(decided.length === 1 ? '1 outcome saved.' : `${decided.length} outcomes saved.`);
    onDone();
  };
  return (
    <Form
      faults={faults}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={
        <FormButtons
          action={
            decided.length === 0
              ? 'Save outcomes'
              : `Save ${decided.length} ${decided.length === 1 ? 'outcome' : 'outcomes'}`
          }
          isBusy={isBusy}
          onCancel={onDone}
        />
      }
    >
      <ChoiceField
        {...bind('outcome')}
        value={texts['outcome'] ?? ''}
        label={`Outcome of all ${prints.length} prints`}
        choices={OUTCOME_CHOICES}
        hint="Each print ends at the time of its last contact."
        required={decided.length === 0}
      />
      <details className={styles['each']}>
        <summary>Set some of them separately</summary>
        {prints.map(({ id, name, startedAt }) => (
          <ChoiceField
            key={id}
            {...bind(id)}
            value={texts[id] ?? ''}
            label={`${name || 'Unnamed'}${startedAt === null ? '' : `, started ${exactTime(startedAt)}`}`}
            choices={[['', 'Like all'], ...OUTCOME_CHOICES.slice(1), [LATER, 'Not now']]}
          />
        ))}
      </details>
    </Form>
  );
}
