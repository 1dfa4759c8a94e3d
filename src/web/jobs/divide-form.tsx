// The form that divides a job: a row for each part. The last part has the rest, so that the sum stays that of the job.
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { MAX_PARTS } from '../../farm/print-jobs/print-job.limits';
import { type JobToDivideQuery, SetJobPartsDocument, type SpoolRowFragment } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { Button } from '../parts/button';
import { ChoiceField } from '../parts/choice-field';
import { Form, FormButtons } from '../parts/form';
import { inNaturalOrder } from '../parts/formats';
import { decimal, grams } from '../parts/numbers';
import { offered, spoolChoices } from '../parts/object-choices';
import { useSaving } from '../parts/saving';
import { slotName } from '../parts/slot-name';
import { dividedAmountsOf, inOtherUnit, inputOf, type PartTexts, textsOf, type Unit } from './divide-amounts';
import { DividePart } from './divide-part';
import styles from './jobs.module.css';

interface DivideFormProps {
  job: NonNullable<JobToDivideQuery['printJob']>;
  spools: readonly SpoolRowFragment[];
}

export function DivideForm({ job, spools }: DivideFormProps) {
  const [unit, setUnit] = useState<Unit>(Number(job.gramsDerived) > 0 ? 'grams' : 'mm');
  /** Undefined until something is typed: then the parts follow the job no more. */
  const [edited, setEdited] = useState<PartTexts[]>();
  const { save, isBusy, faults } = useSaving();
  const ofFields = useMemo(() => withAmounts(faults), [faults]);
  const navigate = useNavigate();
  const parts = edited ?? textsOf(job.parts, unit);
  const total = unit === 'grams' ? job.gramsDerived : job.mmExtruded;
  const amounts = dividedAmountsOf(parts, total);
  const filaments = parts.map(({ spoolId }) => spools.find(({ id }) => id === spoolId));
  const kept = [...job.parts.map(({ spool }) => spool?.id), ...parts.map(({ spoolId }) => spoolId)].join(' ');
  const ofSpools = useMemo(() => spoolChoices(offered(spools, ...kept.split(' '))), [spools, kept]);
  const slots = [...(job.printer?.slots ?? []), ...job.parts].flatMap(({ slot }) => slot ?? []);
  const ofSlots = [...new Set(slots)].sort(inNaturalOrder).map((slot) => [slot, slotName(slot)] as const);
  /** The parts with the amounts that are shown: another part may become the last one. */
  const shown = () => parts.map((part, at) => ({ ...part, amount: amounts[at] ?? '' }));
  const change = (at: number, texts: Partial<PartTexts>) =>
    setEdited(parts.map((part, place) => (place === at ? { ...part, ...texts } : part)));
  const add = () => {
    const key = Math.max(...parts.map((part) => part.key)) + 1;
    setEdited([...shown(), { key, spoolId: '', slot: '', amount: '' }]);
  };
  const turn = (next: Unit) => {
    if (next === unit) return;
    const others = inOtherUnit(unit, amounts, filaments, job);
    // What is not said yet stays so.
    if (edited) setEdited(parts.map((part, at) => ({ ...part, amount: part.amount && (others[at] ?? '') })));
    setUnit(next);
  };
  const submit = async () => {
    const variables = { id: job.id, parts: inputOf(unit, parts, filaments, job) };
    if ((await save(SetJobPartsDocument, variables)) === undefined) return;
    announce('Split saved.');
    void navigate(`/jobs/${job.id}`);
  };
  return (
    <Form
      faults={ofFields}
      isEdited={edited !== undefined}
      onSubmit={() => void submit()}
      actions={<FormButtons action="Save split" isBusy={isBusy} onCancel={() => void navigate(`/jobs/${job.id}`)} />}
    >
      <p>
        {`The job used ${unit === 'grams' ? grams(total) : `${decimal(total)} mm`}. Enter how much came from each spool; the last part takes the rest.${unit === 'mm' ? ' The weight is calculated from the length.' : ''}`}
      </p>
      {job.status === 'PRINTING' && (
        <p>This job is printing. Later reports of the printer do not change what you enter here.</p>
      )}
      <div className={styles['fields']}>
        <ChoiceField
          name="unit"
          label="Enter amounts in"
          value={unit}
          choices={[
            ['grams', 'Grams'],
            ['mm', 'Millimetres'],
          ]}
          onChange={({ target }) => turn(target.value as Unit)}
        />
      </div>
      {parts.map((part, at) => (
        <DividePart
          key={part.key}
          place={at}
          part={{ ...part, amount: amounts[at] ?? '' }}
          unit={unit}
          isLast={at === parts.length - 1}
          choices={{ spools: ofSpools, slots: ofSlots }}
          onChange={(texts) => change(at, texts)}
          onRemove={parts.length > 1 ? () => setEdited(shown().filter((_, place) => place !== at)) : undefined}
        />
      ))}
      {parts.length < MAX_PARTS && (
        <div>
          <Button onClick={add}>Add a part</Button>
        </div>
      )}
    </Form>
  );
}

/** The fault of an amount stands at its field, whichever member it is of. */
const withAmounts = (faults: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(faults).map(([name, fault]) => [name.replace(/\.(mmExtruded|gramsDerived)$/, '.amount'), fault]),
  );
