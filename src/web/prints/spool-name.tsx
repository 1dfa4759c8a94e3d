// Shows a spool: its colour, its serial with a link to its page, and its material.
import { Link } from 'react-router';
import { spoolAddress } from '../parts/object-addresses';
import { Swatch } from '../parts/swatch';
import styles from './prints.module.css';

interface SpoolNameProps {
  spool: { id: string; spoolSerial: string; colorHex: string | null; material: { name: string } };
}

export function SpoolName({ spool }: SpoolNameProps) {
  return (
    <span className={styles['spool']}>
      <Swatch color={spool.colorHex} />
      <span>
        <Link to={spoolAddress(spool.id)}>{spool.spoolSerial}</Link>
        <span>{` (${spool.material.name})`}</span>
      </span>
    </span>
  );
}
