// What the page offers for a list of another program: to ignore columns that the gateway does not know, and to add missing materials.
import { Button } from '../parts/button';
import { decimal } from '../parts/numbers';
import styles from './import.module.css';
import type { Shown } from './use-import';

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
  shown: Shown;
  /** Whether the import adds them. */
  isAdding: boolean;
  isBusy: boolean;
  onAdd: () => void;
}

/** Materials without a usual density are named by the rows that are refused. */
export function MissingMaterials({ shown, isAdding, isBusy, onAdd }: MissingMaterialsProps) {
  const usual = shown.missingMaterials.flatMap(({ name, densityGPerCm3 }) =>
    densityGPerCm3 === null ? [] : [`${name} (${decimal(densityGPerCm3)} g/cm³)`],
  );
  if (usual.length === 0) return null;
  const word = usual.length === 1 ? 'material' : 'materials';
  return (
    <div className={styles['offer']}>
      {!isAdding && !shown.written && (
        <Button isBusy={isBusy} onClick={onAdd}>{`Add ${usual.length} missing ${word}`}</Button>
      )}
      <span>
        {isAdding
          ? `New ${word}, with the usual density: ${usual.join(', ')}.`
          : `The farm does not have: ${usual.join(', ')}.`}
      </span>
    </div>
  );
}
