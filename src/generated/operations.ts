/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
/** A machine to connect to. */
export type AddDeviceInput = {
  /** Host, host:port or URL, 1 to 255 characters, without credentials and path. White space around all members is removed. The address must be private, belong to the computer of the gateway, or be in DEVICE_NETWORKS. */
  address: string;
  /** The id of the camera that the machine is; null for a printer. BAD_USER_INPUT if the camera is unknown, or if the kind is for printers. CONFLICT if the camera already has a device. */
  cameraId?: string | null | undefined;
  /** SHA-256 of the certificate to trust, 64 hexadecimal digits, with or without colons. testDevice returns the fingerprint of a machine. Only for an address with TLS. Without a fingerprint, the certificate must be signed by an authority that the gateway trusts; otherwise the connection is REFUSED. */
  certificateFingerprint?: string | null | undefined;
  /** Whether the gateway connects to the machine. */
  enabled?: boolean;
  /** Whether the slots of the printer follow the spools that the machine reports, as Device.followsSpools explains. */
  followsSpools?: boolean;
  /** How the gateway talks to the machine. OPEN_GOPRO is for cameras, all others are for printers. */
  kind: DeviceKind;
  /** GUID of the printer that the machine is; null for a camera. BAD_USER_INPUT if the printer is unknown or archived, or if the kind is for cameras. CONFLICT if the printer already has a device. */
  printerId?: string | null | undefined;
  /** Password, access code or API key, at most 255 characters. The secret is stored encrypted. No answer, log or backup contains it in clear. An empty text means no secret. BAD_USER_INPUT if the gateway has no key to encrypt the secret. */
  secret?: string | null | undefined;
  /** Serial number of a Bambu printer, at most 255 letters, digits, hyphens and underscores. Required for BAMBU. Other kinds have no serial number. */
  serial?: string | null | undefined;
  /** Whether the gateway sets Moonraker's active spool when a user loads or unloads the only slot. */
  setsActiveSpool?: boolean;
  /** User name, at most 255 characters. Only needed if the machine requires a user name other than its usual one. An empty text means no user name. */
  username?: string | null | undefined;
};

/** A notification channel (target) to add. */
export type AddNotificationTargetInput = {
  /** SHA-256 of the certificate to trust, 64 hexadecimal digits, with or without colons. testNotificationTarget returns the fingerprint of a receiver. Only for URLs with https or mqtts. Without a fingerprint, the certificate must be signed by an authority that the gateway trusts. */
  certificateFingerprint?: string | null | undefined;
  /** Whether the channel gets notifications. */
  enabled?: boolean;
  /** The events that the channel gets: at least one, except for MQTT. */
  events?: Array<NotificationEvent>;
  /** How the channel receives notifications. */
  kind: NotificationKind;
  /** Alerts below this severity are not sent. */
  minimumSeverity?: AlertSeverity;
  /** The name of the channel, 1 to 100 characters. */
  name: string;
  /** GUIDs of printers, at most 250. Only notifications about these printers are sent, and alerts that concern no printer. An empty list means all printers. */
  printerIds?: Array<string>;
  /** WEBHOOK: the signing secret, whsec_ followed by 24 to 64 bytes in base64. NTFY: an access token. MQTT: the password. The secret is stored encrypted. No log or backup contains it in clear. If you leave it out for a WEBHOOK, the gateway generates a secret and returns it once. BAD_USER_INPUT if the gateway has no key to encrypt the secret. */
  secret?: string | null | undefined;
  /** WEBHOOK: http(s)://…; NTFY: http(s)://SERVER/TOPIC; MQTT: mqtt(s)://HOST[:PORT][/PREFIX], with the default prefix print-farm. At most 2000 characters, without credentials. The host must be in a private network, in DEVICE_NETWORKS or in NOTIFY_HOSTS. */
  url: string;
  /** User name for an MQTT broker. Other kinds have no user name. An empty text means no user name. */
  username?: string | null | undefined;
};

/** Conditions of the farm that need attention. */
export type AlertKind =
  /** The battery of a camera that is LIVE is at or below 15 percent, by the record that decides its liveness. CRITICAL at 5 percent or less. `since` is the time of that record. */
  | 'BATTERY_LOW'
  /** A camera is OFFLINE or SILENT. For OFFLINE, `since` is the time of the first record that reports offline after the last one that reports online (looked for in the last 7 days); for SILENT it is the time of the newest record plus expectedIntervalSec. */
  | 'CAMERA_LOST'
  /** The gateway cannot connect to a machine until a user corrects its credentials, its certificate or its kind. `since` is the time of the first refusal. */
  | 'DEVICE_REFUSED'
  /** The jobs of observed prints that ended on a printer in the last 7 days have 0 grams for a slot, because the filament use of the slot is unknown, and nobody has changed these jobs since. One alert for each printer. `since` is the end of the oldest of these prints. */
  | 'FILAMENT_UNKNOWN'
  /** A camera with recordsPrints records, but its videoRemainingSec (not in the modes timelapse and looping) or its battery ends before the job that its printer prints: by more than 10 percent of the remaining time, and at least 5 minutes. The end of the battery is predicted by a line through its records of the last 30 minutes: at least 4 records, of which none rises, and a fall of at least 2 percent. The end of the print is predicted by the remainingSec of its printer, else by the seconds of its plan. `since` is the time of the record from which this follows. */
  | 'FILM_ENDS_EARLY'
  /** A camera with recordsPrints is online, has recorded a part of the job that its printer prints, and has not recorded for longer than its expectedIntervalSec. `since` is the end of what it recorded. */
  | 'FILM_STOPPED'
  /** A job has been PRINTING for more than 7 days without an update. `since` is its updatedAt plus 7 days. */
  | 'JOB_STUCK'
  /** A notification target is FAILED. The alert is sent to all other targets. `since` is the time at which the target became FAILED. */
  | 'NOTIFICATION_FAILS'
  /** A camera with recordsPrints is online, does not record, and has recorded nothing of the job that its printer has been printing for a minute. Records older than 7 days do not count, and neither do records before the newest 100000 of all such cameras. `since` is the startedAt of the job. */
  | 'NOT_FILMED'
  /** A printer reports a fault (activity ERROR). `message` has the text of the printer, if it reports one. The alert clears when the printer no longer reports the fault, or can no longer be reached. `since` is the time at which the fault was first reported. */
  | 'PRINTER_FAULT'
  /** A printer has sent nothing for longer than its kind allows while an observed print is RUNNING. `since` is the time of its last message. */
  | 'PRINTER_LOST'
  /** A printer has paused its print, for example because it ran out of filament. `message` has the text of the printer, if it reports one. No alert if the printer reports that a user paused the print (isPausedByUser). `since` is the time at which the pause was first reported. */
  | 'PRINTER_PAUSED'
  /** A machine reports prints that are not recorded. TOO_MUCH_DATA: it reported more than 60 new prints in an hour, and further prints are not recorded until the hour is over. PROTOCOL_ERROR: the gateway failed to write a change three times and skipped it. `since` is the time at which the first print or change was not recorded. */
  | 'PRINTS_LEFT_OUT'
  /** The ends of observed prints of a printer are unknown (waitsFor OUTCOME): enter them with resolvePrints. One alert for each printer, from the first such print until none is left. `since` is the earliest of the times at which these prints were last reported. */
  | 'PRINT_UNRESOLVED'
  /** Observed prints of a printer wait for their spools (waitsFor SPOOL): choose them with assignSpoolsToPrints. One alert for each printer, from the first print that waits until none is left. `since` is the createdAt of the oldest print that still waits. */
  | 'PRINT_WAITS'
  /** A spool that a queued or printing job uses has less remainingGrams than plannedGrams. `since` is the createdAt of the newest of these jobs. */
  | 'SPOOL_SHORT'
  /** A filament is low (stock.isLow). CRITICAL when stock.freeGrams is 0 or less. `since` is the newest change of its jobs, adjustments and spools, or of the filament itself. */
  | 'STOCK_LOW'
  /** A camera that is LIVE and does not record in a loop (mode looping) has room for less than 600 seconds of video, by the record that decides its liveness. CRITICAL at 120 seconds or less. `since` is the time of that record. */
  | 'STORAGE_LOW';

/** How urgent an alert is. */
export type AlertSeverity =
  /** A print has stopped, or records are being lost now or will be within minutes: CAMERA_LOST, PRINTER_LOST, PRINTER_FAULT, PRINTS_LEFT_OUT, BATTERY_LOW at 5 percent or less, STORAGE_LOW at 120 seconds or less, STOCK_LOW without a free gram. */
  | 'CRITICAL'
  /** A print or a recording will fail, or a record will stay incomplete, if nobody acts: all other kinds. */
  | 'WARNING';

/** Selects the cameras that match every member. A member that is left out or null matches all cameras. */
export type CameraFilter = {
  /** Cameras whose battery is at or below this percentage by their latest status. */
  batteryAtMost?: number | null | undefined;
  /** Cameras that are online (true) or offline (false) by their latest status. A camera without a status matches neither. */
  online?: boolean | null | undefined;
  /** Cameras whose latest status has this recording state, with the same spelling. */
  recordingState?: string | null | undefined;
  /** A part of id or friendlyName, in upper or lower case; at most 1000 characters. */
  search?: string | null | undefined;
};

/** A status record to store. */
export type CameraStatusInput = {
  /** Battery level in percent, 0 to 100. */
  batteryPct?: number | null | undefined;
  /** The id of the camera; NOT_FOUND if the camera is not registered. */
  cameraId: string;
  /** Frames per second, 0 or more. */
  fps?: number | null | undefined;
  /** Capture mode, at most 255 characters. */
  mode?: string | null | undefined;
  /** Whether the camera is online. */
  online: boolean;
  /** Unprocessed battery value, in the unit of the camera. */
  rawBatteryPct?: number | null | undefined;
  /** When the state was observed; at most 24 hours ahead of the gateway’s clock, else BAD_USER_INPUT. If left out: now, or the next free millisecond of this camera. */
  recordedAt?: string | null | undefined;
  /** Recording state as the camera reports it, at most 255 characters. */
  recordingState?: string | null | undefined;
  /** Video resolution, at most 255 characters. */
  resolution?: string | null | undefined;
  /** Remaining recording time in seconds, 0 or more. */
  videoRemainingSec?: number | null | undefined;
};

/** How an object changed. */
export type ChangeKind =
  /** The object was created. */
  | 'CREATED'
  /** The object was removed. */
  | 'DELETED'
  /** Members of the object have new values. */
  | 'UPDATED';

/** How a filament has its colours. */
export type ColorArrangement =
  /** Side by side, along the whole length. */
  | 'COAXIAL'
  /** One after the other. */
  | 'LONGITUDINAL';

/** A filament to add. */
export type CreateFilamentInput = {
  /** The article number of the vendor, at most 255 characters; an empty text is stored as null. */
  articleNumber?: string | null | undefined;
  /** Temperature of the bed in degrees Celsius, 0 to 1000. */
  bedTempC?: number | null | undefined;
  /** How the filament has its colours. Only with colorHexes: BAD_USER_INPUT if the filament has one colour. */
  colorArrangement?: ColorArrangement | null | undefined;
  /** Colour as # and six hexadecimal digits, stored in upper case. If it is missing or null and colorHexes has colours, the first one of them. */
  colorHex?: string | null | undefined;
  /** All 2 to 16 colours of a filament with several colours, each as # and six or eight hexadecimal digits, stored in upper case. They need a colorArrangement. null or an empty list: the filament has one colour, and no colorArrangement. A new colorHex does not change them. */
  colorHexes?: Array<string> | null | undefined;
  /** A note, at most 1024 characters; an empty text is stored as null. */
  comment?: string | null | undefined;
  /** Temperature of the extruder in degrees Celsius, 0 to 1000. */
  extruderTempC?: number | null | undefined;
  /** Filament diameter in mm, above 0; usually 1.75 or 2.85. */
  filamentDiameterMm: string | number;
  /** GUID of the material; BAD_USER_INPUT if it is unknown or archived. */
  materialId: string;
  /** Minimum stock in grams, 0 or more. The filament is low if stock.freeGrams is below it. */
  minimumGrams?: string | number | null | undefined;
  /** Name of the product, 1 to 255 characters. CONFLICT if another filament of the same vendor has this name. */
  name: string;
  /** Price of a new spool, 0 or more. */
  purchasePrice?: string | number | null | undefined;
  /** Weight of the empty spool in grams, 0 or more. */
  tareGrams?: string | number | null | undefined;
  /** The seller or maker, at most 255 characters; an empty text is stored as null. */
  vendor?: string | null | undefined;
  /** Weight of the filament on a new spool, in grams, 0 or more. */
  weightTotalGrams: string | number;
};

/** A material to add. */
export type CreateMaterialInput = {
  /** Density in g/cm3, above 0. */
  densityGPerCm3: string | number;
  /** Name such as PLA, 1 to 255 characters. CONFLICT if the value is in use. */
  name: string;
};

/** A print job to create. It starts as QUEUED. */
export type CreatePrintJobInput = {
  /** Takes diameter and density from the spool and its material, and derives the grams from them. */
  autoDeriveGrams?: boolean;
  /** Cost of the print, 0 or more. On update, autoDeriveGrams overrides it with grams × (price / net weight of the full spool), rounded to 4 decimals, if the spool has a price and the grams are above 0. */
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
  /** GUID of the printer; BAD_USER_INPUT if it is unknown. */
  printerId: string;
  /** GUID of the spool; BAD_USER_INPUT if it is unknown. */
  spoolId: string;
  /** When printing started; stored as given. */
  startedAt?: string | null | undefined;
};

/** A printer to add. */
export type CreatePrinterInput = {
  /** Name, 1 to 255 characters. */
  name: string;
};

/** A spool to add. */
export type CreateSpoolInput = {
  /** Colour as # and six hexadecimal digits, stored in upper case. If missing, the value of the filament. */
  colorHex?: string | null | undefined;
  /** A note, at most 1024 characters; an empty text is stored as null. */
  comment?: string | null | undefined;
  /** Filament diameter in mm, above 0; usually 1.75 or 2.85. If missing, the value of the filament. */
  filamentDiameterMm?: string | number | null | undefined;
  /** GUID of the filament (the product) of the spool; BAD_USER_INPUT if it is unknown or archived. The spool takes missing members from the filament once; later changes of the filament do not change them. Without a filament, material, diameter and weight are required. */
  filamentId?: string | null | undefined;
  /** The number of the lot, at most 64 characters; an empty text is stored as null. */
  lotNumber?: string | null | undefined;
  /** GUID of the material; BAD_USER_INPUT if it is unknown or archived. If missing, the value of the filament. */
  materialId?: string | null | undefined;
  /** Where the spool is stored, at most 100 characters; a blank text is stored as null. */
  place?: string | null | undefined;
  /** Price of the whole spool, 0 or more. If missing, the value of the filament. */
  purchasePrice?: string | number | null | undefined;
  /** The grams left on a spool that is not new, 0 or more. They become an adjustment of the kind OPENING. */
  remainingGrams?: string | number | null | undefined;
  /** Serial text, 1 to 255 characters. CONFLICT if the value is in use. */
  spoolSerial: string;
  /** Weight of the empty spool in grams, 0 or more; null to use the value of its filament. */
  tareGrams?: string | number | null | undefined;
  /** The seller or maker, at most 255 characters; an empty text is stored as null. If missing, the value of the filament. */
  vendor?: string | null | undefined;
  /** Weight of the filament when new, in grams, 0 or more. If missing, the value of the filament. */
  weightTotalGrams?: string | number | null | undefined;
};

/** The source of the figures of a print job. */
export type DataSource =
  /** Entered by a user. */
  | 'MANUAL'
  /** MQTT messages of the printer. */
  | 'MQTT'
  /** The API of the printer. */
  | 'PRINTER_API';

/** The state of the connection to a machine. */
export type DeviceConnectionState =
  /** The gateway is connected, and the machine has reported its state. */
  | 'CONNECTED'
  /** The gateway is connecting or will connect soon. A device is also CONNECTING if the gateway process that was connected has stopped. */
  | 'CONNECTING'
  /** The device is disabled, so the gateway does not connect. */
  | 'DISABLED'
  /** The machine does not answer, or its answers are not those of such a machine. `fault` says why. The gateway tries again within a minute. */
  | 'OFFLINE'
  /** The machine or a proxy rejects the credentials, the certificate is not trusted, or the stored secret cannot be read. The gateway tries again after 15 minutes, or immediately after a change of the device. */
  | 'REFUSED';

/** Why the gateway is not connected to a machine, or does not record all of its reports. */
export type DeviceFault =
  /** The certificate of the machine is not signed by a trusted authority, and its fingerprint is not the one of the device. */
  | 'CERTIFICATE_NOT_TRUSTED'
  /** The machine accepts the connection but closes it immediately, for example because it already has as many clients as it allows. */
  | 'CLOSED_AT_ONCE'
  /** The machine rejects the password, access code or API key, or none was entered although the machine requires it. */
  | 'CREDENTIALS_REFUSED'
  /** The machine requires TLS, but the address does not start with https. */
  | 'HTTPS_REQUIRED'
  /** The host name resolves only to addresses where the gateway allows no device (DEVICE_NETWORKS). */
  | 'NOT_ALLOWED'
  /** Nothing is listening at the address and port. */
  | 'NOT_REACHABLE'
  /** The host name cannot be resolved to an address. */
  | 'NOT_RESOLVED'
  /** A machine answers, but it is not of the kind of the device. */
  | 'NOT_THIS_KIND'
  /** The machine sends data that a machine of this kind never sends, or that the gateway cannot record. */
  | 'PROTOCOL_ERROR'
  /** A proxy in front of the machine requires its own password. */
  | 'PROXY_REFUSED'
  /** The gateway cannot decrypt the stored secret, because its key changed or is missing. Enter the secret again. */
  | 'SECRET_NOT_READABLE'
  /** The machine accepts the connection but sends no data. */
  | 'SILENT'
  /** The machine did not answer in time. */
  | 'TIMED_OUT'
  /** The gateway connects with TLS, but the machine answers without TLS. */
  | 'TLS_NOT_SPOKEN'
  /** The machine supports only TLS 1.1 or older. */
  | 'TLS_TOO_OLD'
  /** The machine sends more data than a machine of this kind ever sends, or reports more than 60 new prints in an hour. */
  | 'TOO_MUCH_DATA'
  /** The machine reports a serial number that differs from the serial number of the device. */
  | 'WRONG_DEVICE';

/** How the gateway talks to a machine. */
export type DeviceKind =
  /** A Bambu Lab printer. The gateway uses MQTT over TLS in the local network. */
  | 'BAMBU'
  /** A printer with Klipper. The gateway uses the WebSocket of Moonraker. */
  | 'MOONRAKER'
  /** A printer with OctoPrint. The gateway uses the REST API and the push socket of OctoPrint. */
  | 'OCTOPRINT'
  /** A GoPro: with Open GoPro over USB or COHN (HERO9 and later), or with the interface of the HERO4 to HERO8. The gateway uses HTTP. */
  | 'OPEN_GOPRO'
  /** A printer with PrusaLink, built into the printer (Buddy boards) or on a Raspberry Pi. The gateway uses HTTP. */
  | 'PRUSALINK';

/** How an amount of filament is known. */
export type FilamentBasis =
  /** One of these: a part of the slicer’s amount, by layers or by the share of the file, never by time; the length measured until the last contact, if the end was not seen; or a part of a length that several slots, or several spools of a slot, share. */
  | 'ESTIMATED'
  /** A user or another program entered the amount. */
  | 'MANUAL'
  /** The machine measured the amount. */
  | 'MEASURED'
  /** The slicer’s amount, for a print that was completed or is still running. */
  | 'PLANNED'
  /** The amount is unknown. The job has 0 grams, and an alert is active. */
  | 'UNKNOWN';

/** The event that a notification reports. */
export type NotificationEvent =
  /** An alert that was sent has been resolved for 60 seconds. */
  | 'ALERT_CLEARED'
  /** An alert has been active for 60 seconds. The event is sent again if the alert becomes CRITICAL. */
  | 'ALERT_RAISED'
  /** Notifications were given up, because they could not be delivered within 72 hours. The message says how many, if the number is known. You cannot choose this event: every channel gets it. */
  | 'OMITTED'
  /** A print started. */
  | 'PRINT_BEGAN'
  /** A print that had started was completed, failed or was cancelled. The event is sent again if the outcome is changed later. */
  | 'PRINT_ENDED'
  /** A print waits for its spool or its outcome. A channel with this event does not also get the alerts about waiting prints. */
  | 'PRINT_WAITS';

/** How a notification channel (target) receives notifications. */
export type NotificationKind =
  /** The gateway publishes to an MQTT broker, with discovery for Home Assistant. */
  | 'MQTT'
  /** The gateway publishes to an ntfy topic, on the public server or on your own server. */
  | 'NTFY'
  /** The gateway sends a POST request with JSON, signed as Standard Webhooks 1.0 defines. */
  | 'WEBHOOK';

/** Whether deliveries to a notification channel (target) succeed. */
export type NotificationTargetState =
  /** The channel gets no notifications. A user, a restored backup, the receiver or the removal of its printers disabled the channel. */
  | 'DISABLED'
  /** Nothing was delivered for 72 hours while a delivery waited. The next successful delivery sets the state to OK. */
  | 'FAILED'
  /** The last attempt succeeded, or there was no attempt yet. */
  | 'OK'
  /** The last attempt failed. The gateway tries again without your help. */
  | 'RETRYING';

/** Selects the prints that match every member. A member that is left out or null matches all prints. */
export type ObservedPrintFilter = {
  /** Prints with one of these outcomes; an empty list matches no print. */
  outcome?: Array<PrintOutcome> | null | undefined;
  /** Prints of this printer (GUID). */
  printerId?: string | null | undefined;
  /** Prints that started at or after this instant. */
  startedFrom?: string | null | undefined;
  /** Prints that started at or before this instant. */
  startedTo?: string | null | undefined;
  /** Prints that wait for this entry of a user. */
  waitsFor?: PrintWait | null | undefined;
};

/** The filament that a plate has used at the end of a layer. */
export type PlanLayerInput = {
  /** The layer, 1 to 100000. Layers are in ascending order. */
  layer: number;
  /** Millimetres from the start of the print to the end of the layer, at most 10000000: one length for each slot, in the order of `slots`. A length must not be below the length of the previous layer. */
  mm: Array<string | number>;
};

/** The filament that one slot of a plate will use. */
export type PlanSlotInput = {
  /** Grams of filament, above 0 and at most 1000000; null if the slicer does not give them. */
  grams?: string | number | null | undefined;
  /** Millimetres of filament, above 0 and at most 10000000; null if the slicer does not give them. */
  mm?: string | number | null | undefined;
  /** The slot as slicers number it, 1 to 999. */
  slot: number;
};

/** The plan of a slicer for one plate. */
export type PlatePlanInput = {
  /** The filament used by the end of each layer, for prints that end early: 1 to 500 layers; null if the slicer gives none. */
  layers?: Array<PlanLayerInput> | null | undefined;
  /** The plate, 1 to 999. A file without plates has plate 1. */
  plate: number;
  /** The duration of the print in seconds, 1 to 2147483647; null if the slicer does not give it. */
  seconds?: number | null | undefined;
  /** The slots that the plate uses, each once, at most 64; empty if the slicer does not give them. */
  slots: Array<PlanSlotInput>;
  /** The slicer’s preview picture of the plate, for the page of the print: a PNG or JPEG in base64, at most 64 KB and 1000 pixels wide and high; null if there is none. It is checked, and dropped if PRINT_THUMBNAILS is false. */
  thumbnail?: string | null | undefined;
};

/** Selects the print jobs that match every member. A member that is missing or null matches all jobs. */
export type PrintJobFilter = {
  /** Created at or after this instant. */
  createdFrom?: string | null | undefined;
  /** Created at or before this instant. */
  createdTo?: string | null | undefined;
  /** Jobs from this source. */
  dataSource?: DataSource | null | undefined;
  /** Jobs of this printer (GUID). */
  printerId?: string | null | undefined;
  /** A part of printName, at most 1000 characters; upper and lower case are the same. Jobs are searched from the newest until the page is full, so a rare text takes about half a second with a million jobs. */
  search?: string | null | undefined;
  /** Jobs that used this spool (GUID) in any of their parts. */
  spoolId?: string | null | undefined;
  /** Jobs in one of these statuses; an empty list matches no job. */
  status?: Array<PrintJobStatus> | null | undefined;
};

/** A part of a job: what the job used of one spool. */
export type PrintJobPartInput = {
  /** Grams used, 0 or more. If missing, derived by the formula from the diameter of the spool and the density of its material. */
  gramsDerived?: string | number | null | undefined;
  /** Millimetres of filament extruded, 0 or more. */
  mmExtruded: string | number;
  /** The slot that fed the filament: letters and one or two numbers, such as tool:0 or ams:0:2. */
  slot?: string | null | undefined;
  /** GUID of the spool; BAD_USER_INPUT if it is unknown. */
  spoolId: string;
};

/** The status of a print job. The field allowedTransitions lists the statuses that it can change to. */
export type PrintJobStatus =
  /** Stopped on purpose, or deleted. The job is not removed. */
  | 'CANCELLED'
  /** Printed to the end. */
  | 'COMPLETED'
  /** Ended by a fault. */
  | 'FAILED'
  /** Being printed. */
  | 'PRINTING'
  /** Waiting for its printer. Every new job has this status. */
  | 'QUEUED';

/** How a print ended. */
export type PrintOutcome =
  /** The print was stopped on purpose. */
  | 'CANCELLED'
  /** The print was finished. */
  | 'COMPLETED'
  /** A fault ended the print. */
  | 'FAILED'
  /** The print is running or paused. */
  | 'RUNNING'
  /** The end was not seen, and the machine can no longer report it. A user enters the outcome; the gateway never guesses it. */
  | 'UNRESOLVED';

/** What a user must enter for a print. */
export type PrintWait =
  /** How the print ended. */
  | 'OUTCOME'
  /** The spool of a slot that feeds the print. The job is created when the spool of each slot is known. If another slot feeds later, the job gets a part for it then. */
  | 'SPOOL';

/** What a printer is doing. */
export type PrinterActivity =
  /** The printer reports a fault. */
  | 'ERROR'
  /** The print is finished, and may still be on the plate. */
  | 'FINISHED'
  /** The printer waits for a print. */
  | 'IDLE'
  /** The gateway has no contact with the printer, or the software that controls the printer has lost its connection to the printer. */
  | 'OFFLINE'
  /** The print is paused: by a user, by the printer (for example without filament), or by its file. */
  | 'PAUSED'
  /** The printer heats, levels or slices before a print, or receives a file. */
  | 'PREPARING'
  /** The printer is printing. */
  | 'PRINTING'
  /** The printer reports a state that the gateway does not know. */
  | 'UNKNOWN';

/** What the progress is measured by. */
export type ProgressBasis =
  /** The filament of the print. */
  | 'FILAMENT'
  /** The bytes of the file. */
  | 'FILE'
  /** The layers of the print. */
  | 'LAYERS'
  /** The time of the print, with its preparation. No filament use is calculated from it. */
  | 'TIME';

/** What to read: either a url or files. */
export type ReadSpoolmanInput = {
  /** The contents of files that Spoolman exported (JSON or CSV; spools, filaments and vendors in any order), or of the answers of its lists. An export leaves out archived spools unless they were ticked. */
  files?: Array<string> | null | undefined;
  /** GUID of an import of files that is READY, to which the files are added. */
  into?: string | null | undefined;
  /** Credentials for the url. The gateway uses them for this import and stores them nowhere. */
  login?: SpoolmanLoginInput | null | undefined;
  /** A name that tells several Spoolmans apart: 1 to 32 small letters, digits and hyphens. */
  source?: string;
  /** URL of a running Spoolman, http(s)://HOST[:PORT][/PATH], without credentials. The same addresses are allowed as for devices. */
  url?: string | null | undefined;
};

/** The plan of a slicer for a file, recorded before the file is printed. */
export type RecordPlanInput = {
  /** Name of the file, with or without folders, at most 1000 characters. Prints find the plan by the last part of the name, at most 500 characters, without the ending .gcode, .gco, .bgcode, .gcode.3mf or .3mf. */
  fileName: string;
  /** The plates of the file, each once, 1 to 100. */
  plates: Array<PlatePlanInput>;
};

/** A camera to register. */
export type RegisterCameraInput = {
  /** Display name, 1 to 1000 characters. */
  friendlyName: string;
  /** Identifier of your choice, 1 to 255 characters. CONFLICT if it is already registered. */
  id: string;
  /** MAC address, at most 255 characters, stored as given. An empty text means no address. CONFLICT if it is already registered. */
  macAddress?: string | null | undefined;
  /** GUID of the printer that the camera watches. BAD_USER_INPUT if there is no such printer. */
  printerId?: string | null | undefined;
  /** Whether the camera should record each print of its printer; false if left out. */
  recordsPrints?: boolean | null | undefined;
};

/** What an object of a Spoolman becomes. */
export type SpoolmanAction =
  /** The object is added. */
  | 'CREATE'
  /** The value there has changed, and the value here has changed since the last import. The value here stays, and the reason names the members. */
  | 'KEPT'
  /** The object has a fault, which the reason says. Nothing is written while there is such a row, unless withoutRefused is true. An object that needs a refused object is refused too. */
  | 'REFUSED'
  /** Nothing changes. */
  | 'SAME'
  /** The object was imported before, and members that have changed there are changed here. */
  | 'UPDATE';

/** The state of an import from Spoolman. */
export type SpoolmanImportState =
  /** Nothing was written. The message says why, and what to do. */
  | 'FAILED'
  /** The gateway reads the Spoolman or the files, and decides what each object becomes. */
  | 'READING'
  /** The rows show what would be written. Nothing is written yet. */
  | 'READY'
  /** The gateway writes everything that the rows show. */
  | 'WRITING'
  /** Everything that the rows show is written. */
  | 'WRITTEN';

/** A kind of object in Spoolman. */
export type SpoolmanKind =
  /** A filament: a product. */
  | 'FILAMENT'
  /** A spool. */
  | 'SPOOL'
  /** A vendor. Here it is a text of filaments and spools. */
  | 'VENDOR';

/** Credentials for a Spoolman behind a login: exactly one of apiKey, token, and username with password. Each has at most 1024 characters. */
export type SpoolmanLoginInput = {
  /** An API key, sent as X-API-Key. */
  apiKey?: string | null | undefined;
  /** The password of the user name. */
  password?: string | null | undefined;
  /** A token, sent as Authorization: Bearer. */
  token?: string | null | undefined;
  /** A user name, sent with the password as Authorization: Basic. */
  username?: string | null | undefined;
};

/** What a row of a CSV file does. */
export type StockImportAction =
  /** The row adds a spool or a filament. */
  | 'CREATE'
  /** The row has a fault. Nothing is written while a row of the file is refused. */
  | 'REFUSED'
  /** The row changes nothing. */
  | 'SAME'
  /** The row changes a stored spool or filament. */
  | 'UPDATE';

/** What a CSV file lists. */
export type StockKind =
  /** Filaments, with the columns of /reports/filaments.csv. */
  | 'FILAMENTS'
  /** Spools, with the columns of /reports/spools.csv. */
  | 'SPOOLS';

/** Changes to a camera. Members that are left out stay as they are. */
export type UpdateCameraInput = {
  /** The longest time in seconds between two status records of a camera that works, 1 to 86400. After it, the camera counts as SILENT. null sets the default of 300. */
  expectedIntervalSec?: number | null | undefined;
  /** Display name, 1 to 1000 characters; null leaves it unchanged. */
  friendlyName?: string | null | undefined;
  /** MAC address, at most 255 characters; null or an empty text removes it. CONFLICT if another camera has it. */
  macAddress?: string | null | undefined;
  /** GUID of the printer that the camera watches; null for none. BAD_USER_INPUT if there is no such printer. */
  printerId?: string | null | undefined;
  /** Whether the camera should record each print of its printer; null leaves it unchanged. */
  recordsPrints?: boolean | null | undefined;
};

/** Changes to a device. Members that you leave out stay as they are. If address or certificateFingerprint change without a new secret, the stored secret is deleted, so that it is never sent to another machine. */
export type UpdateDeviceInput = {
  /** Host, host:port or URL, 1 to 255 characters, without credentials and path. White space around all members is removed. The address must be private, belong to the computer of the gateway, or be in DEVICE_NETWORKS. null leaves it unchanged. */
  address?: string | null | undefined;
  /** SHA-256 of the certificate to trust, 64 hexadecimal digits, with or without colons. testDevice returns the fingerprint of a machine. Only for an address with TLS. Without a fingerprint, the certificate must be signed by an authority that the gateway trusts; otherwise the connection is REFUSED. null or an empty text removes it. */
  certificateFingerprint?: string | null | undefined;
  /** Whether the gateway connects to the machine; null leaves it unchanged. */
  enabled?: boolean | null | undefined;
  /** Whether the slots of the printer follow the spools that the machine reports; null leaves it unchanged. When it is switched on, only empty slots are filled at first. */
  followsSpools?: boolean | null | undefined;
  /** Password, access code or API key, at most 255 characters. The secret is stored encrypted. No answer, log or backup contains it in clear. null or an empty text removes it. */
  secret?: string | null | undefined;
  /** Serial number of a Bambu printer, at most 255 letters, digits, hyphens and underscores. null and an empty text are refused for BAMBU. */
  serial?: string | null | undefined;
  /** Whether the gateway sets Moonraker's active spool when a user loads or unloads the only slot; null leaves it unchanged. */
  setsActiveSpool?: boolean | null | undefined;
  /** User name, at most 255 characters. Only needed if the machine requires a user name other than its usual one. null or an empty text removes it. */
  username?: string | null | undefined;
};

/** Changes to a material. Members that are missing or null do not change. */
export type UpdateMaterialInput = {
  /** Density in g/cm3, above 0. Existing jobs keep the density with which they were printed. */
  densityGPerCm3?: string | number | null | undefined;
  /** Name, 1 to 255 characters. CONFLICT if the value is in use. */
  name?: string | null | undefined;
};

/** The new members of a print job. A missing optional member becomes empty, 0, false or null. */
export type UpdatePrintJobInput = {
  /** Takes diameter and density from the spool and its material, and derives the grams from them. */
  autoDeriveGrams?: boolean;
  /** Cost of the print, 0 or more. On update, autoDeriveGrams overrides it with grams × (price / net weight of the full spool), rounded to 4 decimals, if the spool has a price and the grams are above 0. */
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
  /** GUID of the printer; BAD_USER_INPUT if it is unknown. */
  printerId: string;
  /** GUID of the spool; BAD_USER_INPUT if it is unknown. */
  spoolId: string;
};

/** Changes to a printer. Members that are missing or null do not change. */
export type UpdatePrinterInput = {
  /** Name, 1 to 255 characters. */
  name?: string | null | undefined;
};

/** Changes to a spool. Missing members do not change. */
export type UpdateSpoolInput = {
  /** Colour as # and six hexadecimal digits, stored in upper case; null removes it. */
  colorHex?: string | null | undefined;
  /** A note, at most 1024 characters; null or an empty text removes it. */
  comment?: string | null | undefined;
  /** Filament diameter in mm, above 0; null does not change it. */
  filamentDiameterMm?: string | number | null | undefined;
  /** GUID of the filament (the product) of the spool; null removes it. BAD_USER_INPUT if a new filament is unknown or archived. No other member of the spool changes. */
  filamentId?: string | null | undefined;
  /** The number of the lot, at most 64 characters; null or an empty text removes it. */
  lotNumber?: string | null | undefined;
  /** GUID of the material; null does not change it. BAD_USER_INPUT if a new material is unknown or archived. */
  materialId?: string | null | undefined;
  /** Where the spool is stored, at most 100 characters; null or a blank text removes it. */
  place?: string | null | undefined;
  /** Price of the whole spool, 0 or more; null removes it. */
  purchasePrice?: string | number | null | undefined;
  /** Serial text, 1 to 255 characters; null does not change it. CONFLICT if the value is in use. */
  spoolSerial?: string | null | undefined;
  /** Weight of the empty spool in grams, 0 or more; null to use the value of its filament. */
  tareGrams?: string | number | null | undefined;
  /** The seller or maker, at most 255 characters; null or an empty text removes it. */
  vendor?: string | null | undefined;
  /** Weight of the filament when new, in grams, 0 or more; null does not change it. */
  weightTotalGrams?: string | number | null | undefined;
};

/** A weighing of a spool. Give either grossGrams or netGrams. */
export type WeighSpoolInput = {
  /** What the scale shows for the spool with its filament, in grams. The spool or its filament must have tareGrams. A value that is up to 10 g below tareGrams counts as 0 g net. */
  grossGrams?: string | number | null | undefined;
  /** The weight of the filament without the spool, in grams, 0 or more. */
  netGrams?: string | number | null | undefined;
  /** A note, at most 1000 characters. */
  note?: string | null | undefined;
};

export type SilenceAlertMutationVariables = Exact<{
  kind: AlertKind;
  id: string;
  until?: string | null | undefined;
}>;


export type SilenceAlertMutation = { silenceAlert: { message: string, silence: { by: string | null, at: string, until: string | null } | null } };

export type EndSilenceMutationVariables = Exact<{
  kind: AlertKind;
  id: string;
}>;


export type EndSilenceMutation = { endSilence: { message: string } | null };

export type CameraStatusValuesFragment = { id: string, recordedAt: string, online: boolean, batteryPct: number | null, rawBatteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null, mode: string | null, resolution: string | null, fps: number | null };

export type CameraWithStatusFragment = { id: string, friendlyName: string, macAddress: string | null, createdAt: string, updatedAt: string, lastStatus: { id: string, recordedAt: string, online: boolean, batteryPct: number | null, rawBatteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null, mode: string | null, resolution: string | null, fps: number | null } | null };

export type CamerasQueryVariables = Exact<{
  filter?: CameraFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  offset?: number | null | undefined;
}>;


export type CamerasQuery = { cameras: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, friendlyName: string, macAddress: string | null, createdAt: string, updatedAt: string, lastStatus: { id: string, recordedAt: string, online: boolean, batteryPct: number | null, rawBatteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null, mode: string | null, resolution: string | null, fps: number | null } | null }> } };

export type CameraDetailQueryVariables = Exact<{
  id: string;
  from?: string | null | undefined;
  to?: string | null | undefined;
  records?: number | null | undefined;
}>;


export type CameraDetailQuery = { camera: { id: string, friendlyName: string, macAddress: string | null, createdAt: string, updatedAt: string, history: Array<{ id: string, recordedAt: string, online: boolean, batteryPct: number | null, rawBatteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null, mode: string | null, resolution: string | null, fps: number | null }>, lastStatus: { id: string, recordedAt: string, online: boolean, batteryPct: number | null, rawBatteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null, mode: string | null, resolution: string | null, fps: number | null } | null } | null };

export type RegisterCameraMutationVariables = Exact<{
  input: RegisterCameraInput;
}>;


export type RegisterCameraMutation = { registerCamera: { id: string, friendlyName: string, macAddress: string | null, createdAt: string, updatedAt: string, lastStatus: { id: string, recordedAt: string, online: boolean, batteryPct: number | null, rawBatteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null, mode: string | null, resolution: string | null, fps: number | null } | null } };

export type UpdateCameraMutationVariables = Exact<{
  id: string;
  input: UpdateCameraInput;
}>;


export type UpdateCameraMutation = { updateCamera: { id: string, friendlyName: string, macAddress: string | null, createdAt: string, updatedAt: string, lastStatus: { id: string, recordedAt: string, online: boolean, batteryPct: number | null, rawBatteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null, mode: string | null, resolution: string | null, fps: number | null } | null } };

export type RecordCameraStatusesMutationVariables = Exact<{
  input: Array<CameraStatusInput>;
}>;


export type RecordCameraStatusesMutation = { recordCameraStatuses: Array<{ cameraId: string, id: string, recordedAt: string, online: boolean, batteryPct: number | null, rawBatteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null, mode: string | null, resolution: string | null, fps: number | null }> };

export type LatestChangeCursorQueryVariables = Exact<{ [key: string]: never; }>;


export type LatestChangeCursorQuery = { latestChangeCursor: string };

export type FarmChangesSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type FarmChangesSubscription = { changes:
    | { __typename: 'CameraChanged', cursor: string }
    | { __typename: 'CameraStatusRecorded', cursor: string }
    | { __typename: 'DeviceChanged', cursor: string }
    | { __typename: 'FilamentChanged', cursor: string }
    | { __typename: 'MaterialChanged', cursor: string }
    | { __typename: 'ObservedPrintChanged', cursor: string }
    | { __typename: 'PrintJobChanged', cursor: string }
    | { __typename: 'PrinterChanged', cursor: string }
    | { __typename: 'SpoolChanged', cursor: string }
   };

export type PrintJobChangesSubscriptionVariables = Exact<{
  filter?: PrintJobFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type PrintJobChangesSubscription = { printJobChanged: { cursor: string, at: string, kind: ChangeKind, jobId: string, fromStatus: PrintJobStatus | null, toStatus: PrintJobStatus | null, job: { id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, printer: { id: string, name: string } | null, spool: { id: string, spoolSerial: string, material: { id: string, name: string } } | null } | null } };

export type CameraStatusesSubscriptionVariables = Exact<{
  cameraIds?: Array<string> | null | undefined;
  after?: string | null | undefined;
}>;


export type CameraStatusesSubscription = { cameraStatusRecorded: { cursor: string, at: string, camera: { id: string, friendlyName: string }, status: { id: string, recordedAt: string, online: boolean, batteryPct: number | null, rawBatteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null, mode: string | null, resolution: string | null, fps: number | null } } };

export type DevicesQueryVariables = Exact<{ [key: string]: never; }>;


export type DevicesQuery = { devices: Array<{ id: string, kind: DeviceKind, address: string, enabled: boolean, printer: { id: string, name: string } | null, camera: { id: string, friendlyName: string } | null, connection: { state: DeviceConnectionState, since: string, lastMessageAt: string | null, fault: DeviceFault | null, message: string | null } }> };

export type ConnectDeviceMutationVariables = Exact<{
  input: AddDeviceInput;
}>;


export type ConnectDeviceMutation = { addDevice: { id: string } };

export type UpdateDeviceMutationVariables = Exact<{
  id: string;
  input: UpdateDeviceInput;
}>;


export type UpdateDeviceMutation = { updateDevice: { id: string } };

export type FarmOverviewQueryVariables = Exact<{
  jobs?: number | null | undefined;
  status?: Array<PrintJobStatus> | null | undefined;
}>;


export type FarmOverviewQuery = { cameras: { totalCount: number, nodes: Array<{ id: string, friendlyName: string, macAddress: string | null, createdAt: string, updatedAt: string, lastStatus: { id: string, recordedAt: string, online: boolean, batteryPct: number | null, rawBatteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null, mode: string | null, resolution: string | null, fps: number | null } | null }> }, printers: { totalCount: number, nodes: Array<{ id: string, name: string, jobs: { nodes: Array<{ id: string, printName: string, startedAt: string | null }> } }> }, queued: { totalCount: number }, printing: { totalCount: number }, completed: { totalCount: number }, cancelled: { totalCount: number }, failed: { totalCount: number }, printJobs: { totalCount: number, nodes: Array<{ id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, printer: { id: string, name: string } | null, spool: { id: string, spoolSerial: string, material: { id: string, name: string } } | null }> } };

export type ImportStockMutationVariables = Exact<{
  kind: StockKind;
  csv: string;
  confirm?: string | null | undefined;
  ignoreColumns?: Array<string> | null | undefined;
  addMaterials?: boolean | null | undefined;
  first?: number | null | undefined;
  offset?: number | null | undefined;
}>;


export type ImportStockMutation = { importStock: { creates: number, updates: number, same: number, refused: number, warnings: number, confirm: string | null, written: boolean, rows: Array<{ line: number, action: StockImportAction, number: number | null, name: string, reason: string | null, warning: string | null, changes: Array<{ column: string, from: string | null, to: string | null }> }>, missingMaterials: Array<{ name: string, densityGPerCm3: string | null }> } };

export type PrinterValuesFragment = { id: string, name: string, createdAt: string, updatedAt: string };

export type MaterialValuesFragment = { id: string, name: string, densityGPerCm3: string };

export type SpoolValuesFragment = { id: string, number: number, spoolSerial: string, filamentDiameterMm: string, weightTotalGrams: string, purchasePrice: string | null, createdAt: string, updatedAt: string, material: { id: string, name: string, densityGPerCm3: string } };

export type PrintersQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  offset?: number | null | undefined;
}>;


export type PrintersQuery = { printers: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, name: string, createdAt: string, updatedAt: string }> } };

export type SpoolsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  offset?: number | null | undefined;
}>;


export type SpoolsQuery = { spools: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, number: number, spoolSerial: string, filamentDiameterMm: string, weightTotalGrams: string, purchasePrice: string | null, createdAt: string, updatedAt: string, material: { id: string, name: string, densityGPerCm3: string } }> } };

export type MaterialsQueryVariables = Exact<{ [key: string]: never; }>;


export type MaterialsQuery = { materials: Array<{ id: string, name: string, densityGPerCm3: string }> };

export type CreatePrinterMutationVariables = Exact<{
  input: CreatePrinterInput;
}>;


export type CreatePrinterMutation = { createPrinter: { id: string, name: string, createdAt: string, updatedAt: string } };

export type UpdatePrinterMutationVariables = Exact<{
  id: string;
  input: UpdatePrinterInput;
}>;


export type UpdatePrinterMutation = { updatePrinter: { id: string, name: string, createdAt: string, updatedAt: string } };

export type CreateSpoolMutationVariables = Exact<{
  input: CreateSpoolInput;
}>;


export type CreateSpoolMutation = { createSpool: { id: string, number: number, spoolSerial: string, filamentDiameterMm: string, weightTotalGrams: string, purchasePrice: string | null, createdAt: string, updatedAt: string, material: { id: string, name: string, densityGPerCm3: string } } };

export type UpdateSpoolMutationVariables = Exact<{
  id: string;
  input: UpdateSpoolInput;
}>;


export type UpdateSpoolMutation = { updateSpool: { id: string, number: number, spoolSerial: string, filamentDiameterMm: string, weightTotalGrams: string, purchasePrice: string | null, createdAt: string, updatedAt: string, material: { id: string, name: string, densityGPerCm3: string } } };

export type CreateMaterialMutationVariables = Exact<{
  input: CreateMaterialInput;
}>;


export type CreateMaterialMutation = { createMaterial: { id: string, name: string, densityGPerCm3: string } };

export type UpdateMaterialMutationVariables = Exact<{
  id: string;
  input: UpdateMaterialInput;
}>;


export type UpdateMaterialMutation = { updateMaterial: { id: string, name: string, densityGPerCm3: string } };

export type NotificationTargetsQueryVariables = Exact<{ [key: string]: never; }>;


export type NotificationTargetsQuery = { notificationTargets: Array<{ id: string, name: string, kind: NotificationKind, url: string, enabled: boolean, state: NotificationTargetState, stateSince: string, message: string | null, waiting: number }> };

export type AddNotificationTargetMutationVariables = Exact<{
  input: AddNotificationTargetInput;
}>;


export type AddNotificationTargetMutation = { addNotificationTarget: { secret: string | null, target: { id: string } } };

export type TestNotificationTargetMutationVariables = Exact<{
  id: string;
}>;


export type TestNotificationTargetMutation = { testNotificationTarget: { delivered: boolean, message: string | null, httpStatus: number | null, certificateFingerprint: string | null } };

export type RemoveNotificationTargetMutationVariables = Exact<{
  id: string;
}>;


export type RemoveNotificationTargetMutation = { removeNotificationTarget: string };

export type ObservedPrintRowFragment = { id: string, name: string, startedAt: string | null, endedAt: string | null, outcome: PrintOutcome, reason: string | null, waitsFor: PrintWait | null, ignoredAt: string | null, printer: { id: string, name: string }, job: { id: string } | null, filament: Array<{ slot: string, mm: string | null, grams: string | null, basis: FilamentBasis, spool: { id: string, spoolSerial: string } | null }> };

export type ObservedPrintsQueryVariables = Exact<{
  filter?: ObservedPrintFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ObservedPrintsQuery = { observedPrints: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, name: string, startedAt: string | null, endedAt: string | null, outcome: PrintOutcome, reason: string | null, waitsFor: PrintWait | null, ignoredAt: string | null, printer: { id: string, name: string }, job: { id: string } | null, filament: Array<{ slot: string, mm: string | null, grams: string | null, basis: FilamentBasis, spool: { id: string, spoolSerial: string } | null }> }> } };

export type LoadSpoolMutationVariables = Exact<{
  printerId: string;
  slot?: string;
  spoolId?: string | null | undefined;
  at?: string | null | undefined;
}>;


export type LoadSpoolMutation = { loadSpool: { id: string } };

export type PrinterStatesSubscriptionVariables = Exact<{
  printerIds?: Array<string> | null | undefined;
}>;


export type PrinterStatesSubscription = { printerStateChanged: { id: string, name: string, state: { activity: PrinterActivity, progress: number | null, progressBasis: ProgressBasis | null, remainingSec: number | null, layer: number | null, layers: number | null, printName: string | null, message: string | null, heardAt: string, stale: boolean } | null } };

export type RecordPlanMutationVariables = Exact<{
  input: RecordPlanInput;
}>;


export type RecordPlanMutation = { recordPlan: { name: string, plates: Array<number> } };

export type PrintJobRowFragment = { id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, printer: { id: string, name: string } | null, spool: { id: string, spoolSerial: string, material: { id: string, name: string } } | null };

export type PrintJobValuesFragment = { gcodeFilePath: string, mmExtruded: string, dataSource: DataSource, filamentDiameterAtPrintMm: string, materialDensityAtPrint: string, notes: string | null, updatedAt: string, id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, printer: { id: string, name: string } | null, spool: { id: string, spoolSerial: string, material: { id: string, name: string } } | null };

export type PrintJobsQueryVariables = Exact<{
  filter?: PrintJobFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  offset?: number | null | undefined;
}>;


export type PrintJobsQuery = { printJobs: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, printer: { id: string, name: string } | null, spool: { id: string, spoolSerial: string, material: { id: string, name: string } } | null }> } };

export type PrintJobByIdQueryVariables = Exact<{
  id: string;
}>;


export type PrintJobByIdQuery = { printJob: { gcodeFilePath: string, mmExtruded: string, dataSource: DataSource, filamentDiameterAtPrintMm: string, materialDensityAtPrint: string, notes: string | null, updatedAt: string, id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, printer: { id: string, name: string } | null, spool: { id: string, spoolSerial: string, material: { id: string, name: string } } | null } | null };

export type CreatePrintJobMutationVariables = Exact<{
  input: CreatePrintJobInput;
}>;


export type CreatePrintJobMutation = { createPrintJob: { gcodeFilePath: string, mmExtruded: string, dataSource: DataSource, filamentDiameterAtPrintMm: string, materialDensityAtPrint: string, notes: string | null, updatedAt: string, id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, printer: { id: string, name: string } | null, spool: { id: string, spoolSerial: string, material: { id: string, name: string } } | null } };

export type UpdatePrintJobMutationVariables = Exact<{
  id: string;
  input: UpdatePrintJobInput;
}>;


export type UpdatePrintJobMutation = { updatePrintJob: { gcodeFilePath: string, mmExtruded: string, dataSource: DataSource, filamentDiameterAtPrintMm: string, materialDensityAtPrint: string, notes: string | null, updatedAt: string, id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, printer: { id: string, name: string } | null, spool: { id: string, spoolSerial: string, material: { id: string, name: string } } | null } };

export type ChangePrintJobStatusMutationVariables = Exact<{
  id: string;
  status: PrintJobStatus;
}>;


export type ChangePrintJobStatusMutation = { changePrintJobStatus: { gcodeFilePath: string, mmExtruded: string, dataSource: DataSource, filamentDiameterAtPrintMm: string, materialDensityAtPrint: string, notes: string | null, updatedAt: string, id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, printer: { id: string, name: string } | null, spool: { id: string, spoolSerial: string, material: { id: string, name: string } } | null } };

export type ChangePrintJobSpoolMutationVariables = Exact<{
  id: string;
  spoolId: string;
}>;


export type ChangePrintJobSpoolMutation = { changePrintJobSpool: { gcodeFilePath: string, mmExtruded: string, dataSource: DataSource, filamentDiameterAtPrintMm: string, materialDensityAtPrint: string, notes: string | null, updatedAt: string, id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, printer: { id: string, name: string } | null, spool: { id: string, spoolSerial: string, material: { id: string, name: string } } | null } };

export type CancelPrintJobMutationVariables = Exact<{
  id: string;
}>;


export type CancelPrintJobMutation = { cancelPrintJob: { gcodeFilePath: string, mmExtruded: string, dataSource: DataSource, filamentDiameterAtPrintMm: string, materialDensityAtPrint: string, notes: string | null, updatedAt: string, id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, printer: { id: string, name: string } | null, spool: { id: string, spoolSerial: string, material: { id: string, name: string } } | null } };

export type SetPrintJobPartsMutationVariables = Exact<{
  id: string;
  parts: Array<PrintJobPartInput>;
}>;


export type SetPrintJobPartsMutation = { setPrintJobParts: { gcodeFilePath: string, mmExtruded: string, dataSource: DataSource, filamentDiameterAtPrintMm: string, materialDensityAtPrint: string, notes: string | null, updatedAt: string, id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, printer: { id: string, name: string } | null, spool: { id: string, spoolSerial: string, material: { id: string, name: string } } | null } };

export type SpoolmanImportFieldsFragment = { id: string, source: string, state: SpoolmanImportState, message: string | null, read: number, creates: number, updates: number, same: number, kept: number, refused: number, gone: number, withoutTare: number, confirm: string | null };

export type ReadSpoolmanMutationVariables = Exact<{
  input: ReadSpoolmanInput;
}>;


export type ReadSpoolmanMutation = { readSpoolman: { id: string, source: string, state: SpoolmanImportState, message: string | null, read: number, creates: number, updates: number, same: number, kept: number, refused: number, gone: number, withoutTare: number, confirm: string | null } };

export type WriteSpoolmanImportMutationVariables = Exact<{
  id: string;
  confirm: string;
  withoutRefused: boolean;
}>;


export type WriteSpoolmanImportMutation = { writeSpoolmanImport: { id: string, source: string, state: SpoolmanImportState, message: string | null, read: number, creates: number, updates: number, same: number, kept: number, refused: number, gone: number, withoutTare: number, confirm: string | null } };

export type SpoolmanImportQueryVariables = Exact<{
  id: string;
  actions?: Array<SpoolmanAction> | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type SpoolmanImportQuery = { spoolmanImport: { id: string, source: string, state: SpoolmanImportState, message: string | null, read: number, creates: number, updates: number, same: number, kept: number, refused: number, gone: number, withoutTare: number, confirm: string | null, rows: { totalCount: number, nodes: Array<{ kind: SpoolmanKind, spoolmanId: number | null, action: SpoolmanAction, number: number | null, name: string, reason: string | null, changes: Array<{ member: string, from: string | null, to: string | null }> }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } } | null };

export type FilamentValuesFragment = { id: string, number: number, name: string, vendor: string | null, minimumGrams: string | null, stock: { spools: number, remainingGrams: string, plannedGrams: string, freeGrams: string, isLow: boolean } };

export type FilamentsQueryVariables = Exact<{
  archived?: boolean | null | undefined;
  search?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type FilamentsQuery = { filaments: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, number: number, name: string, vendor: string | null, minimumGrams: string | null, stock: { spools: number, remainingGrams: string, plannedGrams: string, freeGrams: string, isLow: boolean } }> } };

export type CreateFilamentMutationVariables = Exact<{
  input: CreateFilamentInput;
}>;


export type CreateFilamentMutation = { createFilament: { id: string, number: number, name: string, vendor: string | null, minimumGrams: string | null, stock: { spools: number, remainingGrams: string, plannedGrams: string, freeGrams: string, isLow: boolean } } };

export type WeighSpoolMutationVariables = Exact<{
  id: string;
  input: WeighSpoolInput;
}>;


export type WeighSpoolMutation = { weighSpool: { id: string, grams: string, spool: { id: string, number: number, spoolSerial: string, filamentDiameterMm: string, weightTotalGrams: string, purchasePrice: string | null, createdAt: string, updatedAt: string, material: { id: string, name: string, densityGPerCm3: string } } | null } };


export type TypedDocument<Result, Variables> = TypedDocumentNode<Result, Variables> & {
  readonly loc: { readonly source: { readonly body: string } };
};
interface Definition {
  text: string;
  makeNode: () => unknown;
  node?: unknown;
}
function documentOf<Result, Variables>(...definitions: Definition[]): TypedDocument<Result, Variables> {
  const body = definitions.map(({ text }) => text).join('\n\n');
  const source = { body, name: 'GraphQL request', locationOffset: { line: 1, column: 1 } };
  const loc = { start: 0, end: body.length, source };
  let nodes: unknown[] | undefined;
  const document: unknown = {
    kind: 'Document',
    get definitions() {
      nodes ??= definitions.map(getNode);
      return nodes;
    },
    loc,
  };
  return document as TypedDocument<Result, Variables>;
}
function getNode(definition: Definition): unknown {
  definition.node ??= definition.makeNode();
  return definition.node;
}
const CameraStatusValues: Definition = { text: "fragment CameraStatusValues on CameraStatus {\n  id\n  recordedAt\n  online\n  batteryPct\n  rawBatteryPct\n  videoRemainingSec\n  recordingState\n  mode\n  resolution\n  fps\n}", makeNode: () => ({"kind":"FragmentDefinition","name":{"kind":"Name","value":"CameraStatusValues"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CameraStatus"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"recordedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"online"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"batteryPct"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"rawBatteryPct"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"videoRemainingSec"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"recordingState"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mode"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resolution"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"fps"},"arguments":[],"directives":[]}]}}) };
const CameraWithStatus: Definition = { text: "fragment CameraWithStatus on Camera {\n  id\n  friendlyName\n  macAddress\n  createdAt\n  updatedAt\n  lastStatus {\n    ...CameraStatusValues\n  }\n}", makeNode: () => ({"kind":"FragmentDefinition","name":{"kind":"Name","value":"CameraWithStatus"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Camera"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"friendlyName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"macAddress"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastStatus"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CameraStatusValues"},"directives":[]}]}}]}}) };
const PrinterValues: Definition = { text: "fragment PrinterValues on Printer {\n  id\n  name\n  createdAt\n  updatedAt\n}", makeNode: () => ({"kind":"FragmentDefinition","name":{"kind":"Name","value":"PrinterValues"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Printer"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]}]}}) };
const MaterialValues: Definition = { text: "fragment MaterialValues on Material {\n  id\n  name\n  densityGPerCm3\n}", makeNode: () => ({"kind":"FragmentDefinition","name":{"kind":"Name","value":"MaterialValues"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Material"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"densityGPerCm3"},"arguments":[],"directives":[]}]}}) };
const SpoolValues: Definition = { text: "fragment SpoolValues on Spool {\n  id\n  number\n  spoolSerial\n  filamentDiameterMm\n  weightTotalGrams\n  purchasePrice\n  createdAt\n  updatedAt\n  material {\n    ...MaterialValues\n  }\n}", makeNode: () => ({"kind":"FragmentDefinition","name":{"kind":"Name","value":"SpoolValues"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Spool"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"number"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"spoolSerial"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"filamentDiameterMm"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"weightTotalGrams"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"purchasePrice"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"material"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MaterialValues"},"directives":[]}]}}]}}) };
const ObservedPrintRow: Definition = { text: "fragment ObservedPrintRow on ObservedPrint {\n  id\n  name\n  startedAt\n  endedAt\n  outcome\n  reason\n  waitsFor\n  ignoredAt\n  printer {\n    id\n    name\n  }\n  job {\n    id\n  }\n  filament {\n    slot\n    mm\n    grams\n    basis\n    spool {\n      id\n      spoolSerial\n    }\n  }\n}", makeNode: () => ({"kind":"FragmentDefinition","name":{"kind":"Name","value":"ObservedPrintRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ObservedPrint"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"startedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"outcome"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"reason"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"waitsFor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ignoredAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"printer"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"job"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"filament"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"slot"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mm"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"grams"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"basis"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"spool"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"spoolSerial"},"arguments":[],"directives":[]}]}}]}}]}}) };
const PrintJobRow: Definition = { text: "fragment PrintJobRow on PrintJob {\n  id\n  printName\n  status\n  allowedTransitions\n  gramsDerived\n  costPerPrint\n  startedAt\n  completedAt\n  createdAt\n  printer {\n    id\n    name\n  }\n  spool {\n    id\n    spoolSerial\n    material {\n      id\n      name\n    }\n  }\n}", makeNode: () => ({"kind":"FragmentDefinition","name":{"kind":"Name","value":"PrintJobRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PrintJob"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"printName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"status"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"allowedTransitions"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"gramsDerived"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"costPerPrint"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"startedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"completedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"printer"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"spool"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"spoolSerial"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"material"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]}]}}]}}]}}) };
const PrintJobValues: Definition = { text: "fragment PrintJobValues on PrintJob {\n  ...PrintJobRow\n  gcodeFilePath\n  mmExtruded\n  dataSource\n  filamentDiameterAtPrintMm\n  materialDensityAtPrint\n  notes\n  updatedAt\n}", makeNode: () => ({"kind":"FragmentDefinition","name":{"kind":"Name","value":"PrintJobValues"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PrintJob"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrintJobRow"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"gcodeFilePath"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mmExtruded"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"dataSource"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"filamentDiameterAtPrintMm"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"materialDensityAtPrint"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"notes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]}]}}) };
const SpoolmanImportFields: Definition = { text: "fragment SpoolmanImportFields on SpoolmanImport {\n  id\n  source\n  state\n  message\n  read\n  creates\n  updates\n  same\n  kept\n  refused\n  gone\n  withoutTare\n  confirm\n}", makeNode: () => ({"kind":"FragmentDefinition","name":{"kind":"Name","value":"SpoolmanImportFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpoolmanImport"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"source"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"state"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"read"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"creates"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updates"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"same"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"kept"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"refused"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"gone"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"withoutTare"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"confirm"},"arguments":[],"directives":[]}]}}) };
const FilamentValues: Definition = { text: "fragment FilamentValues on Filament {\n  id\n  number\n  name\n  vendor\n  minimumGrams\n  stock {\n    spools\n    remainingGrams\n    plannedGrams\n    freeGrams\n    isLow\n  }\n}", makeNode: () => ({"kind":"FragmentDefinition","name":{"kind":"Name","value":"FilamentValues"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Filament"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"number"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"vendor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"minimumGrams"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"stock"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"spools"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"remainingGrams"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"plannedGrams"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"freeGrams"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"isLow"},"arguments":[],"directives":[]}]}}]}}) };
export const SilenceAlertDocument = /* #__PURE__ */ documentOf<SilenceAlertMutation, SilenceAlertMutationVariables>({ text: "mutation SilenceAlert($kind: AlertKind!, $id: ID!, $until: DateTime) {\n  silenceAlert(kind: $kind, id: $id, until: $until) {\n    message\n    silence {\n      by\n      at\n      until\n    }\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SilenceAlert"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"kind"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AlertKind"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"until"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"silenceAlert"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"kind"},"value":{"kind":"Variable","name":{"kind":"Name","value":"kind"}}},{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"until"},"value":{"kind":"Variable","name":{"kind":"Name","value":"until"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"silence"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"by"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"at"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"until"},"arguments":[],"directives":[]}]}}]}}]}}) });
export const EndSilenceDocument = /* #__PURE__ */ documentOf<EndSilenceMutation, EndSilenceMutationVariables>({ text: "mutation EndSilence($kind: AlertKind!, $id: ID!) {\n  endSilence(kind: $kind, id: $id) {\n    message\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"EndSilence"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"kind"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AlertKind"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endSilence"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"kind"},"value":{"kind":"Variable","name":{"kind":"Name","value":"kind"}}},{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]}]}}]}}) });
export const CamerasDocument = /* #__PURE__ */ documentOf<CamerasQuery, CamerasQueryVariables>({ text: "query Cameras($filter: CameraFilter, $first: Int, $after: String, $offset: Int) {\n  cameras(filter: $filter, first: $first, after: $after, offset: $offset) {\n    totalCount\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    nodes {\n      ...CameraWithStatus\n    }\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Cameras"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"CameraFilter"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"offset"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cameras"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"offset"},"value":{"kind":"Variable","name":{"kind":"Name","value":"offset"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CameraWithStatus"},"directives":[]}]}}]}}]}}) }, CameraWithStatus, CameraStatusValues);
export const CameraDetailDocument = /* #__PURE__ */ documentOf<CameraDetailQuery, CameraDetailQueryVariables>({ text: "query CameraDetail($id: ID!, $from: DateTime, $to: DateTime, $records: Int = 100) {\n  camera(id: $id) {\n    ...CameraWithStatus\n    history(from: $from, to: $to, first: $records) {\n      ...CameraStatusValues\n    }\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CameraDetail"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"to"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"records"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"100"},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"camera"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CameraWithStatus"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"history"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"records"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CameraStatusValues"},"directives":[]}]}}]}}]}}) }, CameraWithStatus, CameraStatusValues);
export const RegisterCameraDocument = /* #__PURE__ */ documentOf<RegisterCameraMutation, RegisterCameraMutationVariables>({ text: "mutation RegisterCamera($input: RegisterCameraInput!) {\n  registerCamera(input: $input) {\n    ...CameraWithStatus\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RegisterCamera"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RegisterCameraInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"registerCamera"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CameraWithStatus"},"directives":[]}]}}]}}) }, CameraWithStatus, CameraStatusValues);
export const UpdateCameraDocument = /* #__PURE__ */ documentOf<UpdateCameraMutation, UpdateCameraMutationVariables>({ text: "mutation UpdateCamera($id: ID!, $input: UpdateCameraInput!) {\n  updateCamera(id: $id, input: $input) {\n    ...CameraWithStatus\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateCamera"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateCameraInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateCamera"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CameraWithStatus"},"directives":[]}]}}]}}) }, CameraWithStatus, CameraStatusValues);
export const RecordCameraStatusesDocument = /* #__PURE__ */ documentOf<RecordCameraStatusesMutation, RecordCameraStatusesMutationVariables>({ text: "mutation RecordCameraStatuses($input: [CameraStatusInput!]!) {\n  recordCameraStatuses(input: $input) {\n    cameraId\n    ...CameraStatusValues\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RecordCameraStatuses"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CameraStatusInput"}}}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recordCameraStatuses"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cameraId"},"arguments":[],"directives":[]},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CameraStatusValues"},"directives":[]}]}}]}}) }, CameraStatusValues);
export const LatestChangeCursorDocument = /* #__PURE__ */ documentOf<LatestChangeCursorQuery, LatestChangeCursorQueryVariables>({ text: "query LatestChangeCursor {\n  latestChangeCursor\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"LatestChangeCursor"},"variableDefinitions":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"latestChangeCursor"},"arguments":[],"directives":[]}]}}) });
export const FarmChangesDocument = /* #__PURE__ */ documentOf<FarmChangesSubscription, FarmChangesSubscriptionVariables>({ text: "subscription FarmChanges($after: String) {\n  changes(after: $after) {\n    cursor\n    __typename\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"FarmChanges"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"changes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"},"arguments":[],"directives":[]}]}}]}}) });
export const PrintJobChangesDocument = /* #__PURE__ */ documentOf<PrintJobChangesSubscription, PrintJobChangesSubscriptionVariables>({ text: "subscription PrintJobChanges($filter: PrintJobFilter, $after: String) {\n  printJobChanged(filter: $filter, after: $after) {\n    cursor\n    at\n    kind\n    jobId\n    fromStatus\n    toStatus\n    job {\n      ...PrintJobRow\n    }\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"PrintJobChanges"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"PrintJobFilter"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"printJobChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"at"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jobId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"fromStatus"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"toStatus"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"job"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrintJobRow"},"directives":[]}]}}]}}]}}) }, PrintJobRow);
export const CameraStatusesDocument = /* #__PURE__ */ documentOf<CameraStatusesSubscription, CameraStatusesSubscriptionVariables>({ text: "subscription CameraStatuses($cameraIds: [ID!], $after: String) {\n  cameraStatusRecorded(cameraIds: $cameraIds, after: $after) {\n    cursor\n    at\n    camera {\n      id\n      friendlyName\n    }\n    status {\n      ...CameraStatusValues\n    }\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"CameraStatuses"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"cameraIds"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cameraStatusRecorded"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"cameraIds"},"value":{"kind":"Variable","name":{"kind":"Name","value":"cameraIds"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"at"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"camera"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"friendlyName"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"status"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CameraStatusValues"},"directives":[]}]}}]}}]}}) }, CameraStatusValues);
export const DevicesDocument = /* #__PURE__ */ documentOf<DevicesQuery, DevicesQueryVariables>({ text: "query Devices {\n  devices {\n    id\n    kind\n    address\n    enabled\n    printer {\n      id\n      name\n    }\n    camera {\n      id\n      friendlyName\n    }\n    connection {\n      state\n      since\n      lastMessageAt\n      fault\n      message\n    }\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Devices"},"variableDefinitions":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"devices"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"address"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"enabled"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"printer"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"camera"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"friendlyName"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"connection"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"since"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastMessageAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"fault"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]}]}}]}}]}}) });
export const ConnectDeviceDocument = /* #__PURE__ */ documentOf<ConnectDeviceMutation, ConnectDeviceMutationVariables>({ text: "mutation ConnectDevice($input: AddDeviceInput!) {\n  addDevice(input: $input) {\n    id\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ConnectDevice"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AddDeviceInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"addDevice"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]}]}}]}}) });
export const UpdateDeviceDocument = /* #__PURE__ */ documentOf<UpdateDeviceMutation, UpdateDeviceMutationVariables>({ text: "mutation UpdateDevice($id: ID!, $input: UpdateDeviceInput!) {\n  updateDevice(id: $id, input: $input) {\n    id\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateDevice"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateDeviceInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateDevice"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]}]}}]}}) });
export const FarmOverviewDocument = /* #__PURE__ */ documentOf<FarmOverviewQuery, FarmOverviewQueryVariables>({ text: "query FarmOverview($jobs: Int = 50, $status: [PrintJobStatus!]) {\n  cameras {\n    totalCount\n    nodes {\n      ...CameraWithStatus\n    }\n  }\n  printers(first: 200) {\n    totalCount\n    nodes {\n      id\n      name\n      jobs(first: 1, filter: {status: [PRINTING]}) {\n        nodes {\n          id\n          printName\n          startedAt\n        }\n      }\n    }\n  }\n  queued: printJobs(filter: {status: [QUEUED]}, first: 1) {\n    totalCount\n  }\n  printing: printJobs(filter: {status: [PRINTING]}, first: 1) {\n    totalCount\n  }\n  completed: printJobs(filter: {status: [COMPLETED]}, first: 1) {\n    totalCount\n  }\n  cancelled: printJobs(filter: {status: [CANCELLED]}, first: 1) {\n    totalCount\n  }\n  failed: printJobs(filter: {status: [FAILED]}, first: 1) {\n    totalCount\n  }\n  printJobs(first: $jobs, filter: {status: $status}) {\n    totalCount\n    nodes {\n      ...PrintJobRow\n    }\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FarmOverview"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"jobs"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"50"},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"status"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PrintJobStatus"}}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cameras"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CameraWithStatus"},"directives":[]}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"printers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jobs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"PRINTING"}]}}]}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"printName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"startedAt"},"arguments":[],"directives":[]}]}}]}}]}}]}},{"kind":"Field","alias":{"kind":"Name","value":"queued"},"name":{"kind":"Name","value":"printJobs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"QUEUED"}]}}]}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]}]}},{"kind":"Field","alias":{"kind":"Name","value":"printing"},"name":{"kind":"Name","value":"printJobs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"PRINTING"}]}}]}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]}]}},{"kind":"Field","alias":{"kind":"Name","value":"completed"},"name":{"kind":"Name","value":"printJobs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"COMPLETED"}]}}]}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]}]}},{"kind":"Field","alias":{"kind":"Name","value":"cancelled"},"name":{"kind":"Name","value":"printJobs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"CANCELLED"}]}}]}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]}]}},{"kind":"Field","alias":{"kind":"Name","value":"failed"},"name":{"kind":"Name","value":"printJobs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"FAILED"}]}}]}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"printJobs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"jobs"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"Variable","name":{"kind":"Name","value":"status"}}}]}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrintJobRow"},"directives":[]}]}}]}}]}}) }, CameraWithStatus, CameraStatusValues, PrintJobRow);
export const ImportStockDocument = /* #__PURE__ */ documentOf<ImportStockMutation, ImportStockMutationVariables>({ text: "\"What each row of a CSV file would do. With the confirm of that answer it is written.\"\nmutation ImportStock($kind: StockKind!, $csv: String!, $confirm: String, $ignoreColumns: [String!], $addMaterials: Boolean, $first: Int, $offset: Int) {\n  importStock(\n    kind: $kind\n    csv: $csv\n    confirm: $confirm\n    ignoreColumns: $ignoreColumns\n    addMaterials: $addMaterials\n  ) {\n    rows(first: $first, offset: $offset) {\n      line\n      action\n      number\n      name\n      reason\n      warning\n      changes {\n        column\n        from\n        to\n      }\n    }\n    creates\n    updates\n    same\n    refused\n    warnings\n    missingMaterials {\n      name\n      densityGPerCm3\n    }\n    confirm\n    written\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","description":{"kind":"StringValue","value":"What each row of a CSV file would do. With the confirm of that answer it is written.","block":false},"name":{"kind":"Name","value":"ImportStock"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"kind"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"StockKind"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"csv"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"confirm"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ignoreColumns"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"addMaterials"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"offset"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"importStock"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"kind"},"value":{"kind":"Variable","name":{"kind":"Name","value":"kind"}}},{"kind":"Argument","name":{"kind":"Name","value":"csv"},"value":{"kind":"Variable","name":{"kind":"Name","value":"csv"}}},{"kind":"Argument","name":{"kind":"Name","value":"confirm"},"value":{"kind":"Variable","name":{"kind":"Name","value":"confirm"}}},{"kind":"Argument","name":{"kind":"Name","value":"ignoreColumns"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ignoreColumns"}}},{"kind":"Argument","name":{"kind":"Name","value":"addMaterials"},"value":{"kind":"Variable","name":{"kind":"Name","value":"addMaterials"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rows"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"offset"},"value":{"kind":"Variable","name":{"kind":"Name","value":"offset"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"line"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"action"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"number"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"reason"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"warning"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"changes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"column"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"from"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"to"},"arguments":[],"directives":[]}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"creates"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updates"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"same"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"refused"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"missingMaterials"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"densityGPerCm3"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"confirm"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"written"},"arguments":[],"directives":[]}]}}]}}) });
export const PrintersDocument = /* #__PURE__ */ documentOf<PrintersQuery, PrintersQueryVariables>({ text: "query Printers($first: Int = 50, $after: String, $offset: Int) {\n  printers(first: $first, after: $after, offset: $offset) {\n    totalCount\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    nodes {\n      ...PrinterValues\n    }\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Printers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"50"},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"offset"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"printers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"offset"},"value":{"kind":"Variable","name":{"kind":"Name","value":"offset"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrinterValues"},"directives":[]}]}}]}}]}}) }, PrinterValues);
export const SpoolsDocument = /* #__PURE__ */ documentOf<SpoolsQuery, SpoolsQueryVariables>({ text: "query Spools($first: Int = 50, $after: String, $offset: Int) {\n  spools(first: $first, after: $after, offset: $offset) {\n    totalCount\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    nodes {\n      ...SpoolValues\n    }\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Spools"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"50"},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"offset"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"spools"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"offset"},"value":{"kind":"Variable","name":{"kind":"Name","value":"offset"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SpoolValues"},"directives":[]}]}}]}}]}}) }, SpoolValues, MaterialValues);
export const MaterialsDocument = /* #__PURE__ */ documentOf<MaterialsQuery, MaterialsQueryVariables>({ text: "query Materials {\n  materials {\n    ...MaterialValues\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Materials"},"variableDefinitions":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"materials"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MaterialValues"},"directives":[]}]}}]}}) }, MaterialValues);
export const CreatePrinterDocument = /* #__PURE__ */ documentOf<CreatePrinterMutation, CreatePrinterMutationVariables>({ text: "mutation CreatePrinter($input: CreatePrinterInput!) {\n  createPrinter(input: $input) {\n    ...PrinterValues\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreatePrinter"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreatePrinterInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createPrinter"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrinterValues"},"directives":[]}]}}]}}) }, PrinterValues);
export const UpdatePrinterDocument = /* #__PURE__ */ documentOf<UpdatePrinterMutation, UpdatePrinterMutationVariables>({ text: "mutation UpdatePrinter($id: ID!, $input: UpdatePrinterInput!) {\n  updatePrinter(id: $id, input: $input) {\n    ...PrinterValues\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdatePrinter"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdatePrinterInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updatePrinter"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrinterValues"},"directives":[]}]}}]}}) }, PrinterValues);
export const CreateSpoolDocument = /* #__PURE__ */ documentOf<CreateSpoolMutation, CreateSpoolMutationVariables>({ text: "mutation CreateSpool($input: CreateSpoolInput!) {\n  createSpool(input: $input) {\n    ...SpoolValues\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateSpool"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateSpoolInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createSpool"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SpoolValues"},"directives":[]}]}}]}}) }, SpoolValues, MaterialValues);
export const UpdateSpoolDocument = /* #__PURE__ */ documentOf<UpdateSpoolMutation, UpdateSpoolMutationVariables>({ text: "mutation UpdateSpool($id: ID!, $input: UpdateSpoolInput!) {\n  updateSpool(id: $id, input: $input) {\n    ...SpoolValues\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateSpool"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateSpoolInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateSpool"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SpoolValues"},"directives":[]}]}}]}}) }, SpoolValues, MaterialValues);
export const CreateMaterialDocument = /* #__PURE__ */ documentOf<CreateMaterialMutation, CreateMaterialMutationVariables>({ text: "mutation CreateMaterial($input: CreateMaterialInput!) {\n  createMaterial(input: $input) {\n    ...MaterialValues\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateMaterial"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateMaterialInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createMaterial"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MaterialValues"},"directives":[]}]}}]}}) }, MaterialValues);
export const UpdateMaterialDocument = /* #__PURE__ */ documentOf<UpdateMaterialMutation, UpdateMaterialMutationVariables>({ text: "mutation UpdateMaterial($id: ID!, $input: UpdateMaterialInput!) {\n  updateMaterial(id: $id, input: $input) {\n    ...MaterialValues\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateMaterial"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateMaterialInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateMaterial"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MaterialValues"},"directives":[]}]}}]}}) }, MaterialValues);
export const NotificationTargetsDocument = /* #__PURE__ */ documentOf<NotificationTargetsQuery, NotificationTargetsQueryVariables>({ text: "query NotificationTargets {\n  notificationTargets {\n    id\n    name\n    kind\n    url\n    enabled\n    state\n    stateSince\n    message\n    waiting\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"NotificationTargets"},"variableDefinitions":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"notificationTargets"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"url"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"enabled"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"state"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"stateSince"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"waiting"},"arguments":[],"directives":[]}]}}]}}) });
export const AddNotificationTargetDocument = /* #__PURE__ */ documentOf<AddNotificationTargetMutation, AddNotificationTargetMutationVariables>({ text: "mutation AddNotificationTarget($input: AddNotificationTargetInput!) {\n  addNotificationTarget(input: $input) {\n    target {\n      id\n    }\n    secret\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AddNotificationTarget"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AddNotificationTargetInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"addNotificationTarget"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"target"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"secret"},"arguments":[],"directives":[]}]}}]}}) });
export const TestNotificationTargetDocument = /* #__PURE__ */ documentOf<TestNotificationTargetMutation, TestNotificationTargetMutationVariables>({ text: "mutation TestNotificationTarget($id: ID!) {\n  testNotificationTarget(id: $id) {\n    delivered\n    message\n    httpStatus\n    certificateFingerprint\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"TestNotificationTarget"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"testNotificationTarget"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"delivered"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"certificateFingerprint"},"arguments":[],"directives":[]}]}}]}}) });
export const RemoveNotificationTargetDocument = /* #__PURE__ */ documentOf<RemoveNotificationTargetMutation, RemoveNotificationTargetMutationVariables>({ text: "mutation RemoveNotificationTarget($id: ID!) {\n  removeNotificationTarget(id: $id)\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RemoveNotificationTarget"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"removeNotificationTarget"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[]}]}}) });
export const ObservedPrintsDocument = /* #__PURE__ */ documentOf<ObservedPrintsQuery, ObservedPrintsQueryVariables>({ text: "query ObservedPrints($filter: ObservedPrintFilter, $first: Int = 20, $after: String) {\n  observedPrints(filter: $filter, first: $first, after: $after) {\n    totalCount\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    nodes {\n      ...ObservedPrintRow\n    }\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ObservedPrints"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ObservedPrintFilter"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"20"},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"observedPrints"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ObservedPrintRow"},"directives":[]}]}}]}}]}}) }, ObservedPrintRow);
export const LoadSpoolDocument = /* #__PURE__ */ documentOf<LoadSpoolMutation, LoadSpoolMutationVariables>({ text: "mutation LoadSpool($printerId: ID!, $slot: String! = \"tool:0\", $spoolId: ID, $at: DateTime) {\n  loadSpool(printerId: $printerId, slot: $slot, spoolId: $spoolId, at: $at) {\n    id\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"LoadSpool"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"printerId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"slot"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},"defaultValue":{"kind":"StringValue","value":"tool:0","block":false},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"spoolId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"at"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"loadSpool"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"printerId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"printerId"}}},{"kind":"Argument","name":{"kind":"Name","value":"slot"},"value":{"kind":"Variable","name":{"kind":"Name","value":"slot"}}},{"kind":"Argument","name":{"kind":"Name","value":"spoolId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"spoolId"}}},{"kind":"Argument","name":{"kind":"Name","value":"at"},"value":{"kind":"Variable","name":{"kind":"Name","value":"at"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]}]}}]}}) });
export const PrinterStatesDocument = /* #__PURE__ */ documentOf<PrinterStatesSubscription, PrinterStatesSubscriptionVariables>({ text: "subscription PrinterStates($printerIds: [ID!]) {\n  printerStateChanged(printerIds: $printerIds) {\n    id\n    name\n    state {\n      activity\n      progress\n      progressBasis\n      remainingSec\n      layer\n      layers\n      printName\n      message\n      heardAt\n      stale\n    }\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"PrinterStates"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"printerIds"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"printerStateChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"printerIds"},"value":{"kind":"Variable","name":{"kind":"Name","value":"printerIds"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"state"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"activity"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"progress"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"progressBasis"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"remainingSec"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"layer"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"layers"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"printName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"heardAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"stale"},"arguments":[],"directives":[]}]}}]}}]}}) });
export const RecordPlanDocument = /* #__PURE__ */ documentOf<RecordPlanMutation, RecordPlanMutationVariables>({ text: "mutation RecordPlan($input: RecordPlanInput!) {\n  recordPlan(input: $input) {\n    name\n    plates\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RecordPlan"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RecordPlanInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recordPlan"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"plates"},"arguments":[],"directives":[]}]}}]}}) });
export const PrintJobsDocument = /* #__PURE__ */ documentOf<PrintJobsQuery, PrintJobsQueryVariables>({ text: "query PrintJobs($filter: PrintJobFilter, $first: Int = 20, $after: String, $offset: Int) {\n  printJobs(filter: $filter, first: $first, after: $after, offset: $offset) {\n    totalCount\n    pageInfo {\n      hasNextPage\n      hasPreviousPage\n      startCursor\n      endCursor\n    }\n    nodes {\n      ...PrintJobRow\n    }\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PrintJobs"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"PrintJobFilter"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"20"},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"offset"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"printJobs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"offset"},"value":{"kind":"Variable","name":{"kind":"Name","value":"offset"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"startCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrintJobRow"},"directives":[]}]}}]}}]}}) }, PrintJobRow);
export const PrintJobByIdDocument = /* #__PURE__ */ documentOf<PrintJobByIdQuery, PrintJobByIdQueryVariables>({ text: "query PrintJobById($id: ID!) {\n  printJob(id: $id) {\n    ...PrintJobValues\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PrintJobById"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"printJob"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrintJobValues"},"directives":[]}]}}]}}) }, PrintJobValues, PrintJobRow);
export const CreatePrintJobDocument = /* #__PURE__ */ documentOf<CreatePrintJobMutation, CreatePrintJobMutationVariables>({ text: "mutation CreatePrintJob($input: CreatePrintJobInput!) {\n  createPrintJob(input: $input) {\n    ...PrintJobValues\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreatePrintJob"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreatePrintJobInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createPrintJob"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrintJobValues"},"directives":[]}]}}]}}) }, PrintJobValues, PrintJobRow);
export const UpdatePrintJobDocument = /* #__PURE__ */ documentOf<UpdatePrintJobMutation, UpdatePrintJobMutationVariables>({ text: "mutation UpdatePrintJob($id: ID!, $input: UpdatePrintJobInput!) {\n  updatePrintJob(id: $id, input: $input) {\n    ...PrintJobValues\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdatePrintJob"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdatePrintJobInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updatePrintJob"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrintJobValues"},"directives":[]}]}}]}}) }, PrintJobValues, PrintJobRow);
export const ChangePrintJobStatusDocument = /* #__PURE__ */ documentOf<ChangePrintJobStatusMutation, ChangePrintJobStatusMutationVariables>({ text: "mutation ChangePrintJobStatus($id: ID!, $status: PrintJobStatus!) {\n  changePrintJobStatus(id: $id, status: $status) {\n    ...PrintJobValues\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ChangePrintJobStatus"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"status"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PrintJobStatus"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"changePrintJobStatus"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"status"},"value":{"kind":"Variable","name":{"kind":"Name","value":"status"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrintJobValues"},"directives":[]}]}}]}}) }, PrintJobValues, PrintJobRow);
export const ChangePrintJobSpoolDocument = /* #__PURE__ */ documentOf<ChangePrintJobSpoolMutation, ChangePrintJobSpoolMutationVariables>({ text: "mutation ChangePrintJobSpool($id: ID!, $spoolId: ID!) {\n  changePrintJobSpool(id: $id, spoolId: $spoolId) {\n    ...PrintJobValues\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ChangePrintJobSpool"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"spoolId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"changePrintJobSpool"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"spoolId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"spoolId"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrintJobValues"},"directives":[]}]}}]}}) }, PrintJobValues, PrintJobRow);
export const CancelPrintJobDocument = /* #__PURE__ */ documentOf<CancelPrintJobMutation, CancelPrintJobMutationVariables>({ text: "mutation CancelPrintJob($id: ID!) {\n  cancelPrintJob(id: $id) {\n    ...PrintJobValues\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CancelPrintJob"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cancelPrintJob"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrintJobValues"},"directives":[]}]}}]}}) }, PrintJobValues, PrintJobRow);
export const SetPrintJobPartsDocument = /* #__PURE__ */ documentOf<SetPrintJobPartsMutation, SetPrintJobPartsMutationVariables>({ text: "mutation SetPrintJobParts($id: ID!, $parts: [PrintJobPartInput!]!) {\n  setPrintJobParts(id: $id, parts: $parts) {\n    ...PrintJobValues\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SetPrintJobParts"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"parts"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PrintJobPartInput"}}}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setPrintJobParts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"parts"},"value":{"kind":"Variable","name":{"kind":"Name","value":"parts"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PrintJobValues"},"directives":[]}]}}]}}) }, PrintJobValues, PrintJobRow);
export const ReadSpoolmanDocument = /* #__PURE__ */ documentOf<ReadSpoolmanMutation, ReadSpoolmanMutationVariables>({ text: "\"Reads a Spoolman or its export files. Ask SpoolmanImport until its state is no longer READING.\"\nmutation ReadSpoolman($input: ReadSpoolmanInput!) {\n  readSpoolman(input: $input) {\n    ...SpoolmanImportFields\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","description":{"kind":"StringValue","value":"Reads a Spoolman or its export files. Ask SpoolmanImport until its state is no longer READING.","block":false},"name":{"kind":"Name","value":"ReadSpoolman"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ReadSpoolmanInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"readSpoolman"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SpoolmanImportFields"},"directives":[]}]}}]}}) }, SpoolmanImportFields);
export const WriteSpoolmanImportDocument = /* #__PURE__ */ documentOf<WriteSpoolmanImportMutation, WriteSpoolmanImportMutationVariables>({ text: "\"Writes everything that an import shows, or nothing.\"\nmutation WriteSpoolmanImport($id: ID!, $confirm: String!, $withoutRefused: Boolean!) {\n  writeSpoolmanImport(id: $id, confirm: $confirm, withoutRefused: $withoutRefused) {\n    ...SpoolmanImportFields\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","description":{"kind":"StringValue","value":"Writes everything that an import shows, or nothing.","block":false},"name":{"kind":"Name","value":"WriteSpoolmanImport"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"confirm"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"withoutRefused"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"writeSpoolmanImport"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"confirm"},"value":{"kind":"Variable","name":{"kind":"Name","value":"confirm"}}},{"kind":"Argument","name":{"kind":"Name","value":"withoutRefused"},"value":{"kind":"Variable","name":{"kind":"Name","value":"withoutRefused"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SpoolmanImportFields"},"directives":[]}]}}]}}) }, SpoolmanImportFields);
export const SpoolmanImportDocument = /* #__PURE__ */ documentOf<SpoolmanImportQuery, SpoolmanImportQueryVariables>({ text: "\"The state of an import, and a page of its rows.\"\nquery SpoolmanImport($id: ID!, $actions: [SpoolmanAction!], $first: Int = 50, $after: String) {\n  spoolmanImport(id: $id) {\n    ...SpoolmanImportFields\n    rows(actions: $actions, first: $first, after: $after) {\n      nodes {\n        kind\n        spoolmanId\n        action\n        number\n        name\n        reason\n        changes {\n          member\n          from\n          to\n        }\n      }\n      pageInfo {\n        endCursor\n        hasNextPage\n      }\n      totalCount\n    }\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"query","description":{"kind":"StringValue","value":"The state of an import, and a page of its rows.","block":false},"name":{"kind":"Name","value":"SpoolmanImport"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"actions"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SpoolmanAction"}}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"50"},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"spoolmanImport"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SpoolmanImportFields"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"rows"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"actions"},"value":{"kind":"Variable","name":{"kind":"Name","value":"actions"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"spoolmanId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"action"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"number"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"reason"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"changes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"member"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"from"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"to"},"arguments":[],"directives":[]}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]}]}}]}}]}}) }, SpoolmanImportFields);
export const FilamentsDocument = /* #__PURE__ */ documentOf<FilamentsQuery, FilamentsQueryVariables>({ text: "query Filaments($archived: Boolean, $search: String, $first: Int = 50, $after: String) {\n  filaments(archived: $archived, search: $search, first: $first, after: $after) {\n    totalCount\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    nodes {\n      ...FilamentValues\n    }\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Filaments"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"archived"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"search"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"50"},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"filaments"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"archived"},"value":{"kind":"Variable","name":{"kind":"Name","value":"archived"}}},{"kind":"Argument","name":{"kind":"Name","value":"search"},"value":{"kind":"Variable","name":{"kind":"Name","value":"search"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FilamentValues"},"directives":[]}]}}]}}]}}) }, FilamentValues);
export const CreateFilamentDocument = /* #__PURE__ */ documentOf<CreateFilamentMutation, CreateFilamentMutationVariables>({ text: "mutation CreateFilament($input: CreateFilamentInput!) {\n  createFilament(input: $input) {\n    ...FilamentValues\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateFilament"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateFilamentInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createFilament"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FilamentValues"},"directives":[]}]}}]}}) }, FilamentValues);
export const WeighSpoolDocument = /* #__PURE__ */ documentOf<WeighSpoolMutation, WeighSpoolMutationVariables>({ text: "mutation WeighSpool($id: ID!, $input: WeighSpoolInput!) {\n  weighSpool(id: $id, input: $input) {\n    id\n    grams\n    spool {\n      ...SpoolValues\n    }\n  }\n}", makeNode: () => ({"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"WeighSpool"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"WeighSpoolInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"weighSpool"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"grams"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"spool"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SpoolValues"},"directives":[]}]}}]}}]}}) }, SpoolValues, MaterialValues);