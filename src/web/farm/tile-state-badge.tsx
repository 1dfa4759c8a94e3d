// Shows the state of a printer as an icon and a word with a colour. The word alone is enough to understand the state.
import type { Tone } from '../parts/badge';
import { StateIcon } from '../printers/state-icon';
import type { Printer } from './printer-job';
import { TileActionButton } from './tile-action';
import type { TileStateName } from './tile-state';
import styles from './tile-state-badge.module.css';
import { useTileState } from './use-tile-state';

export const TILE_STATES: Record<TileStateName, { name: string; tone: Tone }> = {
  NEEDS_YOU: { name: 'Needs you', tone: 'warn' },
  OFFLINE: { name: 'Offline', tone: 'bad' },
  PRINTING: { name: 'Printing', tone: 'info' },
  FINISHED: { name: 'Finished', tone: 'good' },
  IDLE: { name: 'Idle', tone: 'muted' },
  NO_MACHINE: { name: 'No machine', tone: 'muted' },
};

export function TileStateBadge({ name: stateName }: { name: TileStateName }) {
  const { name, tone } = TILE_STATES[stateName];
  return (
    <span className={styles['badge']} data-tone={tone} data-state={stateName}>
      <StateIcon name={stateName} />
      <span>{name}</span>
    </span>
  );
}

/** The state of a row of the table, with its reason and the button that solves it. */
export function StateCell({ printer }: { printer: Printer }) {
  const { name, reason, action } = useTileState(printer).tile;
  return (
    <>
      <TileStateBadge name={name} />
      {reason !== null && <span className={styles['reason']}>{reason}</span>}
      {action !== null && <TileActionButton printer={printer} action={action} />}
    </>
  );
}
