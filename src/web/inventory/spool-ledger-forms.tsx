// The forms of a spool's ledger: what is on the spool now, and grams that are added or taken off.
import { CorrectSpoolDocument, type SpoolPageQuery, WeighSpoolDocument } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { ChoiceField } from '../parts/choice-field';
import { DecimalField } from '../parts/decimal-field';
import { useTexts } from '../parts/field-texts';
import { Field, Form, FormButtons } from '../parts/form';
import { grams } from '../parts/numbers';
import { useSaving } from '../parts/saving';

export type SpoolOfPage = NonNullable<SpoolPageQuery['spool']>;

/** What the gateway takes off what a scale shows; null where nobody has said it. */
export const tareOf = ({ tareGrams, filament }: SpoolOfPage): string | null => tareGrams ?? filament?.tareGrams ?? null;

export function WeighForm({ spool, onDone }: { spool: SpoolOfPage; onDone: () => void }) {
  const tare = tareOf(spool);
  const { texts, isEdited, bind } = useTexts({ grossGrams: '', netGrams: '', note: '' });
  const { save, isBusy, faults } = useSaving();
  /** Only one of them is said. */
  const bindInsteadOf = (name: 'grossGrams' | 'netGrams', other: 'grossGrams' | 'netGrams') => ({
    ...bind(name),
    onChange: (event: { target: { value: string } }) => {
      bind(name).onChange(event);
      bind(other).onChange({ target: { value: '' } });
    },
  });
  const submit = async () => {
    const input = { grossGrams: texts.grossGrams || null, netGrams: texts.netGrams || null, note: texts.note || null };
    if ((await save(WeighSpoolDocument, { id: spool.id, input })) === undefined) return;
    announce('The spool is weighed.');
    onDone();
  };
  return (
    <Form
      faults={faults}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={<FormButtons action="Weigh" isBusy={isBusy} onCancel={onDone} />}
    >
      <DecimalField
        {...bindInsteadOf('grossGrams', 'netGrams')}
        label="Grams on the scale"
        hint={
          tare === null
            ? 'The weight of the empty spool is not known. Say the grams of filament instead.'
            : `With the empty spool: its ${grams(tare)} are taken off.`
        }
        disabled={tare === null}
        required={tare !== null && texts.netGrams === ''}
      />
      <DecimalField
        {...bindInsteadOf('netGrams', 'grossGrams')}
        label="Grams of filament"
        hint="Without the empty spool."
        required={tare === null}
      />
      <Field {...bind('note')} label="Note" />
    </Form>
  );
}

const CORRECTIONS = [
  ['added', 'Added'],
  ['taken off', 'Taken off'],
  ['lost', 'Lost: thrown away'],
] as const;

export function CorrectForm({ spool, onDone }: { spool: SpoolOfPage; onDone: () => void }) {
  const { texts, isEdited, bind } = useTexts({ kind: '', grams: '', note: '' });
  const { save, isBusy, faults } = useSaving();
  const submit = async () => {
    const amount = texts.grams.replace(/^\+/, '');
    const input = {
      kind: texts.kind === 'lost' ? ('LOST' as const) : ('CORRECTED' as const),
      grams: texts.kind === 'added' ? amount : `-${amount}`,
      note: texts.note,
    };
    if ((await save(CorrectSpoolDocument, { id: spool.id, input })) === undefined) return;
    announce('The spool is corrected.');
    onDone();
  };
  return (
    <Form
      faults={faults}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={<FormButtons action="Correct" isBusy={isBusy} onCancel={onDone} />}
    >
      <ChoiceField {...bind('kind')} label="The grams were" choices={[['', 'Choose …'], ...CORRECTIONS]} required />
      <DecimalField {...bind('grams')} label="Grams" required isAboveZero />
      <Field {...bind('note')} label="Why" required />
    </Form>
  );
}
