// The columns of devices, and a row as the graph shows it.
import type { Columns } from '../database/rows';
import type { Device as Stored } from '../generated/prisma/client';
import type { DeviceFault } from './connection';
import type { Device, DeviceConnectionState, DeviceKindName } from './device.types';
import { messageOf } from './messages';

/** A new row, with its secret encrypted. */
export interface NewDevice {
  id: string;
  kind: DeviceKindName;
  printerId: string | null;
  cameraId: string | null;
  address: string;
  serial: string | null;
  username: string | null;
  secret: string | null;
  certificateFingerprint: string | null;
  enabled: boolean;
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
  state: 'text',
  stateSince: 'timestamptz',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
} satisfies Columns<NewDevice>;

/** What tells whether two devices are the same machine, and whose they are. */
export type Neighbour = Pick<NewDevice, 'id' | 'kind' | 'address' | 'serial' | 'printerId' | 'cameraId' | 'enabled'>;

export function deviceOf(row: Stored): Device {
  const { id, printerId, cameraId, address, serial, certificateFingerprint, enabled, createdAt, updatedAt } = row;
  const kind = row.kind as DeviceKindName;
  const fault = enabled ? (row.fault as DeviceFault | null) : null;
  return {
    ...{ id, kind, printerId, cameraId, address, serial, certificateFingerprint, enabled },
    hasSecret: row.secret !== null,
    connection: {
      deviceId: id,
      state: enabled ? (row.state as DeviceConnectionState) : 'DISABLED',
      since: row.stateSince.toISOString(),
      lastMessageAt: row.lastMessageAt?.toISOString() ?? null,
      fault,
      message: fault && messageOf(fault, kind),
    },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
