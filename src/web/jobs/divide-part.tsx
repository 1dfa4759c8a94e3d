// The fields of one part in the form that splits a job.
import { useState } from 'react';
import { Button } from '../parts/button';
import { ChoiceField } from '../parts/choice-field';
import { DecimalField } from '../parts/decimal-field';
import { Field } from '../parts/form';
import { type Choices, SearchChoice } from '../parts/search-choice';
import type { PartTexts, Unit } from './divide-amounts';
import styles from './jobs.module.css';

interface DividePartProps {
  /** The position of the part in the form, from 0. */
  position: number;
  part: PartTexts;
  unit: Unit;
  isLast: boolean;
  choices: { spools: Choices; slots: Choices };
  onChange: (texts: Partial<PartTexts>) => void;
  onRemove: (() => void) | undefined;
}

export function DividePart({ position, part, unit, isLast, choices, onChange, onRemove }: DividePartProps) {
  const suffix = `of part ${position + 1}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset takes no grid in all browsers
    <div className={styles['part']} role="group" aria-label={`Part ${position + 1}`}>
      <SearchChoice
        name={`parts.${position}.spoolId`}
        label={`Spool ${suffix}`}
        choices={choices.spools}
        placeholder="Choose …"
        value={part.spoolId}
        onChange={({ target }) => onChange({ spoolId: target.value })}
        required
      />
      <SlotField
        name={`parts.${position}.slot`}
        label={`Slot ${suffix}`}
        choices={choices.slots}
        value={part.slot}
        onChange={(slot) => onChange({ slot })}
      />
      <DecimalField
        name={`parts.${position}.amount`}
        label={`${unit === 'grams' ? 'Grams' : 'Millimetres'} ${suffix}`}
        value={part.amount}
        onChange={({ target }) => onChange({ amount: target.value })}
        {...(isLast && { readOnly: true, hint: 'Takes the rest.' })}
      />
      {onRemove && (
        <div className={styles['remove']}>
          <Button aria-label={`Remove part ${position + 1}`} onClick={onRemove}>
            Remove part
          </Button>
        </div>
      )}
    </div>
  );
}

const OTHER_SLOT = 'another';

interface SlotFieldProps {
  name: string;
  label: string;
  choices: Choices;
  value: string;
  onChange: (slot: string) => void;
}

/** Offers the known slots. The gateway may not know every slot of a printer, so the user can type another. */
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
      choices={[['', 'Unknown'], ...choices, [OTHER_SLOT, 'Another slot …']]}
      value={value}
      onChange={({ target }) => {
        setTyped(target.value === OTHER_SLOT);
        onChange(target.value === OTHER_SLOT ? '' : target.value);
      }}
    />
  );
}
