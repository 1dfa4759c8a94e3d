// Shows the state of a printer as an icon and a word with a colour. The word alone is enough to understand the state.
import type { Tone } from '../parts/badge';
import type { Printer } from './printer-job';
import type { TileStateName } from './tile-state';
import styles from './tile-state-badge.module.css';
import { useTileState } from './use-tile-state';

/** The icons differ in their outline, so that they are recognized without colour. They are drawn on a square of 16. */
export const TILE_STATES: Record<TileStateName, { name: string; tone: Tone; icon: string }> = {
  NEEDS_YOU: { name: 'Needs you', tone: 'warn', icon: 'M8 2 15 14H1ZM8 6.5v3.5M8 11.9v.2' },
  OFFLINE: { name: 'Offline', tone: 'bad', icon: 'M3.5 3.5l9 9M12.5 3.5l-9 9' },
  PRINTING: { name: 'Printing', tone: 'info', icon: 'M4.5 2.5v11l9-5.5Z' },
  FINISHED: { name: 'Finished', tone: 'good', icon: 'M2.5 8.5l3.5 4 7.5-9' },
  IDLE: { name: 'Idle', tone: 'muted', icon: 'M8 2.5a5.5 5.5 0 1 0 .01 0Z' },
  NO_MACHINE: { name: 'No machine', tone: 'muted', icon: 'M2.5 8h11' },
};

export function TileStateBadge({ name: stateName }: { name: TileStateName }) {
  const { name, tone, icon } = TILE_STATES[stateName];
  return (
    <span className={styles['badge']} data-tone={tone} data-state={stateName}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={icon} />
      </svg>
      <span>{name}</span>
    </span>
  );
}

/** The state of a row of the table, with its reason. */
export function StateCell({ printer }: { printer: Printer }) {
  const { name, reason } = useTileState(printer);
  return (
    <>
      <TileStateBadge name={name} />
      {reason !== null && <span className={styles['reason']}>{reason}</span>}
    </>
  );
}
