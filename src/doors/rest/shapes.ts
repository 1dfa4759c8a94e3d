// Builds the response bodies of REST with the members of the two documents, in their order and spelling.
import { LosslessNumber } from 'lossless-json';
import type { Camera, CameraStatus } from '../../farm/cameras/camera.types';
import type { JobRow } from '../../farm/print-jobs/print-job.rows';
import type { Spelling } from '../../values/spelling';

/** Makes a JSON number that keeps all stored digits of a decimal. */
export const toJsonNumber = (text: string) => new LosslessNumber(text);

/** Camera document §2, "Camera status (list item)": flat, the status members null for a camera without a status. */
export function makeCameraListItem({ id, friendlyName, lastStatus }: Camera) {
  return {
    camera_id: id,
    friendly_name: friendlyName,
    battery_pct: lastStatus?.batteryPct ?? null,
    video_remaining_sec: lastStatus?.videoRemainingSec ?? null,
    recording_state: lastStatus?.recordingState ?? null,
    mode: lastStatus?.mode ?? null,
    resolution: lastStatus?.resolution ?? null,
    fps: lastStatus?.fps ?? null,
    online: lastStatus?.online ?? null,
    recorded_at: lastStatus?.recordedAt ?? null,
  };
}

/** Camera document §4: "mac_address is present only when it was supplied." */
export function makeRegisteredCamera({ id, friendlyName, macAddress }: Camera) {
  return { camera_id: id, friendly_name: friendlyName, ...(macAddress !== null && { mac_address: macAddress }) };
}

/** Camera document §4, GET /cameras/{id}: "a JSON object with three members". */
export function makeCameraDetail(camera: Camera, history: CameraStatus[]) {
  return {
    camera: {
      camera_id: camera.id,
      friendly_name: camera.friendlyName,
      mac_address: camera.macAddress,
      created_at: camera.createdAt,
      updated_at: camera.updatedAt,
    },
    last_status: camera.lastStatus && makeStatusRecord(camera.lastStatus),
    history: history.map(makeStatusRecord),
  };
}

function makeStatusRecord(status: CameraStatus) {
  return {
    id: status.id,
    camera_id: status.cameraId,
    recorded_at: status.recordedAt,
    battery_pct: status.batteryPct,
    video_remaining_sec: status.videoRemainingSec,
    recording_state: status.recordingState,
    mode: status.mode,
    resolution: status.resolution,
    fps: status.fps,
    online: status.online,
    raw_battery_pct: status.rawBatteryPct,
  };
}

/** Print job document §2, PrintJobResponse. */
export function makePrintJob(job: JobRow, spell: Spelling) {
  return {
    [spell('id')]: job.id,
    [spell('printerId')]: job.printerId,
    [spell('printerName')]: job.printer?.name ?? '',
    [spell('spoolId')]: job.spoolId,
    [spell('spoolSerial')]: job.spool?.spoolSerial ?? '',
    [spell('printName')]: job.printName,
    [spell('gcodeFilePath')]: job.gcodeFilePath,
    [spell('mmExtruded')]: toJsonNumber(job.mmExtruded),
    [spell('gramsDerived')]: toJsonNumber(job.gramsDerived),
    [spell('costPerPrint')]: toJsonNumber(job.costPerPrint),
    [spell('startedAt')]: job.startedAt,
    [spell('completedAt')]: job.completedAt,
    [spell('status')]: job.status,
    [spell('dataSource')]: job.dataSource,
    [spell('filamentDiameterAtPrintMm')]: toJsonNumber(job.filamentDiameterAtPrintMm),
    [spell('materialDensityAtPrint')]: toJsonNumber(job.materialDensityAtPrint),
    [spell('notes')]: job.notes,
    [spell('createdAt')]: job.createdAt,
    [spell('updatedAt')]: job.updatedAt,
  };
}

/** Print job document §2, PagedResponse. */
export function makeJobPage(
  { nodes, totalCount }: { nodes: JobRow[]; totalCount: number | null },
  { pageNumber, pageSize }: { pageNumber: number; pageSize: number },
  spell: Spelling,
) {
  return {
    [spell('items')]: nodes.map((job) => makePrintJob(job, spell)),
    [spell('totalCount')]: totalCount,
    [spell('pageNumber')]: pageNumber,
    [spell('pageSize')]: pageSize,
  };
}
