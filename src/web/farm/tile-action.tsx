// The button of a tile that solves what a person is needed for.
import { Link } from 'react-router';
import { printerAddress } from '../parts/object-addresses';
import { useMayConfigureDevices, useMayWrite } from '../parts/use-viewer';
import type { Printer } from './printer-job';
import styles from './printer-tiles.module.css';
import { useSolve } from './solve';
import type { TileAction } from './tile-state';

const TEXTS: Record<TileAction, string> = {
  OPEN_PRINTER: 'View printer',
  CHANGE_SPOOL: 'Change spool',
  EDIT_CONNECTION: 'Edit connection',
  CHOOSE_SPOOL: 'Choose the spool',
  SET_OUTCOME: 'Set the outcome',
};

export function TileActionButton({ printer: { id, name, slots }, action }: { printer: Printer; action: TileAction }) {
  const solve = useSolve();
  const mayWrite = useMayWrite();
  const mayConfigure = useMayConfigureDevices();
  const isAllowed = action === 'EDIT_CONNECTION' ? mayConfigure : mayWrite;
  // The page of the printer shows several slots, and the user knows which one is empty.
  const needsPage = action === 'OPEN_PRINTER' || (action === 'CHANGE_SPOOL' && slots.length !== 1);
  if (needsPage || !isAllowed) {
    return (
      <Link className={styles['action']} to={printerAddress(id)} aria-label={`${TEXTS.OPEN_PRINTER} ${name}`}>
        {TEXTS.OPEN_PRINTER}
      </Link>
    );
  }
  return (
    <button
      type="button"
      className={styles['action']}
      aria-label={`${TEXTS[action]}: ${name}`}
      onClick={() => solve(id, action, slots[0]?.slot)}
    >
      {TEXTS[action]}
    </button>
  );
}
