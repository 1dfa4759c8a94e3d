// Turns the bodies of REST requests into the inputs of the resolvers. The case of letters in names makes no difference.

import { BadInput } from '../../errors';
import type { RegisterCameraInput } from '../../farm/cameras/camera.inputs';
import type { CreatePrintJobInput, UpdatePrintJobInput } from '../../farm/print-jobs/print-job.inputs';
import { isJsonObject, parseExactJson } from '../../values/json';
import type { Unread } from '../../values/members';
import { folded } from './casing';

/** Each member with its value where the body has none, or null. */
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

/** UpdatePrintJobRequest. */
export const updatePrintJobInput = bodyReader(UPDATED_JOB);
/** CreatePrintJobRequest. */
export const createPrintJobInput = bodyReader(CREATED_JOB);

const camera = bodyReader({ cameraId: '', friendlyName: '', macAddress: null });
/** The request body of POST /cameras. */
export function registerCameraInput(body: Buffer | undefined): Unread<RegisterCameraInput> {
  const { cameraId, ...members } = camera(body);
  return { id: cameraId, ...members };
}

const statusChange = bodyReader({ status: null });
/** UpdatePrintJobStatusRequest. */
export const requestedStatus = (body: Buffer | undefined) => statusChange(body).status;

/** A reader of JSON objects. It leaves the values of the members as they came, because the services read them. */
function bodyReader<Member extends string>(empty: EmptyValues<Member>) {
  return (body: Buffer | undefined): Record<Member, unknown> => {
    const json = parseExactJson(body ?? Buffer.alloc(0));
    if (!isJsonObject(json)) throw new BadInput('The body must be a JSON object');
    const given = new Map(Object.entries(json).map(([name, value]) => [folded(name), value]));
    const members = Object.entries(empty).map(([member, absent]) => [member, given.get(folded(member)) ?? absent]);
    return Object.fromEntries(members);
  };
}
