// Turns the bodies of REST requests into inputs of the resolvers. Names of members may be in upper or lower case.

import { BadInput } from '../../errors';
import type { RegisterCameraInput } from '../../farm/cameras/camera.inputs';
import type { CreatePrintJobInput, UpdatePrintJobInput } from '../../farm/print-jobs/print-job.inputs';
import { isJsonObject, parseExactJson } from '../../values/json';
import type { Unread } from '../../values/members';
import { foldName } from './casing';

/** Each member with the value that it gets if the body leaves it out or has null. */
type EmptyValues<Member extends string> = Record<Member, '' | 0 | false | null>;

const UPDATED_JOB: EmptyValues<keyof UpdatePrintJobInput> = {
  printerId: null,
  spoolId: null,
  printName: '',
  gcodeFilePath: '',
  mmExtruded: 0,
  gramsDerived: 0,
  costPerPrint: 0,
  notes: null,
  autoDeriveGrams: false,
};
const CREATED_JOB: EmptyValues<keyof CreatePrintJobInput> = {
  ...UPDATED_JOB,
  startedAt: null,
  dataSource: null,
  filamentDiameterAtPrintMm: 0,
  materialDensityAtPrint: 0,
};

/** Reads the body that the print job document calls UpdatePrintJobRequest. */
export const readUpdatePrintJobInput = createBodyReader(UPDATED_JOB);
/** Reads the body that the print job document calls CreatePrintJobRequest. */
export const readCreatePrintJobInput = createBodyReader(CREATED_JOB);

const readCamera = createBodyReader({ cameraId: '', friendlyName: '', macAddress: null });
/** Reads the body of POST /cameras. */
export function readRegisterCameraInput(body: Buffer | undefined): Unread<RegisterCameraInput> {
  const { cameraId, ...members } = readCamera(body);
  return { id: cameraId, ...members };
}

const readStatusChange = createBodyReader({ status: null });
/** Reads the status from the body that the print job document calls UpdatePrintJobStatusRequest. */
export const readRequestedStatus = (body: Buffer | undefined) => readStatusChange(body).status;

/** Makes a reader of JSON objects. The reader does not check the values of the members; the services do. */
function createBodyReader<Member extends string>(empty: EmptyValues<Member>) {
  return (body: Buffer | undefined): Record<Member, unknown> => {
    const json = parseExactJson(body ?? Buffer.alloc(0));
    if (!isJsonObject(json)) throw new BadInput('The body must be a JSON object');
    const given = new Map(Object.entries(json).map(([name, value]) => [foldName(name), value]));
    const members = Object.entries(empty).map(([member, absent]) => [member, given.get(foldName(member)) ?? absent]);
    return Object.fromEntries(members);
  };
}
