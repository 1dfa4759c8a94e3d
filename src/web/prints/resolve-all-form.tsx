// The form in which a user enters one outcome for all prints of a printer whose ends were not seen, and another one for some of them.
import { type PrintOutcome, type PrintRowFragment, ResolvePrintsDocument } from '../../generated/web-operations';
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
  const outcomeOf = (id: string) => texts[id] || texts['outcome'] || LATER;
  const decided = prints.filter(({ id }) => outcomeOf(id) !== LATER);
  const submit = async () => {
    const outcomes = decided.map(({ id }) => ({ printId: id, outcome: outcomeOf(id) as PrintOutcome }));
    const saved = await save(ResolvePrintsDocument, { outcomes });
    if (saved === undefined) return;
    // Another user may have entered the outcome of a print meanwhile.
    const kept = saved.resolvePrints.filter(({ outcome }, at) => outcome !== outcomes[at]?.outcome).length;
    announce(
      [nameOutcomes(decided.length - kept, 'saved'), kept > 0 && nameOutcomes(kept, 'already entered')]
        .filter(Boolean)
        .join(' '),
    );
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

const nameOutcomes = (count: number, verb: string) => `${count} ${count === 1 ? 'outcome' : 'outcomes'} ${verb}.`;
