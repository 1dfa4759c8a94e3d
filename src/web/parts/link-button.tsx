// A link to another page that looks like a button.
import { Link } from 'react-router';
import styles from './button.module.css';

export function LinkButton({
  to,
  kind = 'plain',
  children,
}: {
  to: string;
  kind?: 'plain' | 'main';
  children: string;
}) {
  return (
    <Link to={to} className={styles['button']} data-kind={kind}>
      {children}
    </Link>
  );
}
