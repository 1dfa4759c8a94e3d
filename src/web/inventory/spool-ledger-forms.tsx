// Shows the forms of adjustments: the weight on a scale, and grams that are added, removed or thrown away.
import { useState } from 'react';
import {
  CorrectSpoolDocument,
  type SpoolPageQuery,
  UpdateSpoolDocument,
  WeighSpoolDocument,
} from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { ChoiceField } from '../parts/choice-field';
import { DecimalField } from '../parts/decimal-field';
import { add, subtract } from '../parts/exact-decimals';
import { useFieldTexts } from '../parts/field-texts';
import { Field, Form, FormButtons } from '../parts/form';
import { formatGrams } from '../parts/numbers';
import { useSaving } from '../parts/saving';
import { useFullSpoolQuestion } from './full-spool-question';

export type PageSpool = NonNullable<SpoolPageQuery['spool']>;

/** The weight that the gateway subtracts from the weight on the scale; `null` if nobody has entered it. */
export const findTare = ({ tareGrams, filament }: PageSpool): string | null => tareGrams ?? filament?.tareGrams ?? null;

export function WeighForm({ spool, onDone }: { spool: PageSpool; onDone: () => void }) {
  const storedTare = findTare(spool);
  // Stays while the form is open, because the form stores the tare before the weight.
  const [needsTare] = useState(storedTare === null);
  const { texts, isEdited, bind } = useFieldTexts({ grossGrams: '', tareGrams: '', netGrams: '', note: '' });
  const tare = needsTare ? texts.tareGrams : (storedTare ?? '');
  const { save, isBusy, faults } = useSaving();
  const askAboveFull = useFullSpoolQuestion();
  /** A weighing has one of the two weights: typing in one field clears the other. */
  const bindAndClear = (name: 'grossGrams' | 'netGrams', cleared: 'grossGrams' | 'netGrams') => ({
    ...bind(name),
    onChange: (event: { target: { value: string } }) => {
      bind(name).onChange(event);
      bind(cleared).onChange({ target: { value: '' } });
    },
  });
  const submit = async () => {
    const remainingGrams = texts.netGrams || subtract(texts.grossGrams, tare || '0');
    if (!(await askAboveFull(remainingGrams, spool.weightTotalGrams))) return;
    const isTareNew = needsTare && texts.grossGrams !== '' && tare !== storedTare;
    if (isTareNew && !(await save(UpdateSpoolDocument, { id: spool.id, input: { tareGrams: tare } }))) return;
    const input = { grossGrams: texts.grossGrams || null, netGrams: texts.netGrams || null, note: texts.note || null };
    if ((await save(WeighSpoolDocument, { id: spool.id, input })) === undefined) return;
    announce('Weight saved.');
    onDone();
  };
  return (
    <Form
      faults={faults}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={<FormButtons action="Save weight" isBusy={isBusy} onCancel={onDone} />}
    >
      <DecimalField
        {...bindAndClear('grossGrams', 'netGrams')}
        label="Weight on the scale in grams"
        hint={
          needsTare
            ? 'Filament and spool together.'
            : `Filament and spool together. The empty spool weight, ${formatGrams(tare)}, is subtracted.`
        }
        required={texts.netGrams === ''}
      />
      {needsTare && (
        <DecimalField
          {...bind('tareGrams')}
          label="Empty spool weight (tare) in grams"
          hint="It is subtracted from the weight on the scale, and stored for the next time."
          required={texts.grossGrams !== ''}
          disabled={texts.netGrams !== ''}
        />
      )}
      <DecimalField
        {...bindAndClear('netGrams', 'grossGrams')}
        label="Or filament alone in grams"
        hint="Without the empty spool."
      />
      <Field {...bind('note')} label="Note" isOptional />
    </Form>
  );
}

const CORRECTIONS = [
  ['added', 'Add filament'],
  ['taken off', 'Remove filament'],
  ['lost', 'Thrown away'],
] as const;

export function AdjustWeightForm({ spool, onDone }: { spool: PageSpool; onDone: () => void }) {
  const { texts, isEdited, bind } = useFieldTexts({ kind: '', grams: '', note: '' });
  const { save, isBusy, faults } = useSaving();
  const askAboveFull = useFullSpoolQuestion();
  const submit = async () => {
    const amount = texts.grams.replace(/^\+/, '');
    const isAdding = texts.kind === 'added';
    if (isAdding && !(await askAboveFull(add(spool.remainingGrams, amount), spool.weightTotalGrams))) return;
    const input = {
      kind: texts.kind === 'lost' ? ('LOST' as const) : ('CORRECTED' as const),
      grams: isAdding ? amount : `-${amount}`,
      note: texts.note,
    };
    if ((await save(CorrectSpoolDocument, { id: spool.id, input })) === undefined) return;
    announce('Adjustment saved.');
    onDone();
  };
  return (
    <Form
      faults={faults}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={<FormButtons action="Save adjustment" isBusy={isBusy} onCancel={onDone} />}
    >
      <ChoiceField {...bind('kind')} label="Change" choices={[['', 'Choose …'], ...CORRECTIONS]} required />
      <DecimalField {...bind('grams')} label="Amount in grams" required mustBePositive />
      <Field {...bind('note')} label="Reason" required />
    </Form>
  );
}
