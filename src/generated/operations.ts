/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Selects the cameras that match every member. A member that is left out or null matches all cameras. */
export type CameraFilter = {
  /** Battery at or below this percentage in the latest status. */
  batteryAtMost?: number | null | undefined;
  /** Online (true) or offline (false) in the latest status. A camera without a status matches neither. */
  online?: boolean | null | undefined;
  /** This recording state in the latest status, with the same spelling. */
  recordingState?: string | null | undefined;
  /** Part of id or friendlyName, in any case; at most 1000 characters. */
  search?: string | null | undefined;
};

/** A status record to store. */
export type CameraStatusInput = {
  /** Battery level in percent, 0 to 100. */
  batteryPct?: number | null | undefined;
  /** The camera; NOT_FOUND when it is not registered. */
  cameraId: string;
  /** Frames per second, 0 or more. */
  fps?: number | null | undefined;
  /** Capture mode, at most 255 characters. */
  mode?: string | null | undefined;
  /** Whether the camera is online. */
  online: boolean;
  /** Unprocessed battery value, in the camera’s own unit. */
  rawBatteryPct?: number | null | undefined;
  /** When the state was observed; at most 24 hours ahead of the gateway’s clock, else BAD_USER_INPUT. If left out: now, or the next free millisecond of this camera. */
  recordedAt?: string | null | undefined;
  /** Recording state in the camera’s own words, at most 255 characters. */
  recordingState?: string | null | undefined;
  /** Video resolution, at most 255 characters. */
  resolution?: string | null | undefined;
  /** Remaining recording time in seconds, 0 or more. */
  videoRemainingSec?: number | null | undefined;
};

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
  /** Filament diameter in mm, above 0; usually 1.75 or 2.85. */
  filamentDiameterMm: string | number;
  /** GUID of the material; BAD_USER_INPUT when there is none. */
  materialId: string;
  /** Price of the whole spool, 0 or more. */
  purchasePrice?: string | number | null | undefined;
  /** Serial text, 1 to 255 characters. CONFLICT when it is taken. */
  spoolSerial: string;
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
  /** Part of printName, in any case; at most 1000 characters. Jobs are searched from the newest until the page is full, so a rare text takes about half a second among a million jobs. */
  search?: string | null | undefined;
  /** Jobs of this spool (GUID). */
  spoolId?: string | null | undefined;
  /** Jobs in one of these statuses; an empty list matches no job. */
  status?: Array<PrintJobStatus> | null | undefined;
};

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

/** A camera to register. */
export type RegisterCameraInput = {
  /** Name for people, 1 to 1000 characters. */
  friendlyName: string;
  /** Identifier of your choice, 1 to 255 characters. CONFLICT when it is registered already. */
  id: string;
  /** MAC address, at most 255 characters, kept as given. CONFLICT when it is registered already. */
  macAddress?: string | null | undefined;
};

/** Changes to a camera. Members that are left out stay as they are. */
export type UpdateCameraInput = {
  /** Name for people, 1 to 1000 characters; null leaves it. */
  friendlyName?: string | null | undefined;
  /** MAC address, at most 255 characters; null removes it. CONFLICT when another camera has it. */
  macAddress?: string | null | undefined;
};

/** Changes to a material. Members that are left out or null stay as they are. */
export type UpdateMaterialInput = {
  /** Density in g/cm3, above 0. Jobs keep the density they were printed with. */
  densityGPerCm3?: string | number | null | undefined;
  /** Name, 1 to 255 characters. CONFLICT when it is taken. */
  name?: string | null | undefined;
};

/** The new members of a print job. A member that is left out becomes empty, 0, false or null. */
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
  /** Filament diameter in mm, above 0; null leaves it. */
  filamentDiameterMm?: string | number | null | undefined;
  /** GUID of the material; null leaves it. BAD_USER_INPUT when there is none. */
  materialId?: string | null | undefined;
  /** Price of the whole spool, 0 or more; null removes it. */
  purchasePrice?: string | number | null | undefined;
  /** Serial text, 1 to 255 characters; null leaves it. CONFLICT when it is taken. */
  spoolSerial?: string | null | undefined;
  /** Weight of the filament when new, in grams, 0 or more; null leaves it. */
  weightTotalGrams?: string | number | null | undefined;
};

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

export type FarmOverviewQueryVariables = Exact<{
  jobs?: number | null | undefined;
  status?: Array<PrintJobStatus> | null | undefined;
}>;


export type FarmOverviewQuery = { cameras: { totalCount: number, nodes: Array<{ id: string, friendlyName: string, macAddress: string | null, createdAt: string, updatedAt: string, lastStatus: { id: string, recordedAt: string, online: boolean, batteryPct: number | null, rawBatteryPct: number | null, videoRemainingSec: number | null, recordingState: string | null, mode: string | null, resolution: string | null, fps: number | null } | null }> }, printers: { totalCount: number, nodes: Array<{ id: string, name: string, jobs: { nodes: Array<{ id: string, printName: string, startedAt: string | null }> } }> }, queued: { totalCount: number }, printing: { totalCount: number }, completed: { totalCount: number }, cancelled: { totalCount: number }, failed: { totalCount: number }, printJobs: { totalCount: number, nodes: Array<{ id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, printer: { id: string, name: string } | null, spool: { id: string, spoolSerial: string, material: { id: string, name: string } } | null }> } };

export type PrinterValuesFragment = { id: string, name: string, createdAt: string, updatedAt: string };

export type MaterialValuesFragment = { id: string, name: string, densityGPerCm3: string };

export type SpoolValuesFragment = { id: string, spoolSerial: string, filamentDiameterMm: string, weightTotalGrams: string, purchasePrice: string | null, createdAt: string, updatedAt: string, material: { id: string, name: string, densityGPerCm3: string } };

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


export type SpoolsQuery = { spools: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, spoolSerial: string, filamentDiameterMm: string, weightTotalGrams: string, purchasePrice: string | null, createdAt: string, updatedAt: string, material: { id: string, name: string, densityGPerCm3: string } }> } };

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


export type CreateSpoolMutation = { createSpool: { id: string, spoolSerial: string, filamentDiameterMm: string, weightTotalGrams: string, purchasePrice: string | null, createdAt: string, updatedAt: string, material: { id: string, name: string, densityGPerCm3: string } } };

export type UpdateSpoolMutationVariables = Exact<{
  id: string;
  input: UpdateSpoolInput;
}>;


export type UpdateSpoolMutation = { updateSpool: { id: string, spoolSerial: string, filamentDiameterMm: string, weightTotalGrams: string, purchasePrice: string | null, createdAt: string, updatedAt: string, material: { id: string, name: string, densityGPerCm3: string } } };

export type CreateMaterialMutationVariables = Exact<{
  input: CreateMaterialInput;
}>;


export type CreateMaterialMutation = { createMaterial: { id: string, name: string, densityGPerCm3: string } };

export type UpdateMaterialMutationVariables = Exact<{
  id: string;
  input: UpdateMaterialInput;
}>;


export type UpdateMaterialMutation = { updateMaterial: { id: string, name: string, densityGPerCm3: string } };

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

export type CancelPrintJobMutationVariables = Exact<{
  id: string;
}>;


export type CancelPrintJobMutation = { cancelPrintJob: { gcodeFilePath: string, mmExtruded: string, dataSource: DataSource, filamentDiameterAtPrintMm: string, materialDensityAtPrint: string, notes: string | null, updatedAt: string, id: string, printName: string, status: PrintJobStatus, allowedTransitions: Array<PrintJobStatus>, gramsDerived: string, costPerPrint: string, startedAt: string | null, completedAt: string | null, createdAt: string, printer: { id: string, name: string } | null, spool: { id: string, spoolSerial: string, material: { id: string, name: string } } | null } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const CameraStatusValuesFragmentDoc = new TypedDocumentString(`
    fragment CameraStatusValues on CameraStatus {
  id
  recordedAt
  online
  batteryPct
  rawBatteryPct
  videoRemainingSec
  recordingState
  mode
  resolution
  fps
}
    `, {"fragmentName":"CameraStatusValues"}) as unknown as TypedDocumentString<CameraStatusValuesFragment, unknown>;
export const CameraWithStatusFragmentDoc = new TypedDocumentString(`
    fragment CameraWithStatus on Camera {
  id
  friendlyName
  macAddress
  createdAt
  updatedAt
  lastStatus {
    ...CameraStatusValues
  }
}
    fragment CameraStatusValues on CameraStatus {
  id
  recordedAt
  online
  batteryPct
  rawBatteryPct
  videoRemainingSec
  recordingState
  mode
  resolution
  fps
}`, {"fragmentName":"CameraWithStatus"}) as unknown as TypedDocumentString<CameraWithStatusFragment, unknown>;
export const PrinterValuesFragmentDoc = new TypedDocumentString(`
    fragment PrinterValues on Printer {
  id
  name
  createdAt
  updatedAt
}
    `, {"fragmentName":"PrinterValues"}) as unknown as TypedDocumentString<PrinterValuesFragment, unknown>;
export const MaterialValuesFragmentDoc = new TypedDocumentString(`
    fragment MaterialValues on Material {
  id
  name
  densityGPerCm3
}
    `, {"fragmentName":"MaterialValues"}) as unknown as TypedDocumentString<MaterialValuesFragment, unknown>;
export const SpoolValuesFragmentDoc = new TypedDocumentString(`
    fragment SpoolValues on Spool {
  id
  spoolSerial
  filamentDiameterMm
  weightTotalGrams
  purchasePrice
  createdAt
  updatedAt
  material {
    ...MaterialValues
  }
}
    fragment MaterialValues on Material {
  id
  name
  densityGPerCm3
}`, {"fragmentName":"SpoolValues"}) as unknown as TypedDocumentString<SpoolValuesFragment, unknown>;
export const PrintJobRowFragmentDoc = new TypedDocumentString(`
    fragment PrintJobRow on PrintJob {
  id
  printName
  status
  allowedTransitions
  gramsDerived
  costPerPrint
  startedAt
  completedAt
  createdAt
  printer {
    id
    name
  }
  spool {
    id
    spoolSerial
    material {
      id
      name
    }
  }
}
    `, {"fragmentName":"PrintJobRow"}) as unknown as TypedDocumentString<PrintJobRowFragment, unknown>;
export const PrintJobValuesFragmentDoc = new TypedDocumentString(`
    fragment PrintJobValues on PrintJob {
  ...PrintJobRow
  gcodeFilePath
  mmExtruded
  dataSource
  filamentDiameterAtPrintMm
  materialDensityAtPrint
  notes
  updatedAt
}
    fragment PrintJobRow on PrintJob {
  id
  printName
  status
  allowedTransitions
  gramsDerived
  costPerPrint
  startedAt
  completedAt
  createdAt
  printer {
    id
    name
  }
  spool {
    id
    spoolSerial
    material {
      id
      name
    }
  }
}`, {"fragmentName":"PrintJobValues"}) as unknown as TypedDocumentString<PrintJobValuesFragment, unknown>;
export const CamerasDocument = new TypedDocumentString(`
    query Cameras($filter: CameraFilter, $first: Int, $after: String, $offset: Int) {
  cameras(filter: $filter, first: $first, after: $after, offset: $offset) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      ...CameraWithStatus
    }
  }
}
    fragment CameraStatusValues on CameraStatus {
  id
  recordedAt
  online
  batteryPct
  rawBatteryPct
  videoRemainingSec
  recordingState
  mode
  resolution
  fps
}
fragment CameraWithStatus on Camera {
  id
  friendlyName
  macAddress
  createdAt
  updatedAt
  lastStatus {
    ...CameraStatusValues
  }
}`) as unknown as TypedDocumentString<CamerasQuery, CamerasQueryVariables>;
export const CameraDetailDocument = new TypedDocumentString(`
    query CameraDetail($id: ID!, $from: DateTime, $to: DateTime, $records: Int = 100) {
  camera(id: $id) {
    ...CameraWithStatus
    history(from: $from, to: $to, first: $records) {
      ...CameraStatusValues
    }
  }
}
    fragment CameraStatusValues on CameraStatus {
  id
  recordedAt
  online
  batteryPct
  rawBatteryPct
  videoRemainingSec
  recordingState
  mode
  resolution
  fps
}
fragment CameraWithStatus on Camera {
  id
  friendlyName
  macAddress
  createdAt
  updatedAt
  lastStatus {
    ...CameraStatusValues
  }
}`) as unknown as TypedDocumentString<CameraDetailQuery, CameraDetailQueryVariables>;
export const RegisterCameraDocument = new TypedDocumentString(`
    mutation RegisterCamera($input: RegisterCameraInput!) {
  registerCamera(input: $input) {
    ...CameraWithStatus
  }
}
    fragment CameraStatusValues on CameraStatus {
  id
  recordedAt
  online
  batteryPct
  rawBatteryPct
  videoRemainingSec
  recordingState
  mode
  resolution
  fps
}
fragment CameraWithStatus on Camera {
  id
  friendlyName
  macAddress
  createdAt
  updatedAt
  lastStatus {
    ...CameraStatusValues
  }
}`) as unknown as TypedDocumentString<RegisterCameraMutation, RegisterCameraMutationVariables>;
export const UpdateCameraDocument = new TypedDocumentString(`
    mutation UpdateCamera($id: ID!, $input: UpdateCameraInput!) {
  updateCamera(id: $id, input: $input) {
    ...CameraWithStatus
  }
}
    fragment CameraStatusValues on CameraStatus {
  id
  recordedAt
  online
  batteryPct
  rawBatteryPct
  videoRemainingSec
  recordingState
  mode
  resolution
  fps
}
fragment CameraWithStatus on Camera {
  id
  friendlyName
  macAddress
  createdAt
  updatedAt
  lastStatus {
    ...CameraStatusValues
  }
}`) as unknown as TypedDocumentString<UpdateCameraMutation, UpdateCameraMutationVariables>;
export const RecordCameraStatusesDocument = new TypedDocumentString(`
    mutation RecordCameraStatuses($input: [CameraStatusInput!]!) {
  recordCameraStatuses(input: $input) {
    cameraId
    ...CameraStatusValues
  }
}
    fragment CameraStatusValues on CameraStatus {
  id
  recordedAt
  online
  batteryPct
  rawBatteryPct
  videoRemainingSec
  recordingState
  mode
  resolution
  fps
}`) as unknown as TypedDocumentString<RecordCameraStatusesMutation, RecordCameraStatusesMutationVariables>;
export const FarmOverviewDocument = new TypedDocumentString(`
    query FarmOverview($jobs: Int = 50, $status: [PrintJobStatus!]) {
  cameras {
    totalCount
    nodes {
      ...CameraWithStatus
    }
  }
  printers(first: 200) {
    totalCount
    nodes {
      id
      name
      jobs(first: 1, filter: {status: [PRINTING]}) {
        nodes {
          id
          printName
          startedAt
        }
      }
    }
  }
  queued: printJobs(filter: {status: [QUEUED]}, first: 1) {
    totalCount
  }
  printing: printJobs(filter: {status: [PRINTING]}, first: 1) {
    totalCount
  }
  completed: printJobs(filter: {status: [COMPLETED]}, first: 1) {
    totalCount
  }
  cancelled: printJobs(filter: {status: [CANCELLED]}, first: 1) {
    totalCount
  }
  failed: printJobs(filter: {status: [FAILED]}, first: 1) {
    totalCount
  }
  printJobs(first: $jobs, filter: {status: $status}) {
    totalCount
    nodes {
      ...PrintJobRow
    }
  }
}
    fragment CameraStatusValues on CameraStatus {
  id
  recordedAt
  online
  batteryPct
  rawBatteryPct
  videoRemainingSec
  recordingState
  mode
  resolution
  fps
}
fragment CameraWithStatus on Camera {
  id
  friendlyName
  macAddress
  createdAt
  updatedAt
  lastStatus {
    ...CameraStatusValues
  }
}
fragment PrintJobRow on PrintJob {
  id
  printName
  status
  allowedTransitions
  gramsDerived
  costPerPrint
  startedAt
  completedAt
  createdAt
  printer {
    id
    name
  }
  spool {
    id
    spoolSerial
    material {
      id
      name
    }
  }
}`) as unknown as TypedDocumentString<FarmOverviewQuery, FarmOverviewQueryVariables>;
export const PrintersDocument = new TypedDocumentString(`
    query Printers($first: Int = 50, $after: String, $offset: Int) {
  printers(first: $first, after: $after, offset: $offset) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      ...PrinterValues
    }
  }
}
    fragment PrinterValues on Printer {
  id
  name
  createdAt
  updatedAt
}`) as unknown as TypedDocumentString<PrintersQuery, PrintersQueryVariables>;
export const SpoolsDocument = new TypedDocumentString(`
    query Spools($first: Int = 50, $after: String, $offset: Int) {
  spools(first: $first, after: $after, offset: $offset) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      ...SpoolValues
    }
  }
}
    fragment MaterialValues on Material {
  id
  name
  densityGPerCm3
}
fragment SpoolValues on Spool {
  id
  spoolSerial
  filamentDiameterMm
  weightTotalGrams
  purchasePrice
  createdAt
  updatedAt
  material {
    ...MaterialValues
  }
}`) as unknown as TypedDocumentString<SpoolsQuery, SpoolsQueryVariables>;
export const MaterialsDocument = new TypedDocumentString(`
    query Materials {
  materials {
    ...MaterialValues
  }
}
    fragment MaterialValues on Material {
  id
  name
  densityGPerCm3
}`) as unknown as TypedDocumentString<MaterialsQuery, MaterialsQueryVariables>;
export const CreatePrinterDocument = new TypedDocumentString(`
    mutation CreatePrinter($input: CreatePrinterInput!) {
  createPrinter(input: $input) {
    ...PrinterValues
  }
}
    fragment PrinterValues on Printer {
  id
  name
  createdAt
  updatedAt
}`) as unknown as TypedDocumentString<CreatePrinterMutation, CreatePrinterMutationVariables>;
export const UpdatePrinterDocument = new TypedDocumentString(`
    mutation UpdatePrinter($id: ID!, $input: UpdatePrinterInput!) {
  updatePrinter(id: $id, input: $input) {
    ...PrinterValues
  }
}
    fragment PrinterValues on Printer {
  id
  name
  createdAt
  updatedAt
}`) as unknown as TypedDocumentString<UpdatePrinterMutation, UpdatePrinterMutationVariables>;
export const CreateSpoolDocument = new TypedDocumentString(`
    mutation CreateSpool($input: CreateSpoolInput!) {
  createSpool(input: $input) {
    ...SpoolValues
  }
}
    fragment MaterialValues on Material {
  id
  name
  densityGPerCm3
}
fragment SpoolValues on Spool {
  id
  spoolSerial
  filamentDiameterMm
  weightTotalGrams
  purchasePrice
  createdAt
  updatedAt
  material {
    ...MaterialValues
  }
}`) as unknown as TypedDocumentString<CreateSpoolMutation, CreateSpoolMutationVariables>;
export const UpdateSpoolDocument = new TypedDocumentString(`
    mutation UpdateSpool($id: ID!, $input: UpdateSpoolInput!) {
  updateSpool(id: $id, input: $input) {
    ...SpoolValues
  }
}
    fragment MaterialValues on Material {
  id
  name
  densityGPerCm3
}
fragment SpoolValues on Spool {
  id
  spoolSerial
  filamentDiameterMm
  weightTotalGrams
  purchasePrice
  createdAt
  updatedAt
  material {
    ...MaterialValues
  }
}`) as unknown as TypedDocumentString<UpdateSpoolMutation, UpdateSpoolMutationVariables>;
export const CreateMaterialDocument = new TypedDocumentString(`
    mutation CreateMaterial($input: CreateMaterialInput!) {
  createMaterial(input: $input) {
    ...MaterialValues
  }
}
    fragment MaterialValues on Material {
  id
  name
  densityGPerCm3
}`) as unknown as TypedDocumentString<CreateMaterialMutation, CreateMaterialMutationVariables>;
export const UpdateMaterialDocument = new TypedDocumentString(`
    mutation UpdateMaterial($id: ID!, $input: UpdateMaterialInput!) {
  updateMaterial(id: $id, input: $input) {
    ...MaterialValues
  }
}
    fragment MaterialValues on Material {
  id
  name
  densityGPerCm3
}`) as unknown as TypedDocumentString<UpdateMaterialMutation, UpdateMaterialMutationVariables>;
export const PrintJobsDocument = new TypedDocumentString(`
    query PrintJobs($filter: PrintJobFilter, $first: Int = 20, $after: String, $offset: Int) {
  printJobs(filter: $filter, first: $first, after: $after, offset: $offset) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    nodes {
      ...PrintJobRow
    }
  }
}
    fragment PrintJobRow on PrintJob {
  id
  printName
  status
  allowedTransitions
  gramsDerived
  costPerPrint
  startedAt
  completedAt
  createdAt
  printer {
    id
    name
  }
  spool {
    id
    spoolSerial
    material {
      id
      name
    }
  }
}`) as unknown as TypedDocumentString<PrintJobsQuery, PrintJobsQueryVariables>;
export const PrintJobByIdDocument = new TypedDocumentString(`
    query PrintJobById($id: ID!) {
  printJob(id: $id) {
    ...PrintJobValues
  }
}
    fragment PrintJobRow on PrintJob {
  id
  printName
  status
  allowedTransitions
  gramsDerived
  costPerPrint
  startedAt
  completedAt
  createdAt
  printer {
    id
    name
  }
  spool {
    id
    spoolSerial
    material {
      id
      name
    }
  }
}
fragment PrintJobValues on PrintJob {
  ...PrintJobRow
  gcodeFilePath
  mmExtruded
  dataSource
  filamentDiameterAtPrintMm
  materialDensityAtPrint
  notes
  updatedAt
}`) as unknown as TypedDocumentString<PrintJobByIdQuery, PrintJobByIdQueryVariables>;
export const CreatePrintJobDocument = new TypedDocumentString(`
    mutation CreatePrintJob($input: CreatePrintJobInput!) {
  createPrintJob(input: $input) {
    ...PrintJobValues
  }
}
    fragment PrintJobRow on PrintJob {
  id
  printName
  status
  allowedTransitions
  gramsDerived
  costPerPrint
  startedAt
  completedAt
  createdAt
  printer {
    id
    name
  }
  spool {
    id
    spoolSerial
    material {
      id
      name
    }
  }
}
fragment PrintJobValues on PrintJob {
  ...PrintJobRow
  gcodeFilePath
  mmExtruded
  dataSource
  filamentDiameterAtPrintMm
  materialDensityAtPrint
  notes
  updatedAt
}`) as unknown as TypedDocumentString<CreatePrintJobMutation, CreatePrintJobMutationVariables>;
export const UpdatePrintJobDocument = new TypedDocumentString(`
    mutation UpdatePrintJob($id: ID!, $input: UpdatePrintJobInput!) {
  updatePrintJob(id: $id, input: $input) {
    ...PrintJobValues
  }
}
    fragment PrintJobRow on PrintJob {
  id
  printName
  status
  allowedTransitions
  gramsDerived
  costPerPrint
  startedAt
  completedAt
  createdAt
  printer {
    id
    name
  }
  spool {
    id
    spoolSerial
    material {
      id
      name
    }
  }
}
fragment PrintJobValues on PrintJob {
  ...PrintJobRow
  gcodeFilePath
  mmExtruded
  dataSource
  filamentDiameterAtPrintMm
  materialDensityAtPrint
  notes
  updatedAt
}`) as unknown as TypedDocumentString<UpdatePrintJobMutation, UpdatePrintJobMutationVariables>;
export const ChangePrintJobStatusDocument = new TypedDocumentString(`
    mutation ChangePrintJobStatus($id: ID!, $status: PrintJobStatus!) {
  changePrintJobStatus(id: $id, status: $status) {
    ...PrintJobValues
  }
}
    fragment PrintJobRow on PrintJob {
  id
  printName
  status
  allowedTransitions
  gramsDerived
  costPerPrint
  startedAt
  completedAt
  createdAt
  printer {
    id
    name
  }
  spool {
    id
    spoolSerial
    material {
      id
      name
    }
  }
}
fragment PrintJobValues on PrintJob {
  ...PrintJobRow
  gcodeFilePath
  mmExtruded
  dataSource
  filamentDiameterAtPrintMm
  materialDensityAtPrint
  notes
  updatedAt
}`) as unknown as TypedDocumentString<ChangePrintJobStatusMutation, ChangePrintJobStatusMutationVariables>;
export const CancelPrintJobDocument = new TypedDocumentString(`
    mutation CancelPrintJob($id: ID!) {
  cancelPrintJob(id: $id) {
    ...PrintJobValues
  }
}
    fragment PrintJobRow on PrintJob {
  id
  printName
  status
  allowedTransitions
  gramsDerived
  costPerPrint
  startedAt
  completedAt
  createdAt
  printer {
    id
    name
  }
  spool {
    id
    spoolSerial
    material {
      id
      name
    }
  }
}
fragment PrintJobValues on PrintJob {
  ...PrintJobRow
  gcodeFilePath
  mmExtruded
  dataSource
  filamentDiameterAtPrintMm
  materialDensityAtPrint
  notes
  updatedAt
}`) as unknown as TypedDocumentString<CancelPrintJobMutation, CancelPrintJobMutationVariables>;