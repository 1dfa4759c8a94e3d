// The form on the page of a job that corrects the weight of the job, without its other values.
import { useRef, useState } from 'react';
import { type JobDetailsFragment, SetJobPartsDocument } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { Button } from '../parts/button';
import { DecimalField } from '../parts/decimal-field';
import { useFieldTexts } from '../parts/field-texts';
import { Form } from '../parts/form';
import { useSaving } from '../parts/saving';
import { isWeightUnknown } from '../prints/amount-bases';
import styles from './jobs.module.css';

/**
 * Shows nothing for a job that is split, whose parts have the weights, and for a job that is printing, whose weight still changes.
 * A cost that was entered by hand would be lost with the form, because the cost follows the weight.
 */
export function CorrectWeight({ job }: { job: JobDetailsFragment }) {
  const card = useRef<HTMLElement>(null);
  /** Makes a new form after each correction. */
  const [corrections, setCorrections] = useState(0);
  const { spool, parts, status, costPerPrint, derivation } = job;
  const [part] = parts;
  const hasCostByHand = derivation.pricePerGram === null && Number(costPerPrint) > 0;
  if (spool === null || part === undefined || parts.length > 1 || status === 'PRINTING' || hasCostByHand) return null;
  return (
    <section ref={card} className={styles['weight']} aria-label="Correct weight" tabIndex={-1}>
      <WeightForm
        key={corrections}
        job={job}
        spoolId={spool.id}
        slot={part.slot}
        onDone={() => {
          setCorrections(corrections + 1);
          // The pressed button leaves with its form, which would lose the focus.
          card.current?.focus();
        }}
      />
    </section>
  );
}

interface WeightFormProps {
  job: JobDetailsFragment;
  spoolId: string;
  slot: string | null;
  onDone: () => void;
}

function WeightForm({ job, spoolId, slot, onDone }: WeightFormProps) {
  const { texts, isEdited, bind } = useFieldTexts({ gramsDerived: isWeightUnknown(job) ? '' : job.gramsDerived });
  const { save, isBusy, faults } = useSaving();
  const submit = async () => {
    const parts = [{ spoolId, slot, mmExtruded: job.mmExtruded, gramsDerived: texts.gramsDerived }];
    const fieldNames = { 'parts.0.gramsDerived': 'gramsDerived' };
    if ((await save(SetJobPartsDocument, { id: job.id, parts }, fieldNames)) === undefined) return;
    announce('Weight saved.');
    onDone();
  };
  return (
    <Form
      faults={faults}
      isEdited={isEdited}
      onSubmit={() => void submit()}
      actions={
        <Button type="submit" isBusy={isBusy}>
          Save weight
        </Button>
      }
    >
      <DecimalField
        {...bind('gramsDerived')}
        label="Correct weight in grams"
        hint={job.derivation.pricePerGram === null ? undefined : 'The cost follows the price of the spool.'}
        required
      />
    </Form>
  );
}
