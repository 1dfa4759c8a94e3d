// Parses the requests of REST clients into the inputs of the resolvers. Names are read in any case.
import { isLosslessNumber } from 'lossless-json';
import type { RegisterCameraInput } from '../cameras/camera.inputs';
import { BadInput } from '../errors';
import { PAGE_OF_JOBS } from '../graph/page-arguments';
import type { CreatePrintJobInput, PrintJobFilter, UpdatePrintJobInput } from '../print-jobs/print-job.inputs';
import { jobStatusNamed } from '../print-jobs/print-job.status';
import { parseDecimal } from '../values/decimal';
import { parseGuid } from '../values/guid';
import { parseInstant } from '../values/instant';
import { parseExactJson } from '../values/json';
import { clamp } from '../values/page';
import { folded } from '../values/spelling';
import { parseText, refuseBrokenText } from '../values/text';

/** The members of a JSON object. A member that is absent or null has the empty value of its type. */
class Members {
  private readonly members: Map<string, unknown>;

  constructor(bytes: Buffer | undefined) {
    const json = parseExactJson(bytes ?? Buffer.alloc(0));
    if (json === null || typeof json !== 'object' || Array.isArray(json) || isLosslessNumber(json)) {
      throw new BadInput('The body must be a JSON object');
    }
    this.members = new Map(Object.entries(json).map(([name, value]) => [folded(name), value]));
  }

  value(member: string): unknown {
    return this.members.get(folded(member)) ?? null;
  }

  text(member: string): string {
    return this.optionalText(member) ?? '';
  }

  optionalText(member: string): string | null {
    const value = this.value(member);
    return value === null ? null : parseText(value, member);
  }

  decimal(member: string): string {
    const value = this.value(member);
    return value === null ? '0' : parseDecimal(value, member);
  }

  boolean(member: string): boolean {
    const value = this.value(member) ?? false;
    if (typeof value !== 'boolean') throw new BadInput('must be true or false', member);
    return value;
  }

  guid(member: string): string {
    return parseGuid(this.value(member), member);
  }

  optionalInstant(member: string): string | null {
    const value = this.value(member);
    return value === null ? null : parseInstant(value, member);
  }
}

/** The request body of POST /cameras. */
export function registerCameraInput(body: Buffer | undefined): RegisterCameraInput {
  const members = new Members(body);
  return {
    id: members.text('cameraId'),
    friendlyName: members.text('friendlyName'),
    macAddress: members.optionalText('macAddress'),
  };
}

/** UpdatePrintJobRequest. */
export function updatePrintJobInput(body: Buffer | undefined): UpdatePrintJobInput {
  return describedJob(new Members(body));
}

function describedJob(members: Members): UpdatePrintJobInput {
  return {
    printerId: members.guid('printerId'),
    // The service parses it after its look-up of the printer (POST rules 1 and 2, PUT rule 1).
    spoolId: members.value('spoolId') as string,
    printName: members.text('printName'),
    gcodeFilePath: members.text('gcodeFilePath'),
    mmExtruded: members.decimal('mmExtruded'),
    gramsDerived: members.decimal('gramsDerived'),
    costPerPrint: members.decimal('costPerPrint'),
    notes: members.optionalText('notes'),
    autoDeriveGrams: members.boolean('autoDeriveGrams'),
  };
}

/** CreatePrintJobRequest. */
export function createPrintJobInput(body: Buffer | undefined): CreatePrintJobInput {
  const members = new Members(body);
  return {
    ...describedJob(members),
    startedAt: members.optionalInstant('startedAt'),
    // The service parses it, at its rule 5.
    dataSource: members.value('dataSource') as string,
    filamentDiameterAtPrintMm: members.decimal('filamentDiameterAtPrintMm'),
    materialDensityAtPrint: members.decimal('materialDensityAtPrint'),
  };
}

/** UpdatePrintJobStatusRequest: the service parses the status, at its rule 2. */
export function requestedStatus(body: Buffer | undefined): string {
  return new Members(body).value('status') as string;
}

/** The query parameters of GET /api/printjobs. */
export interface JobListQuery {
  filter: PrintJobFilter;
  pageNumber: number;
  pageSize: number;
}

/** Larger page numbers become this one. */
const MAX_PAGES = 2 ** 31 - 1;
/** §8: "PageSize … clamped to 1..100". */
export const MAX_PAGE_SIZE = 100;

/** §4: "Values below 1 become 1", "clamped to 1..100", "A blank or unrecognised value is ignored". */
export function jobListQuery(query: Query): JobListQuery {
  const status = jobStatusNamed(query.any('status') ?? '');
  const printerId = query.text('printerId');
  const spoolId = query.text('spoolId');
  return {
    filter: {
      printerId: printerId === undefined ? null : parseGuid(printerId, 'printerId'),
      spoolId: spoolId === undefined ? null : parseGuid(spoolId, 'spoolId'),
      status: status === undefined ? null : [status],
    },
    pageNumber: query.integer('pageNumber', 1, 1, MAX_PAGES),
    pageSize: query.integer('pageSize', PAGE_OF_JOBS, 1, MAX_PAGE_SIZE),
  };
}

export class Query {
  private readonly parameters = new Map<string, string[]>();

  constructor(search: string) {
    for (const pair of search.split('&')) {
      if (pair === '') continue;
      const [name = '', ...value] = pair.split('=');
      const key = folded(decoded(name));
      this.parameters.set(key, [...(this.parameters.get(key) ?? []), decoded(value.join('='))]);
    }
  }

  /** The text as it came, possibly one that cannot be stored. */
  any(name: string): string | undefined {
    const values = this.parameters.get(folded(name)) ?? [];
    if (values.length > 1) throw new BadInput('must be given once', name);
    return values[0];
  }

  text(name: string): string | undefined {
    const text = this.any(name);
    refuseBrokenText(text, name);
    return text;
  }

  /** An integer of any length, clamped. */
  integer(name: string, otherwise: number, min: number, max: number): number {
    const text = this.text(name);
    if (text === undefined) return otherwise;
    if (!/^[+-]?\d+$/.test(text)) throw new BadInput('must be an integer', name);
    return clamp(Number(text), min, max);
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new BadInput('The query string has a broken percent-encoding');
  }
}
