// Turns the bodies of REST requests into the inputs of the resolvers. Names are read in any case.
import type { RegisterCameraInput } from '../cameras/camera.inputs';
import { BadInput } from '../errors';
import type { CreatePrintJobInput, UpdatePrintJobInput } from '../print-jobs/print-job.inputs';
import { isJsonObject, parseExactJson } from '../values/json';
import type { Unread } from '../values/members';
import { folded } from '../values/spelling';

/** The members of a JSON object as they came, because the services read them. */
class Members {
  private readonly members: Map<string, unknown>;

  constructor(bytes: Buffer | undefined) {
    const json = parseExactJson(bytes ?? Buffer.alloc(0));
    if (!isJsonObject(json)) throw new BadInput('The body must be a JSON object');
    this.members = new Map(Object.entries(json).map(([name, value]) => [folded(name), value]));
  }

  /** @param absent the value of a member that is absent or null */
  value(member: string, absent: string | 0 | false | null = null): unknown {
    return this.members.get(folded(member)) ?? absent;
  }
}

/** The request body of POST /cameras. */
export function registerCameraInput(body: Buffer | undefined): Unread<RegisterCameraInput> {
  const members = new Members(body);
  return {
    id: members.value('cameraId', ''),
    friendlyName: members.value('friendlyName', ''),
    macAddress: members.value('macAddress'),
  };
}

/** UpdatePrintJobRequest. */
export function updatePrintJobInput(body: Buffer | undefined): Unread<UpdatePrintJobInput> {
  return describedJob(new Members(body));
}

function describedJob(members: Members): Unread<UpdatePrintJobInput> {
  return {
    printerId: members.value('printerId'),
    spoolId: members.value('spoolId'),
    printName: members.value('printName', ''),
    gcodeFilePath: members.value('gcodeFilePath', ''),
    mmExtruded: members.value('mmExtruded', 0),
    gramsDerived: members.value('gramsDerived', 0),
    costPerPrint: members.value('costPerPrint', 0),
    notes: members.value('notes'),
    autoDeriveGrams: members.value('autoDeriveGrams', false),
  };
}

/** CreatePrintJobRequest. */
export function createPrintJobInput(body: Buffer | undefined): Unread<CreatePrintJobInput> {
  const members = new Members(body);
  return {
    ...describedJob(members),
    startedAt: members.value('startedAt'),
    dataSource: members.value('dataSource'),
    filamentDiameterAtPrintMm: members.value('filamentDiameterAtPrintMm', 0),
    materialDensityAtPrint: members.value('materialDensityAtPrint', 0),
  };
}

/** UpdatePrintJobStatusRequest. */
export function requestedStatus(body: Buffer | undefined): string {
  return new Members(body).value('status') as string;
}
