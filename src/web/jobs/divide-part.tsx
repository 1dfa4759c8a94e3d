// The fields of one part of a job.
import { useState } from 'react';
import { Button } from '../parts/button';
import { ChoiceField } from '../parts/choice-field';
import { DecimalField } from '../parts/decimal-field';
import { Field } from '../parts/form';
import { type Choices, SearchChoice } from '../parts/search-choice';
import type { PartTexts, Unit } from './divide-amounts';
import styles from './jobs.module.css';

interface DividePartProps {
  /** The place of the part among the others, from 0. */
  place: number;
  part: PartTexts;
  unit: Unit;
  isLast: boolean;
  choices: { spools: Choices; slots: Choices };
  onChange: (texts: Partial<PartTexts>) => void;
  onRemove: (() => void) | undefined;
}

export function DividePart({ place, part, unit, isLast, choices, onChange, onRemove }: DividePartProps) {
  const ofPart = `of part ${place + 1}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset takes no grid in all browsers
    <div className={styles['part']} role="group" aria-label={`Part ${place + 1}`}>
      <SearchChoice
        name={`parts.${place}.spoolId`}
        label={`Spool ${ofPart}`}
        choices={choices.spools}
        placeholder="Choose …"
        value={part.spoolId}
        onChange={({ target }) => onChange({ spoolId: target.value })}
        required
      />
      <SlotField
        name={`parts.${place}.slot`}
        label={`Slot ${ofPart}`}
        choices={choices.slots}
        value={part.slot}
        onChange={(slot) => onChange({ slot })}
      />
      <DecimalField
        name={`parts.${place}.amount`}
        label={`${unit === 'grams' ? 'Grams' : 'Millimetres'} ${ofPart}`}
        value={part.amount}
        onChange={({ target }) => onChange({ amount: target.value })}
        {...(isLast && { readOnly: true, hint: 'Takes the rest.' })}
      />
      {onRemove && (
        <div className={styles['remove']}>
          <Button aria-label={`Remove part ${place + 1}`} onClick={onRemove}>
            Remove part
          </Button>
        </div>
      )}
    </div>
  );
}

const ANOTHER = 'another';

interface SlotFieldProps {
  name: string;
  label: string;
  choices: Choices;
  value: string;
  onChange: (slot: string) => void;
}

/** The gateway may not know each slot of a printer: another one is typed. */
function SlotField({ choices, value, onChange, ...field }: SlotFieldProps) {
  const [isTyped, setTyped] = useState(false);
  if (isTyped)
    return (
      <Field
        {...field}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        placeholder="tool:1"
        hint="tool:1 (extruder 2), ams:0:2 (AMS 1, slot 3) or ext:0 (external spool)."
        autoFocus
      />
    );
  return (
    <ChoiceField
      {...field}
      choices={[['', 'Unknown'], ...choices, [ANOTHER, 'Another slot …']]}
      value={value}
      onChange={({ target }) => {
        setTyped(target.value === ANOTHER);
        onChange(target.value === ANOTHER ? '' : target.value);
      }}
    />
  );
}
