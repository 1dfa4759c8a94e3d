// Holds the columns of devices, and turns a row into the object that GraphQL shows.
import { type Columns, columnMember, rowShape } from '../../database/rows';
import { CLOCK, withoutFutureTime } from '../../database/sql';
import type { DeviceKind } from '../../kind-facts';
import { heldUntil, isLeft } from '../../sharing/lease';
import { describeMachineFault, describeRecordingFault } from '../../wire/fault-sentences';
import type { StoredSpoolman } from '../followed-spools/followed-spools.model';
import { explainSpoolman } from '../followed-spools/spoolman.texts';
import type { Device, DeviceConnectionState } from './device.types';

/** A new row. Its secret is encrypted. */
export interface NewDevice {
  id: string;
  kind: DeviceKind;
  printerId: string | null;
  cameraId: string | null;
  address: string;
  serial: string | null;
  username: string | null;
  secret: string | null;
  certificateFingerprint: string | null;
  enabled: boolean;
  followsSpools: boolean;
  setsActiveSpool: boolean;
  state: DeviceConnectionState;
  stateSince: string;
  createdAt: string;
  updatedAt: string;
}

export const NEW_DEVICE_COLUMNS = {
  id: 'uuid',
  kind: 'text',
  printerId: 'uuid',
  cameraId: 'text',
  address: 'text',
  serial: 'text',
  username: 'text',
  secret: 'text',
  certificateFingerprint: 'text',
  enabled: 'boolean',
  followsSpools: 'boolean',
  setsActiveSpool: 'boolean',
  state: 'text',
  stateSince: 'timestamptz',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
} satisfies Columns<NewDevice>;

/** The members that decide whether two devices are the same machine, and that name their owners. */
export type ComparedDevice = Pick<
  NewDevice,
  'id' | 'kind' | 'address' | 'serial' | 'printerId' | 'cameraId' | 'enabled'
>;

/** A device with the state of its connection, from its row and its lease. */
type DeviceRow = Omit<Device, 'connection' | 'spoolman'> &
  Omit<Device['connection'], 'deviceId' | 'message'> & { storedSpoolman: StoredSpoolman | null };

const { username, secret, state, stateSince, ...PLAIN } = NEW_DEVICE_COLUMNS;

/** When the lease of a device `d` ends; null if no process holds the lease. */
const HELD_UNTIL = heldUntil('d.id::text');

/** Whether the process that was connected to a device `d` has stopped without closing the connection. */
const IS_CUT = `d.state = 'CONNECTED' and ${isLeft('d.id::text').sql}`;

/** The columns of a device `d`. */
export const DEVICE_ROW = rowShape<
  DeviceRow,
  'hasSecret' | 'state' | 'since' | 'fault' | 'lastMessageAt' | 'storedSpoolman'
>('d', PLAIN, {
  hasSecret: { sql: 'd.secret is not null' },
  state: { sql: `case when not d.enabled then 'DISABLED' when ${IS_CUT} then 'CONNECTING' else d.state end` },
  since: columnMember(
    `least(clock_timestamp(), case when ${IS_CUT} and ${HELD_UNTIL.sql} < clock_timestamp() then ${HELD_UNTIL.sql} else d.state_since end)`,
    'timestamptz',
  ),
  fault: { sql: 'case when d.enabled then d.fault end' },
  lastMessageAt: columnMember(withoutFutureTime('d.last_message_at', CLOCK).sql, 'timestamptz'),
  storedSpoolman: { sql: 'd.spoolman' },
});

export function toDevice({ state, since, lastMessageAt, fault, storedSpoolman, ...device }: DeviceRow): Device {
  const message = fault && (state === 'CONNECTED' ? describeRecordingFault : describeMachineFault)(fault, device.kind);
  const spoolman = storedSpoolman && {
    isThisGateway: storedSpoolman.isThisGateway,
    activeNumber: storedSpoolman.activeNumber,
    message: explainSpoolman(storedSpoolman, device.followsSpools),
  };
  return { ...device, spoolman, connection: { deviceId: device.id, state, since, lastMessageAt, fault, message } };
}
