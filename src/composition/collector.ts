// Makes the part that collects what machines report: printers and cameras.

import { Unavailable } from '../errors';
import { FollowedSpoolsService } from '../farm/followed-spools/followed-spools.service';
import { PrintWritingService } from '../farm/prints/print-writing.service';
import { createPrintStores, createPrintTransactions } from '../farm/prints/prints.transaction';
import { ThumbnailStore } from '../farm/prints/thumbnail.store';
import { CameraRecorder } from '../machines/collector/camera-records';
import { Collector } from '../machines/collector/collector';
import { PACE } from '../machines/collector/database-work';
import { HeldDeviceStore } from '../machines/collector/held-device.store';
import { KIND_CODE } from '../machines/kind-code';
import { createCameraRecords, createFollowedSpools } from '../services';
import type { Foundation } from './foundation';

export function createCollector({ config, log, database, feed, states, secrets, network }: Foundation): Collector {
  const { deviceHistory } = createPrintStores(database);
  return new Collector({
    devices: new HeldDeviceStore(database),
    deviceHistory,
    states,
    writing: new PrintWritingService(createPrintTransactions(database), deviceHistory),
    thumbnails: config.devices.thumbnails ? new ThumbnailStore(database) : null,
    followedSpools: new FollowedSpoolsService((work) =>
      database.transaction((transaction) => work(createFollowedSpools(transaction))),
    ),
    cameras: new CameraRecorder((work) =>
      database.transaction((transaction) => work(createCameraRecords(transaction))),
    ),
    isWatchedPrinting: (cameraId) => states.isWatchedPrinting(cameraId),
    kinds: KIND_CODE,
    network,
    readSecret: (device) => secrets.decrypt(device),
    onCommitted: () => feed.wake(),
    onFailed: (err, { id: device }) =>
      log.error(
        { err, device },
        'A change that a device reported was not stored. The gateway connects to the device again.',
      ),
    onWriteFailed: (err, { id: device }) =>
      log.error(
        { err, device },
        'A change that a device reported cannot be stored and is skipped. An alert reports it.',
      ),
    onThumbnailFailed: (err, { id: device }) =>
      log.warn({ err, device }, 'The preview picture of a print was not stored. The print itself is recorded.'),
    onRenewalFailed(err) {
      // The observer writes one line for each outage of the database.
      if (!(err instanceof Unavailable)) log.error({ err }, 'This process could not renew its leases of devices.');
    },
    createDeadline: () => performance.now() + config.budget.requestMs,
    pace: PACE,
  });
}
