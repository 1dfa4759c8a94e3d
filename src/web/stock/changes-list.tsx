// Lists the values that a row of an import sets or changes.
import styles from './import.module.css';

interface Change {
  name: string;
  from: string | null;
  to: string | null;
}

/** @param isUpdate whether the old values are shown too */
export function ChangesList({ changes, isUpdate }: { changes: readonly Change[]; isUpdate: boolean }) {
  return (
    <ul className={styles['changes']}>
      {changes.map(({ name, from, to }) => (
        <li key={name}>
          <span className={styles['column']}>{`${name} `}</span>
          {isUpdate && <del>{from ?? 'empty'}</del>}
          {isUpdate && <span aria-hidden="true"> → </span>}
          <ins>{to ?? 'empty'}</ins>
        </li>
      ))}
    </ul>
  );
}
