// What every resolver is handed beside its arguments: the clock, the source of ids and the loaders, the same for both doors.
import type { CameraStore } from '../cameras/camera.store';
import type { InventoryStore } from '../inventory/inventory.store';
import type { PrintJobStore } from '../print-jobs/print-job.store';

/** Loaders by what they read. They are shared by all requests and remember nothing. */
export interface Loaders {
  camera: CameraStore['byId'];
  material: InventoryStore['material'];
  printer: InventoryStore['printer'];
  spool: InventoryStore['spool'];
  printJob: PrintJobStore['byId'];
}

export interface Context {
  /** Sent to the client as x-request-id; every log line of the request carries it. */
  requestId: string;
  /** The moment the request arrived, RFC 3339 in UTC: what "set to now" means. */
  now: string;
  newId(): string;
  loaders: Loaders;
}
