// The fields of one part of a job.
import { Button } from '../parts/button';
import { ChoiceField } from '../parts/choice-field';
import { DecimalField } from '../parts/decimal-field';
import { type Choices, SearchChoice } from '../parts/search-choice';
import type { PartTexts, Unit } from './division';
import styles from './jobs.module.css';

interface DividePartProps {
  /** From 0. */
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
      <ChoiceField
        name={`parts.${place}.slot`}
        label={`Slot ${ofPart}`}
        choices={[['', 'Not said'], ...choices.slots]}
        value={part.slot}
        onChange={({ target }) => onChange({ slot: target.value })}
      />
      <DecimalField
        name={`parts.${place}.amount`}
        label={`${unit === 'grams' ? 'Grams' : 'Millimetres'} ${ofPart}`}
        value={part.amount}
        onChange={({ target }) => onChange({ amount: target.value })}
        {...(isLast && { readOnly: true, hint: 'The rest.' })}
      />
      {onRemove && (
        <div className={styles['remove']}>
          <Button aria-label={`Remove part ${place + 1}`} onClick={onRemove}>
            Remove
          </Button>
        </div>
      )}
    </div>
  );
}
