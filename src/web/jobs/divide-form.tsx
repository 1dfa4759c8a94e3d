// The form that splits a job, with a row for each part. The last part takes the remainder, so that the sum of the job does not change.
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { MAX_PARTS } from '../../farm/print-jobs/print-job.limits';
import { type JobToDivideQuery, SetJobPartsDocument, type SpoolRowFragment } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { Button } from '../parts/button';
import { ChoiceField } from '../parts/choice-field';
import { Form, FormButtons } from '../parts/form';
import { compareNaturally } from '../parts/formats';
import { formatDecimal, formatGrams } from '../parts/numbers';
import { selectableRows, spoolChoices } from '../parts/object-choices';
import { useSaving } from '../parts/saving';
import { slotName } from '../parts/slot-name';
import { convertAmounts, fillLastAmount, type PartTexts, toPartInputs, toPartTexts, type Unit } from './divide-amounts';
import { DividePart } from './divide-part';
import styles from './jobs.module.css';

interface DivideFormProps {
  job: NonNullable<JobToDivideQuery['printJob']>;
  spools: readonly SpoolRowFragment[];
}

export function DivideForm({ job, spools }: DivideFormProps) {
  const [unit, setUnit] = useState<Unit>(Number(job.gramsDerived) > 0 ? 'grams' : 'mm');
  /** Undefined until the user edits a part. Before that, the parts follow the stored job. */
  const [edited, setEdited] = useState<PartTexts[]>();
  const { save, isBusy, faults } = useSaving();
  const fieldFaults = useMemo(() => moveFaultsToAmounts(faults), [faults]);
  const navigate = useNavigate();
  const parts = edited ?? toPartTexts(job.parts, unit);
  const total = unit === 'grams' ? job.gramsDerived : job.mmExtruded;
  const amounts = fillLastAmount(parts, total);
  const filaments = parts.map(({ spoolId }) => spools.find(({ id }) => id === spoolId));
  const keptSpoolIds = [...job.parts.map(({ spool }) => spool?.id), ...parts.map(({ spoolId }) => spoolId)].join(' ');
  const spoolOptions = useMemo(
    () => spoolChoices(selectableRows(spools, ...keptSpoolIds.split(' '))),
    [spools, keptSpoolIds],
  );
  const slots = [...(job.printer?.slots ?? []), ...job.parts].flatMap(({ slot }) => slot ?? []);
  const slotOptions = [...new Set(slots)].sort(compareNaturally).map((slot) => [slot, slotName(slot)] as const);
  /** The parts with all shown amounts, because adding or removing a row makes another part the last one. */
  const shown = () => parts.map((part, index) => ({ ...part, amount: amounts[index] ?? '' }));
  const changePart = (position: number, texts: Partial<PartTexts>) =>
    setEdited(parts.map((part, index) => (index === position ? { ...part, ...texts } : part)));
  const addPart = () => {
    const key = Math.max(...parts.map((part) => part.key)) + 1;
    setEdited([...shown(), { key, spoolId: '', slot: '', amount: '' }]);
  };
  const changeUnit = (next: Unit) => {
    if (next === unit) return;
    const converted = convertAmounts(unit, amounts, filaments, job);
    // Empty amounts stay empty.
    if (edited) setEdited(parts.map((part, index) => ({ ...part, amount: part.amount && (converted[index] ?? '') })));
    setUnit(next);
  };
  const submit = async () => {
    const variables = { id: job.id, parts: toPartInputs(unit, parts, filaments, job) };
    if ((await save(SetJobPartsDocument, variables)) === undefined) return;
    announce('Split saved.');
    void navigate(`/jobs/${job.id}`);
  };
  return (
    <Form
      faults={fieldFaults}
      isEdited={edited !== undefined}
      onSubmit={() => void submit()}
      actions={<FormButtons action="Save split" isBusy={isBusy} onCancel={() => void navigate(`/jobs/${job.id}`)} />}
    >
      <p>
        {`The job used ${unit === 'grams' ? formatGrams(total) : `${formatDecimal(total)} mm`}. Enter how much came from each spool; the last part takes the rest.${unit === 'mm' ? ' The weight is calculated from the length.' : ''}`}
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
          onChange={({ target }) => changeUnit(target.value as Unit)}
        />
      </div>
      {parts.map((part, index) => (
        <DividePart
          key={part.key}
          position={index}
          part={{ ...part, amount: amounts[index] ?? '' }}
          unit={unit}
          isLast={index === parts.length - 1}
          choices={{ spools: spoolOptions, slots: slotOptions }}
          onChange={(texts) => changePart(index, texts)}
          onRemove={parts.length > 1 ? () => setEdited(shown().filter((_, position) => position !== index)) : undefined}
        />
      ))}
      {parts.length < MAX_PARTS && (
        <div>
          <Button onClick={addPart}>Add a part</Button>
        </div>
      )}
    </Form>
  );
}

/** Moves the faults of both members of an amount to its one field. */
const moveFaultsToAmounts = (faults: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(faults).map(([name, fault]) => [name.replace(/\.(mmExtruded|gramsDerived)$/, '.amount'), fault]),
  );
