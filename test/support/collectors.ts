// Creates a collector on the database of a test, with the parts that the gateway has.
import type { Database } from '../../src/database/database';
import { FollowedSpoolsService } from '../../src/farm/followed-spools/followed-spools.service';
import { PrinterStateStore } from '../../src/farm/printer-states/printer-state.store';
import { PrintWritingService } from '../../src/farm/prints/print-writing.service';
import { createPrintStores, createPrintTransactions } from '../../src/farm/prints/prints.transaction';
import { ThumbnailStore } from '../../src/farm/prints/thumbnail.store';
import { CameraRecorder } from '../../src/machines/collector/camera-records';
import { Collector, type CollectorParts } from '../../src/machines/collector/collector';
import { HeldDeviceStore } from '../../src/machines/collector/held-device.store';
import { KIND_CODE } from '../../src/machines/kind-code';
import { createCameraRecords, createFollowedSpools } from '../../src/services';
import { LOOPBACK } from './device-session';

/** Much faster than in production, where these waits take seconds. */
export const QUICK = { tickMs: 50, outageMs: 50, reconnectMs: 50, fullMs: 250, unreachableMs: 30_000 };

/** @param parts replace those of the gateway */
export function createCollector(database: Database, parts: Partial<CollectorParts> = {}): Collector {
  const states = new PrinterStateStore(database);
  const thrown = (error: unknown) => {
    throw error;
  };
  return new Collector({
    devices: new HeldDeviceStore(database),
    deviceHistory: createPrintStores(database).deviceHistory,
    states,
    writing: createPrintWriting(database),
    thumbnails: new ThumbnailStore(database),
    followedSpools: createFollowedSpoolsService(database),
    cameras: createCameraRecorder(database),
    isWatchedPrinting: (cameraId) => states.isWatchedPrinting(cameraId),
    kinds: KIND_CODE,
    network: LOOPBACK,
    readSecret: () => null,
    onCommitted: () => {},
    onFailed: thrown,
    onWriteFailed: thrown,
    onThumbnailFailed: thrown,
    onRenewalFailed: thrown,
    createDeadline: () => Number.POSITIVE_INFINITY,
    pace: QUICK,
    ...parts,
  });
}

export function createPrintWriting(database: Database): PrintWritingService {
  return new PrintWritingService(createPrintTransactions(database), createPrintStores(database).deviceHistory);
}

export function createFollowedSpoolsService(database: Database): FollowedSpoolsService {
  return new FollowedSpoolsService((work) => database.transaction((one) => work(createFollowedSpools(one))));
}

export function createCameraRecorder(database: Database): CameraRecorder {
  return new CameraRecorder((work) => database.transaction((one) => work(createCameraRecords(one))));
}

/** Sets the lease of a device, whoever had it before. */
export async function setLease(
  database: Database,
  deviceId: string,
  lease: { holder: string | null; until: Date | string | null; number: number },
): Promise<void> {
  const { prisma } = database;
  await prisma.lease.upsert({
    where: { deviceId },
    create: { name: deviceId, deviceId, ...lease },
    update: lease,
  });
}

export const readLease = (database: Database, deviceId: string) =>
  database.prisma.lease.findUniqueOrThrow({ where: { deviceId } });
