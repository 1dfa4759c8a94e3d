// The settings of a connection about spools: whether the slots follow the machine, and whether the machine follows the slots.
import type { DeviceKind } from '../../generated/web-operations';
import type { BindField } from '../parts/field-texts';
import { Check } from '../parts/form';
import styles from './devices.module.css';

type Bind = BindField<'followsSpools' | 'setsActiveSpool'>;

const FOLLOWS: Partial<Record<DeviceKind, { label: string; hint: string }>> = {
  MOONRAKER: {
    label: 'Slots follow the active spool of Moonraker',
    hint: 'Needs this gateway as the server in the section [spoolman] of moonraker.conf.',
  },
  BAMBU: {
    label: 'Slots follow the tags of the spools',
    hint: 'The printer reads the tags of Bambu Lab spools in the AMS. Link a tag to its spool once.',
  },
};

/** Machines that report no spools have no such settings. */
export function SpoolSettings({ bind, kind }: { bind: Bind; kind: DeviceKind }) {
  const follows = FOLLOWS[kind];
  if (follows === undefined) return null;
  return (
    <>
      <div>
        <Check {...bind('followsSpools')}>{follows.label}</Check>
        <span className={styles['quiet']}>{follows.hint}</span>
      </div>
      {kind === 'MOONRAKER' && (
        <div>
          <Check {...bind('setsActiveSpool')}>Loading a spool here sets the active spool of Moonraker</Check>
          <span className={styles['quiet']}>
            Only for a printer with one slot. The gateway sends nothing else to the machine.
          </span>
        </div>
      )}
    </>
  );
}
