// Offers to ignore columns that the gateway does not know, and to add missing materials. Lists from other programs often have both.
import { Button } from '../parts/button';
import { formatDecimal } from '../parts/numbers';
import styles from './import.module.css';
import type { ImportResult } from './use-import';

interface IgnoreColumnsProps {
  columns: readonly string[];
  isBusy: boolean;
  onIgnore: () => void;
}

export function IgnoreColumns({ columns, isBusy, onIgnore }: IgnoreColumnsProps) {
  if (columns.length === 0) return null;
  return (
    <div className={styles['offer']}>
      <Button isBusy={isBusy} onClick={onIgnore}>
        {columns.length === 1 ? 'Ignore this column' : `Ignore these ${columns.length} columns`}
      </Button>
      <span>{columns.join(', ')}</span>
    </div>
  );
}

interface MissingMaterialsProps {
  result: ImportResult;
  /** Whether the import adds the missing materials. */
  isAdding: boolean;
  isBusy: boolean;
  onAdd: () => void;
}

/** Offers only materials with a usual density. The gateway refuses the rows of all others, and each reason names the material. */
export function MissingMaterials({ result, isAdding, isBusy, onAdd }: MissingMaterialsProps) {
  const offered = result.missingMaterials.flatMap(({ name, densityGPerCm3 }) =>
    densityGPerCm3 === null ? [] : [`${name} (${formatDecimal(densityGPerCm3)} g/cm³)`],
  );
  if (offered.length === 0) return null;
  const noun = offered.length === 1 ? 'material' : 'materials';
  return (
    <div className={styles['offer']}>
      {!isAdding && !result.written && (
        <Button isBusy={isBusy} onClick={onAdd}>{`Add ${offered.length} missing ${noun}`}</Button>
      )}
      <span>
        {isAdding
          ? `New ${noun}, with the usual density: ${offered.join(', ')}.`
          : `The farm does not have: ${offered.join(', ')}.`}
      </span>
    </div>
  );
}
