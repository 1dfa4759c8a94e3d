// Refuses a second device for the same machine, and describes duplicates that exist already.

import { Conflict } from '../../errors';
import { DEVICE_KINDS, type DeviceKind } from '../../kind-facts';
import { Duplicates } from '../../wire/duplicates';
import { parseAddress } from '../../wire/machine-address';
import type { Network } from '../../wire/networks';
import type { Camera } from '../cameras/camera.types';
import type { Printer } from '../inventory/inventory.types';
import type { ComparedDevice } from './device.rows';
import type { DeviceStore } from './device.store';

/** Finds the printer or the camera that a device belongs to. */
export interface OwnerLookUps {
  printer(id: string): Promise<Printer | null>;
  camera(id: string): Promise<Camera | null>;
}

/** A write waits at most this long for host names to resolve. A slower name is compared as text only. */
const LOOK_UP_MS = 500;

export const createDuplicates = (network: Network): Duplicates =>
  new Duplicates(network, ({ kind, address }) => {
    try {
      return parseAddress(address, DEVICE_KINDS[kind as DeviceKind].address, network);
    } catch {
      return null;
    }
  });

export class DeviceDuplicateService {
  constructor(
    private readonly store: DeviceStore,
    private readonly duplicates: Duplicates,
    private readonly owners: OwnerLookUps,
  ) {}

  /** The duplicates among devices that were read together, so that each list is compared once. */
  private readonly duplicatesByList = new WeakMap<
    readonly ComparedDevice[],
    Map<string, [device: ComparedDevice, duplicate: ComparedDevice]>
  >();

  /** Called before the transaction, because a transaction must not wait for DNS. */
  async lookUpNames(device: ComparedDevice): Promise<void> {
    await this.duplicates.lookUp([device, ...(await this.store.listForComparison())], LOOK_UP_MS);
  }

  /** The device of another printer or camera that is the same machine. @param others all devices of the farm */
  findDuplicate(device: ComparedDevice, others: readonly ComparedDevice[]): ComparedDevice | undefined {
    const otherDevices = others.filter(
      ({ id, printerId, cameraId }) =>
        id !== device.id && (printerId !== device.printerId || cameraId !== device.cameraId),
    );
    return this.duplicates.findAmong([device, ...otherDevices]).get(device);
  }

  async buildConflict(device: ComparedDevice, duplicate: ComparedDevice): Promise<Conflict> {
    const isSerial = device.serial !== null && device.serial.toUpperCase() === duplicate.serial?.toUpperCase();
    return new Conflict(
      `belongs to a machine that is already connected to the ${await this.describeOwner(duplicate)}: remove that device first`,
      'input',
      isSerial ? 'serial' : 'address',
    );
  }

  /** `null` if no other device is the same machine. */
  async describeDuplicate(id: string): Promise<string | null> {
    const all = await this.store.listForComparison();
    const duplicates = this.duplicatesByList.get(all) ?? this.compareAll(all);
    this.duplicatesByList.set(all, duplicates);
    const found = duplicates.get(id);
    if (found === undefined) return null;
    const [device, duplicate] = found;
    const effect = device.cameraId === null ? 'prints are booked' : 'records are written';
    return `The same machine is also the device of the ${await this.describeOwner(duplicate)}, so its ${effect} twice. Remove one of the two devices.`;
  }

  private compareAll(all: readonly ComparedDevice[]) {
    const duplicates = this.duplicates.findAmong(all.filter(({ enabled }) => enabled));
    return new Map([...duplicates].map((pair) => [pair[0].id, pair] as const));
  }

  private async describeOwner({ printerId, cameraId }: ComparedDevice): Promise<string> {
    if (printerId !== null) {
      const printer = await this.owners.printer(printerId);
      return `${printer?.archivedAt == null ? '' : 'archived '}printer ${printer?.name ?? printerId}`;
    }
    return `camera ${(await this.owners.camera(cameraId as string))?.friendlyName ?? cameraId}`;
  }
}
