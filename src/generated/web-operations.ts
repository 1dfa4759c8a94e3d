/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
/** A machine to listen to. */
export type AddDeviceInput = {
  /** Host, host:port or URL, 1 to 255 characters, without credentials and path. An address must be private, of this machine, or in DEVICE_NETWORKS. */
  address: string;
  /** The camera that it is; null for a printer. BAD_USER_INPUT when there is none, CONFLICT when it has a device. */
  cameraId?: string | null | undefined;
  /** SHA-256 of the certificate to trust, 64 hexadecimal digits, with or without colons. testDevice tells that of a machine. Only for an address with TLS. */
  certificateFingerprint?: string | null | undefined;
  /** Whether the gateway connects to it. */
  enabled?: boolean;
  /** How the gateway talks to it. BAMBU and OPEN_GOPRO are refused for now. */
  kind: DeviceKind;
  /** GUID of the printer that it is; null for a camera. BAD_USER_INPUT when there is none, or when it is archived, CONFLICT when it has a device. */
  printerId?: string | null | undefined;
  /** Password, access code or API key, at most 255 characters. Stored encrypted; in no answer, log or backup in clear. The empty text is none. BAD_USER_INPUT when the gateway has no key to encrypt it with. */
  secret?: string | null | undefined;
  /** Serial number of a Bambu printer, at most 255 characters. Other kinds have none. */
  serial?: string | null | undefined;
  /** User name, at most 255 characters, where the machine wants one and it is not the usual one. The empty text is none. */
  username?: string | null | undefined;
};

/** Conditions of the farm that need attention. */
export type AlertKind =
  /** The battery is at or below 15 percent in the latest record of a camera that is LIVE. `since` is the time of that record. */
  | 'BATTERY_LOW'
  /** A camera is OFFLINE or SILENT. `since` is the time of its latest record, for SILENT plus expectedIntervalSec. */
  | 'CAMERA_LOST'
  /** A machine does not let the gateway in: its credentials, its certificate or its kind are wrong. `since` is when it first refused. */
  | 'DEVICE_REFUSED'
  /** The job of an observed print that ended in the last 7 days has 0 grams of a slot, because nothing is known of its filament, and nobody has changed the job since. `since` is the end of the print. */
  | 'FILAMENT_UNKNOWN'
  /** A job is PRINTING for more than 7 days without an update. `since` is its updatedAt plus 7 days. */
  | 'JOB_STUCK'
  /** A printer is not heard of for longer than its kind allows while an observed print is RUNNING. `since` is when it was last heard of. */
  | 'PRINTER_LOST'
  /** What became of an observed print is not known (waitsFor OUTCOME): resolvePrint says it. `since` is when the print was last heard of. */
  | 'PRINT_UNRESOLVED'
  /** An observed print waits for its spool (waitsFor SPOOL): assignSpools gives it its job. `since` is its createdAt. */
  | 'PRINT_WAITS'
  /** remainingGrams less plannedGrams is below 0 on a spool that a queued or printing job uses. `since` is the createdAt of the newest of these jobs. */
  | 'SPOOL_SHORT'
  /** Less than 600 seconds of video are left in the latest record of a camera that is LIVE. `since` is the time of that record. */
  | 'STORAGE_LOW';

/** How urgent an alert is. */
export type AlertSeverity =
  /** Records are being lost now: CAMERA_LOST, PRINTER_LOST. */
  | 'CRITICAL'
  /** A print or a recording will fail, or a record stays incomplete, if the condition stays: all other kinds. */
  | 'WARNING';

/** The state of a camera now, by its latest record and the age of that record. */
export type CameraLiveness =
  /** Its latest record says online and is not older than expectedIntervalSec. */
  | 'LIVE'
  /** There is no record yet. */
  | 'NEVER_SEEN'
  /** Its latest record says offline. */
  | 'OFFLINE'
  /** Its latest record says online and is older than expectedIntervalSec: the camera should have reported again. */
  | 'SILENT';

/** How an object changed. */
export type ChangeKind =
  /** It is new. */
  | 'CREATED'
  /** It is gone. */
  | 'DELETED'
  /** Members of it have other values. */
  | 'UPDATED';

/** A material to add. */
export type CreateMaterialInput = {
  /** Density in g/cm3, above 0. */
  densityGPerCm3: string | number;
  /** Name such as PLA, 1 to 255 characters. CONFLICT when it is taken. */
  name: string;
};

/** A print job to create. It starts as QUEUED. */
export type CreatePrintJobInput = {
  /** Takes diameter and density from the spool and its material, and derives the grams from them. */
  autoDeriveGrams?: boolean;
  /** Cost of the print, 0 or more. On update, autoDeriveGrams overrides it with grams × (price / weight of the full spool), rounded to 4 decimals, if the spool has a price and the grams are above 0. */
  costPerPrint?: string | number;
  /** Where the figures come from. */
  dataSource: DataSource;
  /** Filament diameter in mm, 0 or more; autoDeriveGrams overrides it. */
  filamentDiameterAtPrintMm?: string | number;
  /** Path of the G-code file, at most 4096 characters. */
  gcodeFilePath?: string;
  /** Grams used, 0 or more; autoDeriveGrams overrides them. For a new job, 0 is replaced by grams derived from filamentDiameterAtPrintMm and materialDensityAtPrint, if mmExtruded and materialDensityAtPrint are above 0. */
  gramsDerived?: string | number;
  /** Material density in g/cm3, 0 or more; autoDeriveGrams overrides it. */
  materialDensityAtPrint?: string | number;
  /** Millimetres of filament extruded, 0 or more. */
  mmExtruded?: string | number;
  /** Free text, at most 10000 characters. */
  notes?: string | null | undefined;
  /** Name of the print, at most 1000 characters. */
  printName: string;
  /** GUID of the printer; BAD_USER_INPUT when there is none. */
  printerId: string;
  /** GUID of the spool; BAD_USER_INPUT when there is none. */
  spoolId: string;
  /** When printing began; stored as given. */
  startedAt?: string | null | undefined;
};

/** A printer to add. */
export type CreatePrinterInput = {
  /** Name for people, 1 to 255 characters. */
  name: string;
};

/** A spool to add. */
export type CreateSpoolInput = {
  /** Colour as # and six hexadecimal digits, kept in upper case. */
  colorHex?: string | null | undefined;
  /** Filament diameter in mm, above 0; usually 1.75 or 2.85. */
  filamentDiameterMm: string | number;
  /** GUID of the material; BAD_USER_INPUT when there is none, or when it is archived. */
  materialId: string;
  /** Price of the whole spool, 0 or more. */
  purchasePrice?: string | number | null | undefined;
  /** Serial text, 1 to 255 characters. CONFLICT when it is taken. */
  spoolSerial: string;
  /** The seller or maker, at most 255 characters; the empty text is none. */
  vendor?: string | null | undefined;
  /** Weight of the filament when new, in grams, 0 or more. */
  weightTotalGrams: string | number;
};

/** The source of the figures of a print job. */
export type DataSource =
  /** Entered by a person. */
  | 'MANUAL'
  /** The printer’s MQTT messages. */
  | 'MQTT'
  /** The printer’s own API. */
  | 'PRINTER_API';

/** How a connection to a machine is. */
export type DeviceConnectionState =
  /** The machine was heard of, and goes on to be. */
  | 'CONNECTED'
  /** The gateway is about to connect, or connects now. */
  | 'CONNECTING'
  /** The device is not enabled, so the gateway does not connect. */
  | 'DISABLED'
  /** The machine does not answer. The gateway tries again, at most a minute later. */
  | 'OFFLINE'
  /** The machine refuses the credentials, or is not the right one. The gateway tries again after 15 minutes, or at once when the device is changed. */
  | 'REFUSED';

/** Why the gateway is not connected to a machine. */
export type DeviceFault =
  /** The certificate is neither signed by an authority nor the one that is trusted. */
  | 'CERTIFICATE_NOT_TRUSTED'
  /** The machine does not accept the password, access code or API key, or wants one. */
  | 'CREDENTIALS_REFUSED'
  /** Nothing takes connections at the address and port. */
  | 'NOT_REACHABLE'
  /** The name has no address, or none where a device may be. */
  | 'NOT_RESOLVED'
  /** What answers is not a machine of this kind. */
  | 'NOT_THIS_KIND'
  /** The machine says what a machine of this kind does not say. */
  | 'PROTOCOL_ERROR'
  /** The stored secret cannot be read, because the key of the gateway is another one or is gone. */
  | 'SECRET_NOT_READABLE'
  /** The machine takes the connection, and then says nothing. */
  | 'SILENT'
  /** There was no answer in time. */
  | 'TIMED_OUT'
  /** The machine sends more than a machine of this kind does. */
  | 'TOO_MUCH_DATA'
  /** It is another machine than the serial number says. */
  | 'WRONG_DEVICE';

/** How the gateway talks to a machine. */
export type DeviceKind =
  /** Bambu Lab, by MQTT over TLS in the local network. Cannot be added yet. */
  | 'BAMBU'
  /** Klipper, through the WebSocket of Moonraker. */
  | 'MOONRAKER'
  /** OctoPrint, through its REST interface and its push socket. */
  | 'OCTOPRINT'
  /** GoPro, by Open GoPro over USB or COHN. Cannot be added yet. */
  | 'OPEN_GOPRO'
  /** PrusaLink by HTTP, of Buddy boards and of the Raspberry Pi. */
  | 'PRUSALINK';

/** How an amount of filament is known. */
export type FilamentBasis =
  /** A part of the slicer’s amount, by layers or by the share of the file; never by time. */
  | 'ESTIMATED'
  /** A person or a program said it. */
  | 'MANUAL'
  /** The machine measured it. */
  | 'MEASURED'
  /** The slicer’s amount, of a print that was completed or still runs. */
  | 'PLANNED'
  /** Nothing is known: 0 grams, with an alert. */
  | 'UNKNOWN';

/** Selects the prints that match every member. A member that is left out or null matches all prints. */
export type ObservedPrintFilter = {
  /** Prints with one of these outcomes; an empty list matches no print. */
  outcome?: Array<PrintOutcome> | null | undefined;
  /** Prints of this printer (GUID). */
  printerId?: string | null | undefined;
  /** Begun at or after this instant. */
  startedFrom?: string | null | undefined;
  /** Begun at or before this instant. */
  startedTo?: string | null | undefined;
  /** Prints that wait for this. */
  waitsFor?: PrintWait | null | undefined;
};

/** Selects the print jobs that match every member. A member that is left out or null matches all jobs. */
export type PrintJobFilter = {
  /** Created at or after this instant. */
  createdFrom?: string | null | undefined;
  /** Created at or before this instant. */
  createdTo?: string | null | undefined;
  /** Jobs from this source. */
  dataSource?: DataSource | null | undefined;
  /** Jobs of this printer (GUID). */
  printerId?: string | null | undefined;
  /** Part of printName; upper and lower case are the same; at most 1000 characters. Jobs are searched from the newest until the page is full, so a rare text takes about half a second among a million jobs. */
  search?: string | null | undefined;
  /** Jobs of this spool (GUID). */
  spoolId?: string | null | undefined;
  /** Jobs in one of these statuses; an empty list matches no job. */
  status?: Array<PrintJobStatus> | null | undefined;
};

/** The order of a list of print jobs. Jobs with the same time are ordered by id, in the same direction. */
export type PrintJobOrder =
  /** By completedAt, latest first; jobs without it are last. */
  | 'COMPLETED_AT_DESC'
  /** By createdAt, oldest first. */
  | 'CREATED_AT_ASC'
  /** By createdAt, newest first. */
  | 'CREATED_AT_DESC';

/** The statuses of a print job; the field allowedTransitions lists the next possible ones. */
export type PrintJobStatus =
  /** Stopped on purpose, or deleted; the record is kept. */
  | 'CANCELLED'
  /** Printed to the end. */
  | 'COMPLETED'
  /** Ended by a fault. */
  | 'FAILED'
  /** On the printer. */
  | 'PRINTING'
  /** Waiting for its printer; the status of every new job. */
  | 'QUEUED';

/** What became of a print. */
export type PrintOutcome =
  /** Stopped on purpose. */
  | 'CANCELLED'
  /** Printed to the end. */
  | 'COMPLETED'
  /** Ended by a fault. */
  | 'FAILED'
  /** It runs, or it pauses. */
  | 'RUNNING'
  /** Its end was not seen, and the machine cannot tell it any more. A person says what became of it; it is never guessed. */
  | 'UNRESOLVED';

/** What a print waits for: a person says it. */
export type PrintWait =
  /** What became of it. */
  | 'OUTCOME'
  /** The spool that it is printed from. Its job is made then. */
  | 'SPOOL';

/** What a printer does. */
export type PrinterActivity =
  /** It tells of a fault. */
  | 'ERROR'
  /** Its print is over, and may still lie on the plate. */
  | 'FINISHED'
  /** It waits for a print. */
  | 'IDLE'
  /** It is not heard of. */
  | 'OFFLINE'
  /** Its print pauses. */
  | 'PAUSED'
  /** It heats, levels or slices before a print. */
  | 'PREPARING'
  /** It prints. */
  | 'PRINTING'
  /** It says something that the gateway does not know. */
  | 'UNKNOWN';

/** What progress is a share of. */
export type ProgressBasis =
  /** The filament of the print. */
  | 'FILAMENT'
  /** The bytes of the file. */
  | 'FILE'
  /** The layers of the print. */
  | 'LAYERS'
  /** The time of the print, with its preparation. No filament is computed from it. */
  | 'TIME';

/** A camera to register. */
export type RegisterCameraInput = {
  /** Name for people, 1 to 1000 characters. */
  friendlyName: string;
  /** Identifier of your choice, 1 to 255 characters. CONFLICT when it is registered already. */
  id: string;
  /** MAC address, at most 255 characters, kept as given; the empty text is none. CONFLICT when it is registered already. */
  macAddress?: string | null | undefined;
};

/** What was heard of a print. */
export type SightingKind =
  /** The printer is heard of again. */
  | 'BACK'
  /** A person changed what is known of it. */
  | 'CORRECTED'
  /** It is over. */
  | 'ENDED'
  /** The printer is not heard of any more. */
  | 'LOST'
  /** It paused. */
  | 'PAUSED'
  /** The printer or a person said later what became of it. */
  | 'RESOLVED'
  /** It goes on after a pause. */
  | 'RESUMED'
  /** Another slot feeds it. */
  | 'SLOT_CHANGED'
  /** It began, or it was running already. */
  | 'STARTED';

/** The spool that feeds a slot of a print. */
export type SlotSpoolInput = {
  /** The slot, such as tool:0, as `filament` of the print names it. */
  slot: string;
  /** GUID of the spool; BAD_USER_INPUT when there is none in use. */
  spoolId: string;
};

/** Changes to a camera. Members that are left out stay as they are. */
export type UpdateCameraInput = {
  /** How long, in seconds, the camera may be silent before it counts as silent, 1 to 86400; null sets the default of 300. */
  expectedIntervalSec?: number | null | undefined;
  /** Name for people, 1 to 1000 characters; null leaves it. */
  friendlyName?: string | null | undefined;
  /** MAC address, at most 255 characters; null or the empty text removes it. CONFLICT when another camera has it. */
  macAddress?: string | null | undefined;
  /** GUID of the printer that the camera watches; null for none. BAD_USER_INPUT when there is no such printer. */
  printerId?: string | null | undefined;
};

/** Changes to a device. Members that are left out stay as they are. A new address or certificateFingerprint without a new secret makes the gateway forget the secret, so that it is not sent to another machine. */
export type UpdateDeviceInput = {
  /** Host, host:port or URL, 1 to 255 characters, without credentials and path. An address must be private, of this machine, or in DEVICE_NETWORKS. Null leaves it. */
  address?: string | null | undefined;
  /** SHA-256 of the certificate to trust, 64 hexadecimal digits, with or without colons. testDevice tells that of a machine. Only for an address with TLS. Null or the empty text removes it. */
  certificateFingerprint?: string | null | undefined;
  /** Whether the gateway connects to it; null leaves it. */
  enabled?: boolean | null | undefined;
  /** Password, access code or API key, at most 255 characters. Stored encrypted; in no answer, log or backup in clear. Null or the empty text removes it. */
  secret?: string | null | undefined;
  /** Serial number of a Bambu printer, at most 255 characters. Null or the empty text removes it. */
  serial?: string | null | undefined;
  /** User name, at most 255 characters, where the machine wants one and it is not the usual one. Null or the empty text removes it. */
  username?: string | null | undefined;
};

/** Changes to a material. Members that are left out or null stay as they are. */
export type UpdateMaterialInput = {
  /** Density in g/cm3, above 0. Jobs keep the density they were printed with. */
  densityGPerCm3?: string | number | null | undefined;
  /** Name, 1 to 255 characters. CONFLICT when it is taken. */
  name?: string | null | undefined;
};

/** The new members of a print job. An optional member that is left out becomes empty, 0, false or null. */
export type UpdatePrintJobInput = {
  /** Takes diameter and density from the spool and its material, and derives the grams from them. */
  autoDeriveGrams?: boolean;
  /** Cost of the print, 0 or more. On update, autoDeriveGrams overrides it with grams × (price / weight of the full spool), rounded to 4 decimals, if the spool has a price and the grams are above 0. */
  costPerPrint?: string | number;
  /** Path of the G-code file, at most 4096 characters. */
  gcodeFilePath?: string;
  /** Grams used, 0 or more; autoDeriveGrams overrides them. For a new job, 0 is replaced by grams derived from filamentDiameterAtPrintMm and materialDensityAtPrint, if mmExtruded and materialDensityAtPrint are above 0. */
  gramsDerived?: string | number;
  /** Millimetres of filament extruded, 0 or more. */
  mmExtruded?: string | number;
  /** Free text, at most 10000 characters. */
  notes?: string | null | undefined;
  /** Name of the print, at most 1000 characters. */
  printName: string;
  /** GUID of the printer; BAD_USER_INPUT when there is none. */
  printerId: string;
  /** GUID of the spool; BAD_USER_INPUT when there is none. */
  spoolId: string;
};

/** Changes to a printer. Members that are left out or null stay as they are. */
export type UpdatePrinterInput = {
  /** Name for people, 1 to 255 characters. */
  name?: string | null | undefined;
};

/** Changes to a spool. Members that are left out stay as they are. */
export type UpdateSpoolInput = {
  /** Colour as # and six hexadecimal digits, kept in upper case; null removes it. */
  colorHex?: string | null | undefined;
  /** Filament diameter in mm, above 0; null leaves it. */
  filamentDiameterMm?: string | number | null | undefined;
  /** GUID of the material; null leaves it. BAD_USER_INPUT when there is none, or when another is archived. */
  materialId?: string | null | undefined;
  /** Price of the whole spool, 0 or more; null removes it. */
  purchasePrice?: string | number | null | undefined;
  /** Serial text, 1 to 255 characters; null leaves it. CONFLICT when it is taken. */
  spoolSerial?: string | null | undefined;
  /** The seller or maker, at most 255 characters; null or the empty text removes it. */
  vendor?: string | null | undefined;
  /** Weight of the filament when new, in grams, 0 or more; null leaves it. */
  weightTotalGrams?: string | number | null | undefined;
};

/** The groups of a report; each has a row of its own. At most one of DAY, WEEK and MONTH, with any of the others. */
export type UsageGroup =
  /** Each day of the time zone; 23 or 25 hours long when its clock changes. */
  | 'DAY'
  /** Each material that the spools have now. */
  | 'MATERIAL'
  /** Each month of the time zone. */
  | 'MONTH'
  /** Each printer. */
  | 'PRINTER'
  /** Each spool. */
  | 'SPOOL'
  /** Each week of the time zone, from Monday. */
  | 'WEEK';

export type CameraPageQueryVariables = Exact<{
  id: string;
}>;


export type CameraPageQuery = { camera: { __typename: 'Camera', id: string, friendlyName: string, macAddress: string | null, createdAt: string, expectedIntervalSec: number | null, liveness: CameraLiveness, printer: { __typename: 'Printer', id: string, name: string } | null, lastStatus: { __typename: 'CameraStatus', id: string, recordedAt: string, online: boolean, batteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null, mode: string | null, resolution: string | null, fps: number | null } | null } | null };

export type CameraHistoryQueryVariables = Exact<{
  id: string;
  from: string;
  to?: string | null | undefined;
  points: number;
}>;


export type CameraHistoryQuery = { camera: { __typename: 'Camera', id: string, series: Array<{ __typename: 'CameraSample', from: string, batteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null }>, availability: { __typename: 'CameraAvailability', fraction: number | null, gaps: Array<{ __typename: 'CameraGap', from: string, to: string }> } } | null };

export type CameraRecordsQueryVariables = Exact<{
  id: string;
  from: string;
  to?: string | null | undefined;
  first: number;
}>;


export type CameraRecordsQuery = { camera: { __typename: 'Camera', id: string, history: Array<{ __typename: 'CameraStatus', id: string, recordedAt: string, online: boolean, batteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null, mode: string | null, resolution: string | null, fps: number | null }> } | null };

export type CameraLossQueryVariables = Exact<{
  id: string;
  from: string;
  to: string;
}>;


export type CameraLossQuery = { camera: { __typename: 'Camera', id: string, series: Array<{ __typename: 'CameraSample', records: number }> } | null };

export type RegisterCameraMutationVariables = Exact<{
  input: RegisterCameraInput;
}>;


export type RegisterCameraMutation = { registerCamera: { __typename: 'Camera', id: string, friendlyName: string, macAddress: string | null, createdAt: string, expectedIntervalSec: number | null, liveness: CameraLiveness, printer: { __typename: 'Printer', id: string, name: string } | null, lastStatus: { __typename: 'CameraStatus', id: string, recordedAt: string, online: boolean, batteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null, mode: string | null, resolution: string | null, fps: number | null } | null } };

export type UpdateCameraMutationVariables = Exact<{
  id: string;
  input: UpdateCameraInput;
}>;


export type UpdateCameraMutation = { updateCamera: { __typename: 'Camera', id: string, friendlyName: string, macAddress: string | null, createdAt: string, expectedIntervalSec: number | null, liveness: CameraLiveness, printer: { __typename: 'Printer', id: string, name: string } | null, lastStatus: { __typename: 'CameraStatus', id: string, recordedAt: string, online: boolean, batteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null, mode: string | null, resolution: string | null, fps: number | null } | null } };

export type RemoveCameraMutationVariables = Exact<{
  id: string;
}>;


export type RemoveCameraMutation = { removeCamera: string };

export type CameraDetailsFragment = { __typename: 'Camera', id: string, friendlyName: string, macAddress: string | null, createdAt: string, expectedIntervalSec: number | null, liveness: CameraLiveness, printer: { __typename: 'Printer', id: string, name: string } | null, lastStatus: { __typename: 'CameraStatus', id: string, recordedAt: string, online: boolean, batteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null, mode: string | null, resolution: string | null, fps: number | null } | null };

export type FarmChangesSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type FarmChangesSubscription = { changes:
    | { __typename: 'CameraChanged', kind: ChangeKind, cameraId: string, cursor: string, camera: { __typename: 'Camera', id: string, friendlyName: string, macAddress: string | null, createdAt: string, expectedIntervalSec: number | null, liveness: CameraLiveness, lastStatus: { __typename: 'CameraStatus', id: string, recordedAt: string, online: boolean, batteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null, mode: string | null, resolution: string | null, fps: number | null } | null } | null }
    | { __typename: 'CameraStatusRecorded', cursor: string, reporting: { __typename: 'Camera', id: string, friendlyName: string, macAddress: string | null, createdAt: string, expectedIntervalSec: number | null, liveness: CameraLiveness, lastStatus: { __typename: 'CameraStatus', id: string, recordedAt: string, online: boolean, batteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null, mode: string | null, resolution: string | null, fps: number | null } | null } }
    | { __typename: 'DeviceChanged', kind: ChangeKind, deviceId: string, cursor: string, device: { __typename: 'Device', id: string, kind: DeviceKind, address: string, serial: string | null, hasSecret: boolean, certificateFingerprint: string | null, enabled: boolean, connection: { __typename: 'DeviceConnection', state: DeviceConnectionState, since: string, lastMessageAt: string | null, message: string | null } } | null }
    | { __typename: 'MaterialChanged', kind: ChangeKind, materialId: string, cursor: string, material: { __typename: 'Material', id: string, name: string, densityGPerCm3: string, archivedAt: string | null } | null }
    | { __typename: 'ObservedPrintChanged', kind: ChangeKind, printId: string, cursor: string, print: { __typename: 'ObservedPrint', id: string, name: string, startedAt: string | null, startedAtEstimated: boolean, endedAt: string | null, endedAtEstimated: boolean, outcome: PrintOutcome, reason: string | null, waitsFor: PrintWait | null, ignoredAt: string | null, createdAt: string, printer: { __typename: 'Printer', id: string, name: string }, filament: Array<{ __typename: 'ObservedFilament', slot: string, mm: string | null, grams: string | null, basis: FilamentBasis, spool: { __typename: 'Spool', id: string, spoolSerial: string, material: { __typename: 'Material', id: string, name: string } } | null }>, job: { __typename: 'PrintJob', id: string, printName: string, status: PrintJobStatus } | null } | null }
    | { __typename: 'PrintJobChanged', kind: ChangeKind, jobId: string, cursor: string, job: { __typename: 'PrintJob', id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, updatedAt: string, printer: { __typename: 'Printer', id: string, name: string } | null, spool: { __typename: 'Spool', id: string, spoolSerial: string, colorHex: string | null, remainingGrams: string, plannedGrams: string, material: { __typename: 'Material', id: string, name: string } } | null } | null }
    | { __typename: 'PrinterChanged', kind: ChangeKind, printerId: string, cursor: string, printer: { __typename: 'Printer', id: string, name: string, archivedAt: string | null } | null }
    | { __typename: 'SpoolChanged', kind: ChangeKind, spoolId: string, cursor: string, spool: { __typename: 'Spool', id: string, spoolSerial: string, filamentDiameterMm: string, weightTotalGrams: string, purchasePrice: string | null, colorHex: string | null, vendor: string | null, archivedAt: string | null, material: { __typename: 'Material', id: string, name: string, densityGPerCm3: string, archivedAt: string | null } } | null }
   };

export type FarmQueryVariables = Exact<{ [key: string]: never; }>;


export type FarmQuery = { cameras: { __typename: 'CameraConnection', nodes: Array<{ __typename: 'Camera', id: string, friendlyName: string, liveness: CameraLiveness, lastStatus: { __typename: 'CameraStatus', id: string, recordedAt: string, batteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null } | null }> } };

export type FarmPrintersQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type FarmPrintersQuery = { printers: { __typename: 'PrinterConnection', nodes: Array<{ __typename: 'Printer', id: string, name: string, archivedAt: string | null, cameras: Array<{ __typename: 'Camera', id: string, friendlyName: string }>, jobs: { __typename: 'PrintJobConnection', nodes: Array<{ __typename: 'PrintJob', id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, updatedAt: string, printer: { __typename: 'Printer', id: string, name: string } | null, spool: { __typename: 'Spool', id: string, spoolSerial: string, colorHex: string | null, remainingGrams: string, plannedGrams: string, material: { __typename: 'Material', id: string, name: string } } | null }> } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor: string | null } } };

export type AlertsQueryVariables = Exact<{ [key: string]: never; }>;


export type AlertsQuery = { alerts: Array<{ __typename: 'Alert', kind: AlertKind, severity: AlertSeverity, message: string, since: string, camera: { __typename: 'Camera', id: string } | null, printJob: { __typename: 'PrintJob', id: string } | null, spool: { __typename: 'Spool', id: string, spoolSerial: string } | null, printer: { __typename: 'Printer', id: string } | null, print: { __typename: 'ObservedPrint', id: string } | null }> };

export type LivenessQueryVariables = Exact<{ [key: string]: never; }>;


export type LivenessQuery = { cameras: { __typename: 'CameraConnection', nodes: Array<{ __typename: 'Camera', id: string, liveness: CameraLiveness }> } };

export type CameraRowFragment = { __typename: 'Camera', id: string, friendlyName: string, liveness: CameraLiveness, lastStatus: { __typename: 'CameraStatus', id: string, recordedAt: string, batteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null } | null };

export type AlertRowFragment = { __typename: 'Alert', kind: AlertKind, severity: AlertSeverity, message: string, since: string, camera: { __typename: 'Camera', id: string } | null, printJob: { __typename: 'PrintJob', id: string } | null, spool: { __typename: 'Spool', id: string, spoolSerial: string } | null, printer: { __typename: 'Printer', id: string } | null, print: { __typename: 'ObservedPrint', id: string } | null };

export type SpoolsQueryVariables = Exact<{
  archived?: boolean | null | undefined;
  after?: string | null | undefined;
}>;


export type SpoolsQuery = { spools: { __typename: 'SpoolConnection', nodes: Array<{ __typename: 'Spool', usedGrams: string, plannedGrams: string, remainingGrams: string, id: string, spoolSerial: string, filamentDiameterMm: string, weightTotalGrams: string, purchasePrice: string | null, colorHex: string | null, vendor: string | null, archivedAt: string | null, material: { __typename: 'Material', id: string, name: string, densityGPerCm3: string, archivedAt: string | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor: string | null } } };

export type MaterialsQueryVariables = Exact<{
  archived?: boolean | null | undefined;
}>;


export type MaterialsQuery = { materials: Array<{ __typename: 'Material', id: string, name: string, densityGPerCm3: string, archivedAt: string | null }> };

export type PrintersQueryVariables = Exact<{
  archived?: boolean | null | undefined;
  after?: string | null | undefined;
}>;


export type PrintersQuery = { printers: { __typename: 'PrinterConnection', nodes: Array<{ __typename: 'Printer', createdAt: string, id: string, name: string, archivedAt: string | null }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor: string | null } } };

export type PrinterChoicesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type PrinterChoicesQuery = { printers: { __typename: 'PrinterConnection', nodes: Array<{ __typename: 'Printer', id: string, name: string, archivedAt: string | null }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor: string | null } } };

export type SpoolChoicesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type SpoolChoicesQuery = { spools: { __typename: 'SpoolConnection', nodes: Array<{ __typename: 'Spool', id: string, spoolSerial: string, filamentDiameterMm: string, weightTotalGrams: string, purchasePrice: string | null, colorHex: string | null, vendor: string | null, archivedAt: string | null, material: { __typename: 'Material', id: string, name: string, densityGPerCm3: string, archivedAt: string | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor: string | null } } };

export type CreateSpoolMutationVariables = Exact<{
  input: CreateSpoolInput;
}>;


export type CreateSpoolMutation = { createSpool: { __typename: 'Spool', id: string, spoolSerial: string, filamentDiameterMm: string, weightTotalGrams: string, purchasePrice: string | null, colorHex: string | null, vendor: string | null, archivedAt: string | null, material: { __typename: 'Material', id: string, name: string, densityGPerCm3: string, archivedAt: string | null } } };

export type UpdateSpoolMutationVariables = Exact<{
  id: string;
  input: UpdateSpoolInput;
}>;


export type UpdateSpoolMutation = { updateSpool: { __typename: 'Spool', id: string, spoolSerial: string, filamentDiameterMm: string, weightTotalGrams: string, purchasePrice: string | null, colorHex: string | null, vendor: string | null, archivedAt: string | null, material: { __typename: 'Material', id: string, name: string, densityGPerCm3: string, archivedAt: string | null } } };

export type ArchiveSpoolMutationVariables = Exact<{
  id: string;
  archived: boolean;
}>;


export type ArchiveSpoolMutation = { archiveSpool: { __typename: 'Spool', id: string, spoolSerial: string, filamentDiameterMm: string, weightTotalGrams: string, purchasePrice: string | null, colorHex: string | null, vendor: string | null, archivedAt: string | null, material: { __typename: 'Material', id: string, name: string, densityGPerCm3: string, archivedAt: string | null } } };

export type RemoveSpoolMutationVariables = Exact<{
  id: string;
}>;


export type RemoveSpoolMutation = { removeSpool: string };

export type CreateMaterialMutationVariables = Exact<{
  input: CreateMaterialInput;
}>;


export type CreateMaterialMutation = { createMaterial: { __typename: 'Material', id: string, name: string, densityGPerCm3: string, archivedAt: string | null } };

export type UpdateMaterialMutationVariables = Exact<{
  id: string;
  input: UpdateMaterialInput;
}>;


export type UpdateMaterialMutation = { updateMaterial: { __typename: 'Material', id: string, name: string, densityGPerCm3: string, archivedAt: string | null } };

export type ArchiveMaterialMutationVariables = Exact<{
  id: string;
  archived: boolean;
}>;


export type ArchiveMaterialMutation = { archiveMaterial: { __typename: 'Material', id: string, name: string, densityGPerCm3: string, archivedAt: string | null } };

export type RemoveMaterialMutationVariables = Exact<{
  id: string;
}>;


export type RemoveMaterialMutation = { removeMaterial: string };

export type CreatePrinterMutationVariables = Exact<{
  input: CreatePrinterInput;
}>;


export type CreatePrinterMutation = { createPrinter: { __typename: 'Printer', id: string, name: string, archivedAt: string | null } };

export type UpdatePrinterMutationVariables = Exact<{
  id: string;
  input: UpdatePrinterInput;
}>;


export type UpdatePrinterMutation = { updatePrinter: { __typename: 'Printer', id: string, name: string, archivedAt: string | null } };

export type ArchivePrinterMutationVariables = Exact<{
  id: string;
  archived: boolean;
}>;


export type ArchivePrinterMutation = { archivePrinter: { __typename: 'Printer', id: string, name: string, archivedAt: string | null } };

export type RemovePrinterMutationVariables = Exact<{
  id: string;
}>;


export type RemovePrinterMutation = { removePrinter: string };

export type JobsQueryVariables = Exact<{
  filter: PrintJobFilter;
  orderBy: PrintJobOrder;
  after?: string | null | undefined;
}>;


export type JobsQuery = { printJobs: { __typename: 'PrintJobConnection', totalCount: number, nodes: Array<{ __typename: 'PrintJob', id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, updatedAt: string, printer: { __typename: 'Printer', id: string, name: string } | null, spool: { __typename: 'Spool', id: string, spoolSerial: string, colorHex: string | null, remainingGrams: string, plannedGrams: string, material: { __typename: 'Material', id: string, name: string } } | null }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor: string | null } } };

export type JobQueryVariables = Exact<{
  id: string;
}>;


export type JobQuery = { printJob: { __typename: 'PrintJob', mmExtruded: string, filamentDiameterAtPrintMm: string, materialDensityAtPrint: string, dataSource: DataSource, gcodeFilePath: string, notes: string | null, filamentBasis: FilamentBasis, id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, updatedAt: string, spool: { __typename: 'Spool', id: string, spoolSerial: string, colorHex: string | null, remainingGrams: string, plannedGrams: string, filamentDiameterMm: string, weightTotalGrams: string, purchasePrice: string | null, vendor: string | null, archivedAt: string | null, material: { __typename: 'Material', id: string, name: string, densityGPerCm3: string, archivedAt: string | null } } | null, observedPrint: { __typename: 'ObservedPrint', id: string } | null, statusHistory: Array<{ __typename: 'PrintJobStatusChange', from: PrintJobStatus | null, to: PrintJobStatus, at: string }>, derivation: { __typename: 'GramDerivation', areaMm2: string, grams: string, pricePerGram: string | null, cost: string | null }, printer: { __typename: 'Printer', id: string, name: string } | null } | null };

export type DerivedFilamentQueryVariables = Exact<{
  mmExtruded: string | number;
  filamentDiameterMm: string | number;
  densityGPerCm3: string | number;
  spoolId?: string | null | undefined;
}>;


export type DerivedFilamentQuery = { deriveFilament: { __typename: 'GramDerivation', areaMm2: string, grams: string, pricePerGram: string | null, cost: string | null } };

export type CreateJobMutationVariables = Exact<{
  input: CreatePrintJobInput;
}>;


export type CreateJobMutation = { createPrintJob: { __typename: 'PrintJob', mmExtruded: string, filamentDiameterAtPrintMm: string, materialDensityAtPrint: string, dataSource: DataSource, gcodeFilePath: string, notes: string | null, filamentBasis: FilamentBasis, id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, updatedAt: string, spool: { __typename: 'Spool', id: string, spoolSerial: string, colorHex: string | null, remainingGrams: string, plannedGrams: string, filamentDiameterMm: string, weightTotalGrams: string, purchasePrice: string | null, vendor: string | null, archivedAt: string | null, material: { __typename: 'Material', id: string, name: string, densityGPerCm3: string, archivedAt: string | null } } | null, observedPrint: { __typename: 'ObservedPrint', id: string } | null, statusHistory: Array<{ __typename: 'PrintJobStatusChange', from: PrintJobStatus | null, to: PrintJobStatus, at: string }>, derivation: { __typename: 'GramDerivation', areaMm2: string, grams: string, pricePerGram: string | null, cost: string | null }, printer: { __typename: 'Printer', id: string, name: string } | null } };

export type UpdateJobMutationVariables = Exact<{
  id: string;
  input: UpdatePrintJobInput;
}>;


export type UpdateJobMutation = { updatePrintJob: { __typename: 'PrintJob', mmExtruded: string, filamentDiameterAtPrintMm: string, materialDensityAtPrint: string, dataSource: DataSource, gcodeFilePath: string, notes: string | null, filamentBasis: FilamentBasis, id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, updatedAt: string, spool: { __typename: 'Spool', id: string, spoolSerial: string, colorHex: string | null, remainingGrams: string, plannedGrams: string, filamentDiameterMm: string, weightTotalGrams: string, purchasePrice: string | null, vendor: string | null, archivedAt: string | null, material: { __typename: 'Material', id: string, name: string, densityGPerCm3: string, archivedAt: string | null } } | null, observedPrint: { __typename: 'ObservedPrint', id: string } | null, statusHistory: Array<{ __typename: 'PrintJobStatusChange', from: PrintJobStatus | null, to: PrintJobStatus, at: string }>, derivation: { __typename: 'GramDerivation', areaMm2: string, grams: string, pricePerGram: string | null, cost: string | null }, printer: { __typename: 'Printer', id: string, name: string } | null } };

export type ChangeJobStatusMutationVariables = Exact<{
  id: string;
  status: PrintJobStatus;
}>;


export type ChangeJobStatusMutation = { changePrintJobStatus: { __typename: 'PrintJob', id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, updatedAt: string, printer: { __typename: 'Printer', id: string, name: string } | null, spool: { __typename: 'Spool', id: string, spoolSerial: string, colorHex: string | null, remainingGrams: string, plannedGrams: string, material: { __typename: 'Material', id: string, name: string } } | null } };

export type JobDetailsFragment = { __typename: 'PrintJob', mmExtruded: string, filamentDiameterAtPrintMm: string, materialDensityAtPrint: string, dataSource: DataSource, gcodeFilePath: string, notes: string | null, filamentBasis: FilamentBasis, id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, updatedAt: string, spool: { __typename: 'Spool', id: string, spoolSerial: string, colorHex: string | null, remainingGrams: string, plannedGrams: string, filamentDiameterMm: string, weightTotalGrams: string, purchasePrice: string | null, vendor: string | null, archivedAt: string | null, material: { __typename: 'Material', id: string, name: string, densityGPerCm3: string, archivedAt: string | null } } | null, observedPrint: { __typename: 'ObservedPrint', id: string } | null, statusHistory: Array<{ __typename: 'PrintJobStatusChange', from: PrintJobStatus | null, to: PrintJobStatus, at: string }>, derivation: { __typename: 'GramDerivation', areaMm2: string, grams: string, pricePerGram: string | null, cost: string | null }, printer: { __typename: 'Printer', id: string, name: string } | null };

export type DerivationFragment = { __typename: 'GramDerivation', areaMm2: string, grams: string, pricePerGram: string | null, cost: string | null };

export type CameraNowFragment = { __typename: 'Camera', id: string, friendlyName: string, macAddress: string | null, createdAt: string, expectedIntervalSec: number | null, liveness: CameraLiveness, lastStatus: { __typename: 'CameraStatus', id: string, recordedAt: string, online: boolean, batteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null, mode: string | null, resolution: string | null, fps: number | null } | null };

export type StatusRowFragment = { __typename: 'CameraStatus', id: string, recordedAt: string, online: boolean, batteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null, mode: string | null, resolution: string | null, fps: number | null };

export type JobRowFragment = { __typename: 'PrintJob', id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, updatedAt: string, printer: { __typename: 'Printer', id: string, name: string } | null, spool: { __typename: 'Spool', id: string, spoolSerial: string, colorHex: string | null, remainingGrams: string, plannedGrams: string, material: { __typename: 'Material', id: string, name: string } } | null };

export type PrinterRowFragment = { __typename: 'Printer', id: string, name: string, archivedAt: string | null };

export type PrintRowFragment = { __typename: 'ObservedPrint', id: string, name: string, startedAt: string | null, startedAtEstimated: boolean, endedAt: string | null, endedAtEstimated: boolean, outcome: PrintOutcome, reason: string | null, waitsFor: PrintWait | null, ignoredAt: string | null, createdAt: string, printer: { __typename: 'Printer', id: string, name: string }, filament: Array<{ __typename: 'ObservedFilament', slot: string, mm: string | null, grams: string | null, basis: FilamentBasis, spool: { __typename: 'Spool', id: string, spoolSerial: string, material: { __typename: 'Material', id: string, name: string } } | null }>, job: { __typename: 'PrintJob', id: string, printName: string, status: PrintJobStatus } | null };

export type SpoolRowFragment = { __typename: 'Spool', id: string, spoolSerial: string, filamentDiameterMm: string, weightTotalGrams: string, purchasePrice: string | null, colorHex: string | null, vendor: string | null, archivedAt: string | null, material: { __typename: 'Material', id: string, name: string, densityGPerCm3: string, archivedAt: string | null } };

export type MaterialRowFragment = { __typename: 'Material', id: string, name: string, densityGPerCm3: string, archivedAt: string | null };

export type NextPageFragment = { __typename: 'PageInfo', hasNextPage: boolean, endCursor: string | null };

export type PrinterPageQueryVariables = Exact<{
  id: string;
}>;


export type PrinterPageQuery = { printer: { __typename: 'Printer', id: string, name: string, archivedAt: string | null, cameras: Array<{ __typename: 'Camera', id: string, friendlyName: string }>, state: { __typename: 'PrinterState', activity: PrinterActivity, progress: number | null, progressBasis: ProgressBasis | null, remainingSec: number | null, layer: number | null, layers: number | null, printName: string | null, message: string | null, heardAt: string, stale: boolean, print: { __typename: 'ObservedPrint', id: string, startedAt: string | null, startedAtEstimated: boolean } | null } | null, device: { __typename: 'Device', id: string, kind: DeviceKind, address: string, serial: string | null, hasSecret: boolean, certificateFingerprint: string | null, enabled: boolean, connection: { __typename: 'DeviceConnection', state: DeviceConnectionState, since: string, lastMessageAt: string | null, message: string | null } } | null, slots: Array<{ __typename: 'PrinterSlot', slot: string, loadedAt: string | null, reported: string | null, spool: { __typename: 'Spool', id: string, spoolSerial: string, colorHex: string | null, remainingGrams: string, material: { __typename: 'Material', id: string, name: string } } | null }> } | null };

export type FarmStatesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type FarmStatesQuery = { printers: { __typename: 'PrinterConnection', nodes: Array<{ __typename: 'Printer', id: string, state: { __typename: 'PrinterState', activity: PrinterActivity, progress: number | null, progressBasis: ProgressBasis | null, remainingSec: number | null, layer: number | null, layers: number | null, printName: string | null, message: string | null, heardAt: string, stale: boolean, print: { __typename: 'ObservedPrint', id: string, startedAt: string | null, startedAtEstimated: boolean } | null } | null }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor: string | null } } };

export type PrinterStatesSubscriptionVariables = Exact<{
  printerIds?: Array<string> | null | undefined;
}>;


export type PrinterStatesSubscription = { printerStateChanged: { __typename: 'Printer', id: string, state: { __typename: 'PrinterState', activity: PrinterActivity, progress: number | null, progressBasis: ProgressBasis | null, remainingSec: number | null, layer: number | null, layers: number | null, printName: string | null, message: string | null, heardAt: string, stale: boolean, print: { __typename: 'ObservedPrint', id: string, startedAt: string | null, startedAtEstimated: boolean } | null } | null } };

export type AddDeviceMutationVariables = Exact<{
  input: AddDeviceInput;
}>;


export type AddDeviceMutation = { addDevice: { __typename: 'Device', id: string, kind: DeviceKind, address: string, serial: string | null, hasSecret: boolean, certificateFingerprint: string | null, enabled: boolean, printer: { __typename: 'Printer', id: string, device: { __typename: 'Device', id: string } | null } | null, connection: { __typename: 'DeviceConnection', state: DeviceConnectionState, since: string, lastMessageAt: string | null, message: string | null } } };

export type UpdateDeviceMutationVariables = Exact<{
  id: string;
  input: UpdateDeviceInput;
}>;


export type UpdateDeviceMutation = { updateDevice: { __typename: 'Device', id: string, kind: DeviceKind, address: string, serial: string | null, hasSecret: boolean, certificateFingerprint: string | null, enabled: boolean, connection: { __typename: 'DeviceConnection', state: DeviceConnectionState, since: string, lastMessageAt: string | null, message: string | null } } };

export type RemoveDeviceMutationVariables = Exact<{
  id: string;
}>;


export type RemoveDeviceMutation = { removeDevice: string };

export type TestDeviceMutationVariables = Exact<{
  input: AddDeviceInput;
}>;


export type TestDeviceMutation = { testDevice: { __typename: 'DeviceTest', fault: DeviceFault | null, message: string | null, model: string | null, serial: string | null, firmware: string | null, certificateFingerprint: string | null, activity: PrinterActivity | null } };

export type LoadSpoolMutationVariables = Exact<{
  printerId: string;
  slot: string;
  spoolId?: string | null | undefined;
}>;


export type LoadSpoolMutation = { loadSpool: { __typename: 'Printer', id: string, slots: Array<{ __typename: 'PrinterSlot', slot: string, loadedAt: string | null, reported: string | null, spool: { __typename: 'Spool', id: string, spoolSerial: string, colorHex: string | null, remainingGrams: string, material: { __typename: 'Material', id: string, name: string } } | null }> } };

export type PrinterNowFragment = { __typename: 'Printer', id: string, state: { __typename: 'PrinterState', activity: PrinterActivity, progress: number | null, progressBasis: ProgressBasis | null, remainingSec: number | null, layer: number | null, layers: number | null, printName: string | null, message: string | null, heardAt: string, stale: boolean, print: { __typename: 'ObservedPrint', id: string, startedAt: string | null, startedAtEstimated: boolean } | null } | null };

export type PrinterDeviceFragment = { __typename: 'Printer', id: string, device: { __typename: 'Device', id: string, kind: DeviceKind, address: string, serial: string | null, hasSecret: boolean, certificateFingerprint: string | null, enabled: boolean, connection: { __typename: 'DeviceConnection', state: DeviceConnectionState, since: string, lastMessageAt: string | null, message: string | null } } | null };

export type DeviceDetailsFragment = { __typename: 'Device', id: string, kind: DeviceKind, address: string, serial: string | null, hasSecret: boolean, certificateFingerprint: string | null, enabled: boolean, connection: { __typename: 'DeviceConnection', state: DeviceConnectionState, since: string, lastMessageAt: string | null, message: string | null } };

export type PrinterSlotsFragment = { __typename: 'Printer', id: string, slots: Array<{ __typename: 'PrinterSlot', slot: string, loadedAt: string | null, reported: string | null, spool: { __typename: 'Spool', id: string, spoolSerial: string, colorHex: string | null, remainingGrams: string, material: { __typename: 'Material', id: string, name: string } } | null }> };

export type PrinterPrintsQueryVariables = Exact<{
  filter: ObservedPrintFilter;
  after?: string | null | undefined;
}>;


export type PrinterPrintsQuery = { observedPrints: { __typename: 'ObservedPrintConnection', nodes: Array<{ __typename: 'ObservedPrint', id: string, name: string, startedAt: string | null, startedAtEstimated: boolean, endedAt: string | null, endedAtEstimated: boolean, outcome: PrintOutcome, reason: string | null, waitsFor: PrintWait | null, ignoredAt: string | null, createdAt: string, printer: { __typename: 'Printer', id: string, name: string }, filament: Array<{ __typename: 'ObservedFilament', slot: string, mm: string | null, grams: string | null, basis: FilamentBasis, spool: { __typename: 'Spool', id: string, spoolSerial: string, material: { __typename: 'Material', id: string, name: string } } | null }>, job: { __typename: 'PrintJob', id: string, printName: string, status: PrintJobStatus } | null }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor: string | null } } };

export type PrintPageQueryVariables = Exact<{
  id: string;
}>;


export type PrintPageQuery = { observedPrint: { __typename: 'ObservedPrint', externalId: string | null, filePath: string | null, id: string, name: string, startedAt: string | null, startedAtEstimated: boolean, endedAt: string | null, endedAtEstimated: boolean, outcome: PrintOutcome, reason: string | null, waitsFor: PrintWait | null, ignoredAt: string | null, createdAt: string, sightings: { __typename: 'PrintSightingConnection', nodes: Array<{ __typename: 'PrintSighting', at: string, kind: SightingKind, text: string }> }, printer: { __typename: 'Printer', id: string, name: string }, filament: Array<{ __typename: 'ObservedFilament', slot: string, mm: string | null, grams: string | null, basis: FilamentBasis, spool: { __typename: 'Spool', id: string, spoolSerial: string, material: { __typename: 'Material', id: string, name: string } } | null }>, job: { __typename: 'PrintJob', id: string, printName: string, status: PrintJobStatus } | null } | null };

export type WaitingPrintsQueryVariables = Exact<{ [key: string]: never; }>;


export type WaitingPrintsQuery = { forSpool: { __typename: 'ObservedPrintConnection', totalCount: number, nodes: Array<{ __typename: 'ObservedPrint', id: string, name: string, startedAt: string | null, startedAtEstimated: boolean, endedAt: string | null, endedAtEstimated: boolean, outcome: PrintOutcome, reason: string | null, waitsFor: PrintWait | null, ignoredAt: string | null, createdAt: string, printer: { __typename: 'Printer', id: string, name: string }, filament: Array<{ __typename: 'ObservedFilament', slot: string, mm: string | null, grams: string | null, basis: FilamentBasis, spool: { __typename: 'Spool', id: string, spoolSerial: string, material: { __typename: 'Material', id: string, name: string } } | null }>, job: { __typename: 'PrintJob', id: string, printName: string, status: PrintJobStatus } | null }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor: string | null } }, forOutcome: { __typename: 'ObservedPrintConnection', totalCount: number, nodes: Array<{ __typename: 'ObservedPrint', id: string, name: string, startedAt: string | null, startedAtEstimated: boolean, endedAt: string | null, endedAtEstimated: boolean, outcome: PrintOutcome, reason: string | null, waitsFor: PrintWait | null, ignoredAt: string | null, createdAt: string, printer: { __typename: 'Printer', id: string, name: string }, filament: Array<{ __typename: 'ObservedFilament', slot: string, mm: string | null, grams: string | null, basis: FilamentBasis, spool: { __typename: 'Spool', id: string, spoolSerial: string, material: { __typename: 'Material', id: string, name: string } } | null }>, job: { __typename: 'PrintJob', id: string, printName: string, status: PrintJobStatus } | null }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor: string | null } } };

export type AssignSpoolsMutationVariables = Exact<{
  printId: string;
  spools: Array<SlotSpoolInput>;
}>;


export type AssignSpoolsMutation = { assignSpools: { __typename: 'ObservedPrint', id: string, name: string, startedAt: string | null, startedAtEstimated: boolean, endedAt: string | null, endedAtEstimated: boolean, outcome: PrintOutcome, reason: string | null, waitsFor: PrintWait | null, ignoredAt: string | null, createdAt: string, printer: { __typename: 'Printer', id: string, name: string }, filament: Array<{ __typename: 'ObservedFilament', slot: string, mm: string | null, grams: string | null, basis: FilamentBasis, spool: { __typename: 'Spool', id: string, spoolSerial: string, material: { __typename: 'Material', id: string, name: string } } | null }>, job: { __typename: 'PrintJob', id: string, printName: string, status: PrintJobStatus } | null } };

export type ResolvePrintMutationVariables = Exact<{
  printId: string;
  outcome: PrintOutcome;
  endedAt?: string | null | undefined;
}>;


export type ResolvePrintMutation = { resolvePrint: { __typename: 'ObservedPrint', id: string, name: string, startedAt: string | null, startedAtEstimated: boolean, endedAt: string | null, endedAtEstimated: boolean, outcome: PrintOutcome, reason: string | null, waitsFor: PrintWait | null, ignoredAt: string | null, createdAt: string, printer: { __typename: 'Printer', id: string, name: string }, filament: Array<{ __typename: 'ObservedFilament', slot: string, mm: string | null, grams: string | null, basis: FilamentBasis, spool: { __typename: 'Spool', id: string, spoolSerial: string, material: { __typename: 'Material', id: string, name: string } } | null }>, job: { __typename: 'PrintJob', id: string, printName: string, status: PrintJobStatus } | null } };

export type IgnorePrintMutationVariables = Exact<{
  printId: string;
  ignored: boolean;
}>;


export type IgnorePrintMutation = { ignorePrint: { __typename: 'ObservedPrint', id: string, name: string, startedAt: string | null, startedAtEstimated: boolean, endedAt: string | null, endedAtEstimated: boolean, outcome: PrintOutcome, reason: string | null, waitsFor: PrintWait | null, ignoredAt: string | null, createdAt: string, printer: { __typename: 'Printer', id: string, name: string }, filament: Array<{ __typename: 'ObservedFilament', slot: string, mm: string | null, grams: string | null, basis: FilamentBasis, spool: { __typename: 'Spool', id: string, spoolSerial: string, material: { __typename: 'Material', id: string, name: string } } | null }>, job: { __typename: 'PrintJob', id: string, printName: string, status: PrintJobStatus } | null } };

export type SessionQueryVariables = Exact<{ [key: string]: never; }>;


export type SessionQuery = { currency: string | null, latestChangeCursor: string, viewer: { __typename: 'Viewer', mayWrite: boolean, mayConfigureDevices: boolean } };

export type StartQueryVariables = Exact<{ [key: string]: never; }>;


export type StartQuery = { farm: { __typename: 'FarmSummary', printers: number, materials: number, spools: number, cameras: number }, materials: Array<{ __typename: 'Material', id: string }>, cameras: { __typename: 'CameraConnection', nodes: Array<{ __typename: 'Camera', id: string, friendlyName: string, macAddress: string | null, createdAt: string, expectedIntervalSec: number | null, liveness: CameraLiveness, lastStatus: { __typename: 'CameraStatus', id: string, recordedAt: string, online: boolean, batteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null, mode: string | null, resolution: string | null, fps: number | null } | null }> } };

export type UsageQueryVariables = Exact<{
  from?: string | null | undefined;
  to?: string | null | undefined;
  timeZone: string;
  step: UsageGroup;
  group: UsageGroup;
}>;


export type UsageQuery = { total: Array<{ __typename: 'FilamentUsage', completedJobs: number, completedGrams: string, completedCost: string, wastedJobs: number, wastedGrams: string, wastedCost: string }>, overTime: Array<{ __typename: 'FilamentUsage', from: string | null, completedJobs: number, completedGrams: string, completedCost: string, wastedJobs: number, wastedGrams: string, wastedCost: string }>, byGroup: Array<{ __typename: 'FilamentUsage', completedJobs: number, completedGrams: string, completedCost: string, wastedJobs: number, wastedGrams: string, wastedCost: string, printer: { __typename: 'Printer', id: string, name: string } | null, spool: { __typename: 'Spool', id: string, spoolSerial: string } | null, material: { __typename: 'Material', id: string, name: string } | null }> };

export type UsageSumsFragment = { __typename: 'FilamentUsage', completedJobs: number, completedGrams: string, completedCost: string, wastedJobs: number, wastedGrams: string, wastedCost: string };


export type TypedDocument<Result, Variables> = TypedDocumentNode<Result, Variables> & {
  readonly loc: { readonly source: { readonly body: string } };
};
type Definition = [text: string, node: unknown];
function documentOf<Result, Variables>(...definitions: Definition[]): TypedDocument<Result, Variables> {
  const body = definitions.map(([text]) => text).join('\n\n');
  const source = { body, name: 'GraphQL request', locationOffset: { line: 1, column: 1 } };
  const loc = { start: 0, end: body.length, source };
  const document: unknown = { kind: 'Document', definitions: definitions.map(([, node]) => node), loc };
  return document as TypedDocument<Result, Variables>;
}
const CameraDetails: Definition = ["fragment CameraDetails on Camera {\n  ...CameraNow\n  printer {\n    id\n    name\n    __typename\n  }\n  __typename\n}",{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CameraDetails"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Camera"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CameraNow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"printer"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}];
const CameraRow: Definition = ["fragment CameraRow on Camera {\n  id\n  friendlyName\n  liveness\n  lastStatus {\n    id\n    recordedAt\n    batteryPct\n    videoRemainingSec\n    recordingState\n    __typename\n  }\n  __typename\n}",{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CameraRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Camera"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"friendlyName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"liveness"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastStatus"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"recordedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"batteryPct"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"videoRemainingSec"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"recordingState"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}];
const AlertRow: Definition = ["fragment AlertRow on Alert {\n  kind\n  severity\n  message\n  since\n  camera {\n    id\n    __typename\n  }\n  printJob {\n    id\n    __typename\n  }\n  spool {\n    id\n    spoolSerial\n    __typename\n  }\n  printer {\n    id\n    __typename\n  }\n  print {\n    id\n    __typename\n  }\n  __typename\n}",{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AlertRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Alert"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"severity"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"since"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"camera"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"printJob"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"spool"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"spoolSerial"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"printer"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"print"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}];
const JobDetails: Definition = ["fragment JobDetails on PrintJob {\n  ...JobRow\n  mmExtruded\n  filamentDiameterAtPrintMm\n  materialDensityAtPrint\n  dataSource\n  gcodeFilePath\n  notes\n  spool {\n    ...SpoolRow\n    __typename\n  }\n  filamentBasis\n  observedPrint {\n    id\n    __typename\n  }\n  statusHistory {\n    from\n    to\n    at\n    __typename\n  }\n  derivation {\n    ...Derivation\n    __typename\n  }\n  __typename\n}",{"kind":"FragmentDefinition","name":{"kind":"Name","value":"JobDetails"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PrintJob"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"JobRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mmExtruded"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"filamentDiameterAtPrintMm"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"materialDensityAtPrint"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"dataSource"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"gcodeFilePath"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"notes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"spool"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SpoolRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"filamentBasis"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"observedPrint"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"statusHistory"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"from"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"to"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"at"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"derivation"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Derivation"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}];
const Derivation: Definition = ["fragment Derivation on GramDerivation {\n  areaMm2\n  grams\n  pricePerGram\n  cost\n  __typename\n}",{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Derivation"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GramDerivation"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"areaMm2"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"grams"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"pricePerGram"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"cost"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}];
const CameraNow: Definition = ["fragment CameraNow on Camera {\n  id\n  friendlyName\n  macAddress\n  createdAt\n  expectedIntervalSec\n  liveness\n  lastStatus {\n    ...StatusRow\n    __typename\n  }\n  __typename\n}",{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CameraNow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Camera"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"friendlyName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"macAddress"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expectedIntervalSec"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"liveness"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastStatus"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"StatusRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}];
const StatusRow: Definition = ["fragment StatusRow on CameraStatus {\n  id\n  recordedAt\n  online\n  batteryPct\n  videoRemainingSec\n  recordingState\n  mode\n  resolution\n  fps\n  __typename\n}",{"kind":"FragmentDefinition","name":{"kind":"Name","value":"StatusRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CameraStatus"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"recordedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"online"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"batteryPct"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"videoRemainingSec"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"recordingState"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mode"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resolution"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"fps"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}];
const JobRow: Definition = ["fragment JobRow on PrintJob {\n  id\n  printName\n  status\n  allowedTransitions\n  gramsDerived\n  costPerPrint\n  startedAt\n  completedAt\n  createdAt\n  updatedAt\n  printer {\n    id\n    name\n    __typename\n  }\n  spool {\n    id\n    spoolSerial\n    colorHex\n    remainingGrams\n    plannedGrams\n    material {\n      id\n      name\n      __typename\n    }\n    __typename\n  }\n  __typename\n}",{"kind":"FragmentDefinition","name":{"kind":"Name","value":"JobRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PrintJob"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"printName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"status"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"allowedTransitions"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"gramsDerived"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"costPerPrint"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"startedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"completedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"printer"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"spool"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"spoolSerial"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"colorHex"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"remainingGrams"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"plannedGrams"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"material"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}];
const PrinterRow: Definition = ["fragment PrinterRow on Printer {\n  id\n  name\n  archivedAt\n  __typename\n}",{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PrinterRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Printer"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"archivedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}];
const PrintRow: Definition = ["fragment PrintRow on ObservedPrint {\n  id\n  name\n  startedAt\n  startedAtEstimated\n  endedAt\n  endedAtEstimated\n  outcome\n  reason\n  waitsFor\n  ignoredAt\n  createdAt\n  printer {\n    id\n    name\n    __typename\n  }\n  filament {\n    slot\n    mm\n    grams\n    basis\n    spool {\n      id\n      spoolSerial\n      material {\n        id\n        name\n        __typename\n      }\n      __typename\n    }\n    __typename\n  }\n  job {\n    id\n    printName\n    status\n    __typename\n  }\n  __typename\n}",{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PrintRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ObservedPrint"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"startedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"startedAtEstimated"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endedAtEstimated"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"outcome"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"reason"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"waitsFor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ignoredAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"printer"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"filament"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"slot"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mm"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"grams"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"basis"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"spool"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"spoolSerial"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"material"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"job"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"printName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"status"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}];
const SpoolRow: Definition = ["fragment SpoolRow on Spool {\n  id\n  spoolSerial\n  filamentDiameterMm\n  weightTotalGrams\n  purchasePrice\n  colorHex\n  vendor\n  archivedAt\n  material {\n    ...MaterialRow\n    __typename\n  }\n  __typename\n}",{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SpoolRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Spool"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"spoolSerial"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"filamentDiameterMm"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"weightTotalGrams"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"purchasePrice"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"colorHex"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"vendor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"archivedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"material"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MaterialRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}];
const MaterialRow: Definition = ["fragment MaterialRow on Material {\n  id\n  name\n  densityGPerCm3\n  archivedAt\n  __typename\n}",{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MaterialRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Material"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"densityGPerCm3"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"archivedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}];
const NextPage: Definition = ["fragment NextPage on PageInfo {\n  hasNextPage\n  endCursor\n  __typename\n}",{"kind":"FragmentDefinition","name":{"kind":"Name","value":"NextPage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PageInfo"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}];
const PrinterNow: Definition = ["fragment PrinterNow on Printer {\n  id\n  state {\n    activity\n    progress\n    progressBasis\n    remainingSec\n    layer\n    layers\n    printName\n    message\n    heardAt\n    stale\n    print {\n      id\n      startedAt\n      startedAtEstimated\n      __typename\n    }\n    __typename\n  }\n  __typename\n}",{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PrinterNow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Printer"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"state"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"activity"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"progress"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"progressBasis"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"remainingSec"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"layer"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"layers"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"printName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"heardAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"stale"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"print"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"startedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"startedAtEstimated"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}];
const PrinterDevice: Definition = ["fragment PrinterDevice on Printer {\n  id\n  device {\n    ...DeviceDetails\n    __typename\n  }\n  __typename\n}",{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PrinterDevice"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Printer"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"device"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeviceDetails"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}];
const DeviceDetails: Definition = ["fragment DeviceDetails on Device {\n  id\n  kind\n  address\n  serial\n  hasSecret\n  certificateFingerprint\n  enabled\n  connection {\n    state\n    since\n    lastMessageAt\n    message\n    __typename\n  }\n  __typename\n}",{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeviceDetails"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Device"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"address"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"serial"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"hasSecret"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"certificateFingerprint"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"enabled"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"connection"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"since"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastMessageAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}];
const PrinterSlots: Definition = ["fragment PrinterSlots on Printer {\n  id\n  slots {\n    slot\n    loadedAt\n    reported\n    spool {\n      id\n      spoolSerial\n      colorHex\n      remainingGrams\n      material {\n        id\n        name\n        __typename\n      }\n      __typename\n    }\n    __typename\n  }\n  __typename\n}",{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PrinterSlots"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Printer"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"slots"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"slot"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"loadedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"reported"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"spool"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"spoolSerial"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"colorHex"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"remainingGrams"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"material"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}];
const UsageSums: Definition = ["fragment UsageSums on FilamentUsage {\n  completedJobs\n  completedGrams\n  completedCost\n  wastedJobs\n  wastedGrams\n  wastedCost\n  __typename\n}",{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UsageSums"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"FilamentUsage"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"completedJobs"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"completedGrams"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"completedCost"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"wastedJobs"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"wastedGrams"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"wastedCost"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}];
export const CameraPageDocument = /* #__PURE__ */ documentOf<CameraPageQuery, CameraPageQueryVariables>(["query CameraPage($id: ID!) {\n  camera(id: $id) {\n    ...CameraDetails\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CameraPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"camera"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CameraDetails"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], CameraDetails, CameraNow, StatusRow);
export const CameraHistoryDocument = /* #__PURE__ */ documentOf<CameraHistoryQuery, CameraHistoryQueryVariables>(["query CameraHistory($id: ID!, $from: DateTime!, $to: DateTime, $points: Int!) {\n  camera(id: $id) {\n    id\n    series(from: $from, to: $to, points: $points) {\n      from\n      batteryPct\n      videoRemainingSec\n      recordingState\n      __typename\n    }\n    availability(from: $from, to: $to) {\n      fraction\n      gaps {\n        from\n        to\n        __typename\n      }\n      __typename\n    }\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CameraHistory"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"to"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"points"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"camera"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"series"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}},{"kind":"Argument","name":{"kind":"Name","value":"points"},"value":{"kind":"Variable","name":{"kind":"Name","value":"points"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"from"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"batteryPct"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"videoRemainingSec"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"recordingState"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"availability"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fraction"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"gaps"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"from"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"to"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}]);
export const CameraRecordsDocument = /* #__PURE__ */ documentOf<CameraRecordsQuery, CameraRecordsQueryVariables>(["query CameraRecords($id: ID!, $from: DateTime!, $to: DateTime, $first: Int!) {\n  camera(id: $id) {\n    id\n    history(from: $from, to: $to, first: $first) {\n      ...StatusRow\n      __typename\n    }\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CameraRecords"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"to"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"camera"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"history"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"StatusRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], StatusRow);
export const CameraLossDocument = /* #__PURE__ */ documentOf<CameraLossQuery, CameraLossQueryVariables>(["query CameraLoss($id: ID!, $from: DateTime!, $to: DateTime!) {\n  camera(id: $id) {\n    id\n    series(from: $from, to: $to, points: 2) {\n      records\n      __typename\n    }\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CameraLoss"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"to"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"camera"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"series"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}},{"kind":"Argument","name":{"kind":"Name","value":"points"},"value":{"kind":"IntValue","value":"2"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"records"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}]);
export const RegisterCameraDocument = /* #__PURE__ */ documentOf<RegisterCameraMutation, RegisterCameraMutationVariables>(["mutation RegisterCamera($input: RegisterCameraInput!) {\n  registerCamera(input: $input) {\n    ...CameraDetails\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RegisterCamera"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RegisterCameraInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"registerCamera"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CameraDetails"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], CameraDetails, CameraNow, StatusRow);
export const UpdateCameraDocument = /* #__PURE__ */ documentOf<UpdateCameraMutation, UpdateCameraMutationVariables>(["mutation UpdateCamera($id: ID!, $input: UpdateCameraInput!) {\n  updateCamera(id: $id, input: $input) {\n    ...CameraDetails\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateCamera"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateCameraInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateCamera"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CameraDetails"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], CameraDetails, CameraNow, StatusRow);
export const RemoveCameraDocument = /* #__PURE__ */ documentOf<RemoveCameraMutation, RemoveCameraMutationVariables>(["mutation RemoveCamera($id: ID!) {\n  removeCamera(id: $id)\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RemoveCamera"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"removeCamera"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[]}]}}]);
export const FarmChangesDocument = /* #__PURE__ */ documentOf<FarmChangesSubscription, FarmChangesSubscriptionVariables>(["subscription FarmChanges($after: String) {\n  changes(after: $after) {\n    __typename\n    cursor\n    ... on CameraStatusRecorded {\n      reporting: camera {\n        ...CameraNow\n        __typename\n      }\n      __typename\n    }\n    ... on CameraChanged {\n      kind\n      cameraId\n      camera {\n        ...CameraNow\n        __typename\n      }\n      __typename\n    }\n    ... on PrintJobChanged {\n      kind\n      jobId\n      job {\n        ...JobRow\n        __typename\n      }\n      __typename\n    }\n    ... on PrinterChanged {\n      kind\n      printerId\n      printer {\n        ...PrinterRow\n        __typename\n      }\n      __typename\n    }\n    ... on SpoolChanged {\n      kind\n      spoolId\n      spool {\n        ...SpoolRow\n        __typename\n      }\n      __typename\n    }\n    ... on MaterialChanged {\n      kind\n      materialId\n      material {\n        ...MaterialRow\n        __typename\n      }\n      __typename\n    }\n    ... on ObservedPrintChanged {\n      kind\n      printId\n      print {\n        ...PrintRow\n        __typename\n      }\n      __typename\n    }\n    ... on DeviceChanged {\n      kind\n      deviceId\n      device {\n        ...DeviceDetails\n        __typename\n      }\n      __typename\n    }\n  }\n}",{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"FarmChanges"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"changes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"cursor"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CameraStatusRecorded"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"reporting"},"name":{"kind":"Name","value":"camera"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CameraNow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CameraChanged"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"cameraId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"camera"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CameraNow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PrintJobChanged"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jobId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"job"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"JobRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PrinterChanged"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"printerId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"printer"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrinterRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpoolChanged"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"spoolId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"spool"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SpoolRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MaterialChanged"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"materialId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"material"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MaterialRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ObservedPrintChanged"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"printId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"print"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrintRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DeviceChanged"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"deviceId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"device"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeviceDetails"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}]}}], CameraNow, StatusRow, JobRow, PrinterRow, SpoolRow, MaterialRow, PrintRow, DeviceDetails);
export const FarmDocument = /* #__PURE__ */ documentOf<FarmQuery, FarmQueryVariables>(["query Farm {\n  cameras {\n    nodes {\n      ...CameraRow\n      __typename\n    }\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Farm"},"variableDefinitions":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cameras"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CameraRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], CameraRow);
export const FarmPrintersDocument = /* #__PURE__ */ documentOf<FarmPrintersQuery, FarmPrintersQueryVariables>(["query FarmPrinters($after: String) {\n  printers(first: 1000, archived: false, after: $after) {\n    nodes {\n      ...PrinterRow\n      cameras {\n        id\n        friendlyName\n        __typename\n      }\n      jobs(first: 1, filter: {status: [PRINTING]}) {\n        nodes {\n          ...JobRow\n          __typename\n        }\n        __typename\n      }\n      __typename\n    }\n    pageInfo {\n      ...NextPage\n      __typename\n    }\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FarmPrinters"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"printers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1000"}},{"kind":"Argument","name":{"kind":"Name","value":"archived"},"value":{"kind":"BooleanValue","value":false}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrinterRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"cameras"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"friendlyName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"jobs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"PRINTING"}]}}]}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"JobRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"NextPage"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], PrinterRow, JobRow, NextPage);
export const AlertsDocument = /* #__PURE__ */ documentOf<AlertsQuery, AlertsQueryVariables>(["query Alerts {\n  alerts(first: 101) {\n    ...AlertRow\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Alerts"},"variableDefinitions":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"alerts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"101"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AlertRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], AlertRow);
export const LivenessDocument = /* #__PURE__ */ documentOf<LivenessQuery, LivenessQueryVariables>(["query Liveness {\n  cameras {\n    nodes {\n      id\n      liveness\n      __typename\n    }\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Liveness"},"variableDefinitions":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cameras"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"liveness"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}]);
export const SpoolsDocument = /* #__PURE__ */ documentOf<SpoolsQuery, SpoolsQueryVariables>(["query Spools($archived: Boolean, $after: String) {\n  spools(first: 1000, archived: $archived, after: $after) {\n    nodes {\n      ...SpoolRow\n      usedGrams\n      plannedGrams\n      remainingGrams\n      __typename\n    }\n    pageInfo {\n      ...NextPage\n      __typename\n    }\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Spools"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"archived"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"spools"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1000"}},{"kind":"Argument","name":{"kind":"Name","value":"archived"},"value":{"kind":"Variable","name":{"kind":"Name","value":"archived"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SpoolRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"usedGrams"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"plannedGrams"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"remainingGrams"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"NextPage"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], SpoolRow, MaterialRow, NextPage);
export const MaterialsDocument = /* #__PURE__ */ documentOf<MaterialsQuery, MaterialsQueryVariables>(["query Materials($archived: Boolean) {\n  materials(archived: $archived) {\n    ...MaterialRow\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Materials"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"archived"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"materials"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"archived"},"value":{"kind":"Variable","name":{"kind":"Name","value":"archived"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MaterialRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], MaterialRow);
export const PrintersDocument = /* #__PURE__ */ documentOf<PrintersQuery, PrintersQueryVariables>(["query Printers($archived: Boolean, $after: String) {\n  printers(first: 1000, archived: $archived, after: $after) {\n    nodes {\n      ...PrinterRow\n      createdAt\n      __typename\n    }\n    pageInfo {\n      ...NextPage\n      __typename\n    }\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Printers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"archived"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"printers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1000"}},{"kind":"Argument","name":{"kind":"Name","value":"archived"},"value":{"kind":"Variable","name":{"kind":"Name","value":"archived"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrinterRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"NextPage"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], PrinterRow, NextPage);
export const PrinterChoicesDocument = /* #__PURE__ */ documentOf<PrinterChoicesQuery, PrinterChoicesQueryVariables>(["query PrinterChoices($after: String) {\n  printers(first: 1000, after: $after) {\n    nodes {\n      ...PrinterRow\n      __typename\n    }\n    pageInfo {\n      ...NextPage\n      __typename\n    }\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PrinterChoices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"printers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1000"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrinterRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"NextPage"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], PrinterRow, NextPage);
export const SpoolChoicesDocument = /* #__PURE__ */ documentOf<SpoolChoicesQuery, SpoolChoicesQueryVariables>(["query SpoolChoices($after: String) {\n  spools(first: 1000, after: $after) {\n    nodes {\n      ...SpoolRow\n      __typename\n    }\n    pageInfo {\n      ...NextPage\n      __typename\n    }\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SpoolChoices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"spools"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1000"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SpoolRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"NextPage"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], SpoolRow, MaterialRow, NextPage);
export const CreateSpoolDocument = /* #__PURE__ */ documentOf<CreateSpoolMutation, CreateSpoolMutationVariables>(["mutation CreateSpool($input: CreateSpoolInput!) {\n  createSpool(input: $input) {\n    ...SpoolRow\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateSpool"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateSpoolInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createSpool"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SpoolRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], SpoolRow, MaterialRow);
export const UpdateSpoolDocument = /* #__PURE__ */ documentOf<UpdateSpoolMutation, UpdateSpoolMutationVariables>(["mutation UpdateSpool($id: ID!, $input: UpdateSpoolInput!) {\n  updateSpool(id: $id, input: $input) {\n    ...SpoolRow\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateSpool"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateSpoolInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateSpool"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SpoolRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], SpoolRow, MaterialRow);
export const ArchiveSpoolDocument = /* #__PURE__ */ documentOf<ArchiveSpoolMutation, ArchiveSpoolMutationVariables>(["mutation ArchiveSpool($id: ID!, $archived: Boolean!) {\n  archiveSpool(id: $id, archived: $archived) {\n    ...SpoolRow\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ArchiveSpool"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"archived"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"archiveSpool"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"archived"},"value":{"kind":"Variable","name":{"kind":"Name","value":"archived"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SpoolRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], SpoolRow, MaterialRow);
export const RemoveSpoolDocument = /* #__PURE__ */ documentOf<RemoveSpoolMutation, RemoveSpoolMutationVariables>(["mutation RemoveSpool($id: ID!) {\n  removeSpool(id: $id)\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RemoveSpool"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"removeSpool"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[]}]}}]);
export const CreateMaterialDocument = /* #__PURE__ */ documentOf<CreateMaterialMutation, CreateMaterialMutationVariables>(["mutation CreateMaterial($input: CreateMaterialInput!) {\n  createMaterial(input: $input) {\n    ...MaterialRow\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateMaterial"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateMaterialInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createMaterial"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MaterialRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], MaterialRow);
export const UpdateMaterialDocument = /* #__PURE__ */ documentOf<UpdateMaterialMutation, UpdateMaterialMutationVariables>(["mutation UpdateMaterial($id: ID!, $input: UpdateMaterialInput!) {\n  updateMaterial(id: $id, input: $input) {\n    ...MaterialRow\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateMaterial"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateMaterialInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateMaterial"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MaterialRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], MaterialRow);
export const ArchiveMaterialDocument = /* #__PURE__ */ documentOf<ArchiveMaterialMutation, ArchiveMaterialMutationVariables>(["mutation ArchiveMaterial($id: ID!, $archived: Boolean!) {\n  archiveMaterial(id: $id, archived: $archived) {\n    ...MaterialRow\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ArchiveMaterial"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"archived"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"archiveMaterial"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"archived"},"value":{"kind":"Variable","name":{"kind":"Name","value":"archived"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MaterialRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], MaterialRow);
export const RemoveMaterialDocument = /* #__PURE__ */ documentOf<RemoveMaterialMutation, RemoveMaterialMutationVariables>(["mutation RemoveMaterial($id: ID!) {\n  removeMaterial(id: $id)\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RemoveMaterial"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"removeMaterial"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[]}]}}]);
export const CreatePrinterDocument = /* #__PURE__ */ documentOf<CreatePrinterMutation, CreatePrinterMutationVariables>(["mutation CreatePrinter($input: CreatePrinterInput!) {\n  createPrinter(input: $input) {\n    ...PrinterRow\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreatePrinter"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreatePrinterInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createPrinter"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrinterRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], PrinterRow);
export const UpdatePrinterDocument = /* #__PURE__ */ documentOf<UpdatePrinterMutation, UpdatePrinterMutationVariables>(["mutation UpdatePrinter($id: ID!, $input: UpdatePrinterInput!) {\n  updatePrinter(id: $id, input: $input) {\n    ...PrinterRow\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdatePrinter"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdatePrinterInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updatePrinter"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrinterRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], PrinterRow);
export const ArchivePrinterDocument = /* #__PURE__ */ documentOf<ArchivePrinterMutation, ArchivePrinterMutationVariables>(["mutation ArchivePrinter($id: ID!, $archived: Boolean!) {\n  archivePrinter(id: $id, archived: $archived) {\n    ...PrinterRow\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ArchivePrinter"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"archived"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"archivePrinter"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"archived"},"value":{"kind":"Variable","name":{"kind":"Name","value":"archived"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrinterRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], PrinterRow);
export const RemovePrinterDocument = /* #__PURE__ */ documentOf<RemovePrinterMutation, RemovePrinterMutationVariables>(["mutation RemovePrinter($id: ID!) {\n  removePrinter(id: $id)\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RemovePrinter"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"removePrinter"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[]}]}}]);
export const JobsDocument = /* #__PURE__ */ documentOf<JobsQuery, JobsQueryVariables>(["query Jobs($filter: PrintJobFilter!, $orderBy: PrintJobOrder!, $after: String) {\n  printJobs(first: 50, filter: $filter, orderBy: $orderBy, after: $after) {\n    totalCount\n    nodes {\n      ...JobRow\n      __typename\n    }\n    pageInfo {\n      ...NextPage\n      __typename\n    }\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Jobs"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PrintJobFilter"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PrintJobOrder"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"printJobs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"JobRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"NextPage"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], JobRow, NextPage);
export const JobDocument = /* #__PURE__ */ documentOf<JobQuery, JobQueryVariables>(["query Job($id: ID!) {\n  printJob(id: $id) {\n    ...JobDetails\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Job"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"printJob"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"JobDetails"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], JobDetails, JobRow, SpoolRow, MaterialRow, Derivation);
export const DerivedFilamentDocument = /* #__PURE__ */ documentOf<DerivedFilamentQuery, DerivedFilamentQueryVariables>(["query DerivedFilament($mmExtruded: Decimal!, $filamentDiameterMm: Decimal!, $densityGPerCm3: Decimal!, $spoolId: ID) {\n  deriveFilament(\n    mmExtruded: $mmExtruded\n    filamentDiameterMm: $filamentDiameterMm\n    densityGPerCm3: $densityGPerCm3\n    spoolId: $spoolId\n  ) {\n    ...Derivation\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DerivedFilament"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"mmExtruded"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Decimal"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filamentDiameterMm"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Decimal"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"densityGPerCm3"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Decimal"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"spoolId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deriveFilament"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"mmExtruded"},"value":{"kind":"Variable","name":{"kind":"Name","value":"mmExtruded"}}},{"kind":"Argument","name":{"kind":"Name","value":"filamentDiameterMm"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filamentDiameterMm"}}},{"kind":"Argument","name":{"kind":"Name","value":"densityGPerCm3"},"value":{"kind":"Variable","name":{"kind":"Name","value":"densityGPerCm3"}}},{"kind":"Argument","name":{"kind":"Name","value":"spoolId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"spoolId"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Derivation"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], Derivation);
export const CreateJobDocument = /* #__PURE__ */ documentOf<CreateJobMutation, CreateJobMutationVariables>(["mutation CreateJob($input: CreatePrintJobInput!) {\n  createPrintJob(input: $input) {\n    ...JobDetails\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateJob"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreatePrintJobInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createPrintJob"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"JobDetails"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], JobDetails, JobRow, SpoolRow, MaterialRow, Derivation);
export const UpdateJobDocument = /* #__PURE__ */ documentOf<UpdateJobMutation, UpdateJobMutationVariables>(["mutation UpdateJob($id: ID!, $input: UpdatePrintJobInput!) {\n  updatePrintJob(id: $id, input: $input) {\n    ...JobDetails\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateJob"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdatePrintJobInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updatePrintJob"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"JobDetails"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], JobDetails, JobRow, SpoolRow, MaterialRow, Derivation);
export const ChangeJobStatusDocument = /* #__PURE__ */ documentOf<ChangeJobStatusMutation, ChangeJobStatusMutationVariables>(["mutation ChangeJobStatus($id: ID!, $status: PrintJobStatus!) {\n  changePrintJobStatus(id: $id, status: $status) {\n    ...JobRow\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ChangeJobStatus"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"status"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PrintJobStatus"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"changePrintJobStatus"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"status"},"value":{"kind":"Variable","name":{"kind":"Name","value":"status"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"JobRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], JobRow);
export const PrinterPageDocument = /* #__PURE__ */ documentOf<PrinterPageQuery, PrinterPageQueryVariables>(["query PrinterPage($id: ID!) {\n  printer(id: $id) {\n    ...PrinterRow\n    ...PrinterNow\n    ...PrinterDevice\n    ...PrinterSlots\n    cameras {\n      id\n      friendlyName\n      __typename\n    }\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PrinterPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"printer"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrinterRow"},"directives":[]},{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrinterNow"},"directives":[]},{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrinterDevice"},"directives":[]},{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrinterSlots"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"cameras"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"friendlyName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], PrinterRow, PrinterNow, PrinterDevice, DeviceDetails, PrinterSlots);
export const FarmStatesDocument = /* #__PURE__ */ documentOf<FarmStatesQuery, FarmStatesQueryVariables>(["query FarmStates($after: String) {\n  printers(first: 1000, archived: false, after: $after) {\n    nodes {\n      ...PrinterNow\n      __typename\n    }\n    pageInfo {\n      ...NextPage\n      __typename\n    }\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FarmStates"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"printers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1000"}},{"kind":"Argument","name":{"kind":"Name","value":"archived"},"value":{"kind":"BooleanValue","value":false}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrinterNow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"NextPage"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], PrinterNow, NextPage);
export const PrinterStatesDocument = /* #__PURE__ */ documentOf<PrinterStatesSubscription, PrinterStatesSubscriptionVariables>(["subscription PrinterStates($printerIds: [ID!]) {\n  printerStateChanged(printerIds: $printerIds) {\n    ...PrinterNow\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"PrinterStates"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"printerIds"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"printerStateChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"printerIds"},"value":{"kind":"Variable","name":{"kind":"Name","value":"printerIds"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrinterNow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], PrinterNow);
export const AddDeviceDocument = /* #__PURE__ */ documentOf<AddDeviceMutation, AddDeviceMutationVariables>(["mutation AddDevice($input: AddDeviceInput!) {\n  addDevice(input: $input) {\n    ...DeviceDetails\n    printer {\n      id\n      device {\n        id\n        __typename\n      }\n      __typename\n    }\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AddDevice"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AddDeviceInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"addDevice"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeviceDetails"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"printer"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"device"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], DeviceDetails);
export const UpdateDeviceDocument = /* #__PURE__ */ documentOf<UpdateDeviceMutation, UpdateDeviceMutationVariables>(["mutation UpdateDevice($id: ID!, $input: UpdateDeviceInput!) {\n  updateDevice(id: $id, input: $input) {\n    ...DeviceDetails\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateDevice"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateDeviceInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateDevice"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeviceDetails"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], DeviceDetails);
export const RemoveDeviceDocument = /* #__PURE__ */ documentOf<RemoveDeviceMutation, RemoveDeviceMutationVariables>(["mutation RemoveDevice($id: ID!) {\n  removeDevice(id: $id)\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RemoveDevice"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"removeDevice"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[]}]}}]);
export const TestDeviceDocument = /* #__PURE__ */ documentOf<TestDeviceMutation, TestDeviceMutationVariables>(["mutation TestDevice($input: AddDeviceInput!) {\n  testDevice(input: $input) {\n    fault\n    message\n    model\n    serial\n    firmware\n    certificateFingerprint\n    activity\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"TestDevice"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AddDeviceInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"testDevice"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fault"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"model"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"serial"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"firmware"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"certificateFingerprint"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"activity"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}]);
export const LoadSpoolDocument = /* #__PURE__ */ documentOf<LoadSpoolMutation, LoadSpoolMutationVariables>(["mutation LoadSpool($printerId: ID!, $slot: String!, $spoolId: ID) {\n  loadSpool(printerId: $printerId, slot: $slot, spoolId: $spoolId) {\n    ...PrinterSlots\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"LoadSpool"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"printerId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"slot"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"spoolId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"loadSpool"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"printerId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"printerId"}}},{"kind":"Argument","name":{"kind":"Name","value":"slot"},"value":{"kind":"Variable","name":{"kind":"Name","value":"slot"}}},{"kind":"Argument","name":{"kind":"Name","value":"spoolId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"spoolId"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrinterSlots"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], PrinterSlots);
export const PrinterPrintsDocument = /* #__PURE__ */ documentOf<PrinterPrintsQuery, PrinterPrintsQueryVariables>(["query PrinterPrints($filter: ObservedPrintFilter!, $after: String) {\n  observedPrints(first: 20, filter: $filter, after: $after) {\n    nodes {\n      ...PrintRow\n      __typename\n    }\n    pageInfo {\n      ...NextPage\n      __typename\n    }\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PrinterPrints"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ObservedPrintFilter"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"observedPrints"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrintRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"NextPage"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], PrintRow, NextPage);
export const PrintPageDocument = /* #__PURE__ */ documentOf<PrintPageQuery, PrintPageQueryVariables>(["query PrintPage($id: ID!) {\n  observedPrint(id: $id) {\n    ...PrintRow\n    externalId\n    filePath\n    sightings(first: 1000) {\n      nodes {\n        at\n        kind\n        text\n        __typename\n      }\n      __typename\n    }\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PrintPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"observedPrint"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrintRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"externalId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"filePath"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"sightings"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1000"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"at"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"text"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], PrintRow);
export const WaitingPrintsDocument = /* #__PURE__ */ documentOf<WaitingPrintsQuery, WaitingPrintsQueryVariables>(["query WaitingPrints {\n  forSpool: observedPrints(first: 100, filter: {waitsFor: SPOOL}) {\n    totalCount\n    nodes {\n      ...PrintRow\n      __typename\n    }\n    pageInfo {\n      ...NextPage\n      __typename\n    }\n    __typename\n  }\n  forOutcome: observedPrints(first: 100, filter: {waitsFor: OUTCOME}) {\n    totalCount\n    nodes {\n      ...PrintRow\n      __typename\n    }\n    pageInfo {\n      ...NextPage\n      __typename\n    }\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"WaitingPrints"},"variableDefinitions":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"forSpool"},"name":{"kind":"Name","value":"observedPrints"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"waitsFor"},"value":{"kind":"EnumValue","value":"SPOOL"}}]}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrintRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"NextPage"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","alias":{"kind":"Name","value":"forOutcome"},"name":{"kind":"Name","value":"observedPrints"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"waitsFor"},"value":{"kind":"EnumValue","value":"OUTCOME"}}]}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrintRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"NextPage"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], PrintRow, NextPage);
export const AssignSpoolsDocument = /* #__PURE__ */ documentOf<AssignSpoolsMutation, AssignSpoolsMutationVariables>(["mutation AssignSpools($printId: ID!, $spools: [SlotSpoolInput!]!) {\n  assignSpools(printId: $printId, spools: $spools) {\n    ...PrintRow\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AssignSpools"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"printId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"spools"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SlotSpoolInput"}}}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"assignSpools"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"printId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"printId"}}},{"kind":"Argument","name":{"kind":"Name","value":"spools"},"value":{"kind":"Variable","name":{"kind":"Name","value":"spools"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrintRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], PrintRow);
export const ResolvePrintDocument = /* #__PURE__ */ documentOf<ResolvePrintMutation, ResolvePrintMutationVariables>(["mutation ResolvePrint($printId: ID!, $outcome: PrintOutcome!, $endedAt: DateTime) {\n  resolvePrint(printId: $printId, outcome: $outcome, endedAt: $endedAt) {\n    ...PrintRow\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ResolvePrint"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"printId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"outcome"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PrintOutcome"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"endedAt"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resolvePrint"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"printId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"printId"}}},{"kind":"Argument","name":{"kind":"Name","value":"outcome"},"value":{"kind":"Variable","name":{"kind":"Name","value":"outcome"}}},{"kind":"Argument","name":{"kind":"Name","value":"endedAt"},"value":{"kind":"Variable","name":{"kind":"Name","value":"endedAt"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrintRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], PrintRow);
export const IgnorePrintDocument = /* #__PURE__ */ documentOf<IgnorePrintMutation, IgnorePrintMutationVariables>(["mutation IgnorePrint($printId: ID!, $ignored: Boolean!) {\n  ignorePrint(printId: $printId, ignored: $ignored) {\n    ...PrintRow\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"IgnorePrint"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"printId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ignored"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"ignorePrint"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"printId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"printId"}}},{"kind":"Argument","name":{"kind":"Name","value":"ignored"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ignored"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrintRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], PrintRow);
export const SessionDocument = /* #__PURE__ */ documentOf<SessionQuery, SessionQueryVariables>(["query Session {\n  viewer {\n    mayWrite\n    mayConfigureDevices\n    __typename\n  }\n  currency\n  latestChangeCursor\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Session"},"variableDefinitions":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mayWrite"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mayConfigureDevices"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"currency"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"latestChangeCursor"},"arguments":[],"directives":[]}]}}]);
export const StartDocument = /* #__PURE__ */ documentOf<StartQuery, StartQueryVariables>(["query Start {\n  farm {\n    printers\n    materials\n    spools\n    cameras\n    __typename\n  }\n  materials(archived: false) {\n    id\n    __typename\n  }\n  cameras(first: 1) {\n    nodes {\n      ...CameraNow\n      __typename\n    }\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Start"},"variableDefinitions":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"farm"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"printers"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"materials"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"spools"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"cameras"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"materials"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"archived"},"value":{"kind":"BooleanValue","value":false}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"cameras"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CameraNow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], CameraNow, StatusRow);
export const UsageDocument = /* #__PURE__ */ documentOf<UsageQuery, UsageQueryVariables>(["query Usage($from: DateTime, $to: DateTime, $timeZone: String!, $step: UsageGroup!, $group: UsageGroup!) {\n  total: filamentUsage(from: $from, to: $to, timeZone: $timeZone) {\n    ...UsageSums\n    __typename\n  }\n  overTime: filamentUsage(\n    from: $from\n    to: $to\n    timeZone: $timeZone\n    groupBy: [$step]\n  ) {\n    ...UsageSums\n    from\n    __typename\n  }\n  byGroup: filamentUsage(\n    from: $from\n    to: $to\n    timeZone: $timeZone\n    groupBy: [$group]\n  ) {\n    ...UsageSums\n    printer {\n      id\n      name\n      __typename\n    }\n    spool {\n      id\n      spoolSerial\n      __typename\n    }\n    material {\n      id\n      name\n      __typename\n    }\n    __typename\n  }\n}",{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Usage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"to"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"timeZone"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"step"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UsageGroup"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"group"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UsageGroup"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"total"},"name":{"kind":"Name","value":"filamentUsage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}},{"kind":"Argument","name":{"kind":"Name","value":"timeZone"},"value":{"kind":"Variable","name":{"kind":"Name","value":"timeZone"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UsageSums"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","alias":{"kind":"Name","value":"overTime"},"name":{"kind":"Name","value":"filamentUsage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}},{"kind":"Argument","name":{"kind":"Name","value":"timeZone"},"value":{"kind":"Variable","name":{"kind":"Name","value":"timeZone"}}},{"kind":"Argument","name":{"kind":"Name","value":"groupBy"},"value":{"kind":"ListValue","values":[{"kind":"Variable","name":{"kind":"Name","value":"step"}}]}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UsageSums"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"from"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","alias":{"kind":"Name","value":"byGroup"},"name":{"kind":"Name","value":"filamentUsage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}},{"kind":"Argument","name":{"kind":"Name","value":"timeZone"},"value":{"kind":"Variable","name":{"kind":"Name","value":"timeZone"}}},{"kind":"Argument","name":{"kind":"Name","value":"groupBy"},"value":{"kind":"ListValue","values":[{"kind":"Variable","name":{"kind":"Name","value":"group"}}]}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UsageSums"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"printer"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"spool"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"spoolSerial"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"material"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}], UsageSums);